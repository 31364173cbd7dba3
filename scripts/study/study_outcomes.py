"""The questions of scripts/study/run, its statistics, and the answers."""
import math
from random import Random
from statistics import NormalDist

from study_design import BRANCHES, SEED, WORDINGS, inputs

LABELS = {row["id"]: row["branch"] for row in inputs()["notes"]}


class Measure:
    """An outcome of an arm, by input. Outcomes that are measured have bounds; others are counted."""
    def __init__(self, column, measured=False, kinds=None):
        self.column, self.measured, self.kinds = column, measured, kinds

    def __call__(self, arm, side=0):
        found = arm.get(self.column + ("", "High", "Low")[side], {})
        return {case: value for case, value in found.items() if not self.kinds or LABELS[case] in self.kinds}


P_EMPTY, P_SHORT, P_WRONG = (Measure(name, measured=True) for name in ("empty", "short", "wrong"))
(EMPTY_COUNTED, SHORT_COUNTED, WRONG_COUNTED, GOOD, REPEATED, CUT, FIELDS, PLAIN, PRESSURE, UNRESOLVED) = (
    Measure(name) for name in ("emptyCounted", "shortCounted", "wrongCounted", "good", "repeated", "cut", "fields",
                               "plain", "pressure", "unresolved"))


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else 0.0


# Statistics.

def t_value(freedom, share=0.975):
    z = NormalDist().inv_cdf(share)
    return (z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
            + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3))


def interval(values, counts=False):
    """The mean of the values, with its 95 % t interval.

    Counts get two additional values, half a unit above and half a unit below the mean. So the width
    of the interval is greater than zero even if all values are equal."""
    n = len(values)
    mean = sum(values) / n
    squares = sum((v - mean) ** 2 for v in values) + (0.5 if counts else 0)
    size = n + 2 if counts else n
    half = t_value(size - 1) * math.sqrt(squares / (size - 1) / size)
    return mean, mean - half, mean + half


def sign_flip(differences, draws=19_999):
    """The two-sided p-value of the mean difference if the sign of each difference is random."""
    moved = [abs(d) for d in differences if d]
    if not moved:
        return 1.0
    total, observed = sum(moved), abs(sum(differences)) - 1e-12
    # For each byte of the random bits, a table has the sum of the differences whose bit is set.
    tables = []
    for start in range(0, len(moved), 8):
        table = [0.0]
        for size in moved[start:start + 8]:
            table += [known + size for known in table]
        tables.append(table)
    random, hits = Random(SEED), 0
    for _ in range(draws):
        bits = random.getrandbits(len(moved))
        down = 0.0
        for table in tables:
            down += table[bits & 255]
            bits >>= 8
        hits += abs(total - 2 * down) >= observed
    return (hits + 1) / (draws + 1)


def spread_test(table, draws=1_999):
    """The p-value of "the columns don't differ", by permuting the values within each row."""
    def statistic(sums):
        mean = sum(sums) / len(sums)
        return sum((s - mean) ** 2 for s in sums)
    rows = [list(row) for row in table]
    observed = statistic([sum(column) for column in zip(*rows)]) - 1e-12
    random, hits = Random(SEED), 0
    for _ in range(draws):
        for row in rows:
            random.shuffle(row)
        hits += statistic([sum(column) for column in zip(*rows)]) >= observed
    return (hits + 1) / (draws + 1)


def best_and_worst(table):
    """For each row, the difference between the best and the worst column.

    The *other* half of the rows decides which columns these are. If a row helped to choose its
    columns, the choice would inflate the difference."""
    found = []
    for half in (0, 1):
        others = [row for index, row in enumerate(table) if index % 2 != half]
        means = [sum(column) for column in zip(*others)]
        low, high = means.index(min(means)), means.index(max(means))
        found += [row[low] - row[high] for index, row in enumerate(table) if index % 2 == half]
    return found


def holm(values):
    adjusted, largest = {}, 0.0
    for rank, (key, p) in enumerate(sorted(values.items(), key=lambda item: item[1])):
        largest = adjusted[key] = max(largest, min(1.0, p * (len(values) - rank)))
    return adjusted


# The questions. Each has one outcome, which we chose before the runs. The report also shows
# further outcomes, without a verdict.

BASE = ("branch", "described", "base")
TOLD = ("arrays", "points", "words")
NAIVE = ("arrays", "points", "naive")


class Question:
    def __init__(self, id, rule, title, treated, control, outcome, measure, better="lower", beside=(), spread=None):
        self.id, self.rule, self.title, self.treated, self.control = id, rule, title, treated, control
        self.outcome, self.measure, self.better, self.beside = outcome, measure, better, beside
        # If there is a spread, the question is whether these arms differ at all.
        self.spread = spread

    @property
    def arms(self):
        return self.spread or [self.treated, self.control]


WORDING_ARMS = [("wordings", "points", f"w{n}") for n in range(1, len(WORDINGS) + 1)]
ORDER_ARMS = [BASE] + [("case-order", f"order-{n}", "base") for n in (1, 2, 3)]
EMPTY, SHORT, WRONG = "P(empty)", "P(fewer than 3)", "P(wrong branch)"
SHORT_COUNT = ("short lists, counted", SHORT_COUNTED)
WRONG_COUNT = ("wrong branches, counted", WRONG_COUNTED)
WRONG_QUITTING = ("P(wrong), notes about quitting", Measure("wrong", True, BRANCHES[:3]))
WRONG_SLIP = ("P(wrong), notes about a slip", Measure("wrong", True, ["slip"]))
WRONG_OTHER = ("P(wrong), other texts", Measure("wrong", True, ["unclear"]))
QUESTIONS = [
    Question("bound-words", 2, "a bound in words, compared with no bound", TOLD, NAIVE, SHORT, P_SHORT,
             beside=[SHORT_COUNT, (EMPTY, P_EMPTY), ("good lists, counted", GOOD)]),
    Question("bound-schema", 2, "the bound in the schema, compared with the bound in words",
             ("arrays", "points", "schema"), TOLD, "good lists", GOOD, "higher",
             [("lists with a repeat", REPEATED), ("cut off", CUT)]),
    Question("bound-both", 2, "the bound in both words and schema, compared with the schema alone",
             ("arrays", "points", "both"), ("arrays", "points", "schema"), "good lists", GOOD, "higher",
             [("lists with a repeat", REPEATED), ("cut off", CUT)]),
    Question("fallback", 2, "advice for short passages plus the bound in words, compared with the bound in words alone",
             ("arrays", "points", "fallback"), TOLD, SHORT, P_SHORT, beside=[SHORT_COUNT, (EMPTY, P_EMPTY)]),
    Question("wrap", 4, "a wrapper around the list, compared with a bare list", NAIVE, ("wrapper", "list", "base"),
             EMPTY, P_EMPTY, beside=[("empty lists, counted", EMPTY_COUNTED), (SHORT, P_SHORT)]),
    Question("wrap-bound", 4,
             "a wrapper with a bound in words, compared with a bare list with the same bound in the instructions", TOLD,
             ("wrapper", "list-told", "base"), SHORT, P_SHORT, beside=[SHORT_COUNT, (EMPTY, P_EMPTY)]),
    Question("out-branch", 3, "a fallback case, compared with no fallback case",
             BASE, ("branch", "no-out", "base"), WRONG, P_WRONG,
             beside=[WRONG_COUNT, WRONG_QUITTING, WRONG_SLIP, WRONG_OTHER]),
    Question("cases", 1, "enum cases with guides, compared with enum cases without guides",
             BASE, ("branch", "bare", "base"), WRONG, P_WRONG,
             beside=[WRONG_COUNT, WRONG_QUITTING, WRONG_OTHER]),
    Question("fields", 1, "fields with guides, compared with fields without guides", ("fields", "described", "base"),
             ("fields", "bare", "base"), "fields right", FIELDS, "higher",
             [("titles of 2 to 6 words", Measure("title")), ("years right", Measure("year")),
              ("summaries of one plain sentence", Measure("summary"))]),
    Question("year", 2, "“an empty string if it names none”, compared with a guide without these words",
             ("fields", "described", "base"),
             ("fields", "no-fallback", "base"), "years right", Measure("year"), "higher"),
    Question("format", 2, "“plain text, no bullets, no markup”, compared with a guide without these words",
             ("fields", "described", "base"), ("fields", "no-format", "base"), "summaries without markup",
             PLAIN, "higher", [("summaries of one plain sentence", Measure("summary"))]),
    Question("nesting", None, "two levels of nesting, compared with one level", ("order", "nested", "base"),
             ("order", "verdict-first", "base"), WRONG, P_WRONG, beside=[WRONG_COUNT, ("cut off", CUT)]),
    Question("order", None, "the reason first, compared with the kind first", ("order", "reason-first", "base"),
             ("order", "verdict-first", "base"), WRONG, P_WRONG, beside=[WRONG_COUNT]),
    Question("wordings", None, "the best of ten wordings of one bound, compared with the worst", None, None, SHORT,
             P_SHORT, spread=WORDING_ARMS),
    Question("white-space", None, "compact white space, compared with the model's own choice",
             ("layout", "points", "compact"), TOLD, EMPTY, P_EMPTY,
             beside=[("empty lists, counted", EMPTY_COUNTED), (SHORT, P_SHORT)]),
    Question("outline", None, "types in the prompt, compared with no outline",
             BASE, ("outline", "branch", "none"), WRONG, P_WRONG, beside=[WRONG_COUNT]),
    Question("greedy", None, "greedy decoding, compared with sampling", ("branch", "greedy", "base"), BASE,
             "wrong branches, counted", WRONG_COUNTED, "lower"),
    Question("acts", None, "guides that name the act, compared with guides that describe it",
             ("guides", "acts", "base"), BASE, WRONG, P_WRONG,
             beside=[WRONG_COUNT, WRONG_QUITTING, WRONG_SLIP, WRONG_OTHER]),
    Question("examples", None, "guides with one example, compared with the same guides without it",
             ("guides", "examples", "base"), BASE, WRONG, P_WRONG,
             beside=[WRONG_COUNT, WRONG_QUITTING, WRONG_SLIP, WRONG_OTHER]),
    Question("bound-whole", 2, "a bound in words, compared with no bound, if points have two to five words",
             ("whole", "points", "words"), ("whole", "points", "naive"), SHORT, P_SHORT,
             beside=[SHORT_COUNT, (EMPTY, P_EMPTY), ("good lists, counted", GOOD)]),
    Question("told", None, "“Choose this rather than guess.”, compared with a fallback case without these words",
             BASE, ("escape", "not-told", "base"), WRONG, P_WRONG,
             beside=[WRONG_COUNT, WRONG_QUITTING, WRONG_OTHER]),
    Question("only", None, "a fallback case for when no other case fits, compared with one for vague notes",
             ("escape", "only", "base"), BASE, WRONG, P_WRONG,
             beside=[WRONG_COUNT, WRONG_QUITTING, WRONG_OTHER]),
    Question("other", None, "the name `other` for the fallback case, compared with `unclear`",
             ("escape", "renamed", "base"), BASE, WRONG, P_WRONG,
             beside=[WRONG_COUNT, WRONG_QUITTING, WRONG_OTHER]),
    Question("first", None, "the fallback case first, compared with last",
             ORDER_ARMS[3], BASE, WRONG, P_WRONG, beside=[WRONG_COUNT, WRONG_QUITTING, WRONG_OTHER]),
    Question("case-order", None, "the best of four orders of the enum cases, compared with the worst", None, None,
             WRONG, P_WRONG, spread=ORDER_ARMS),
    Question("letters", None, "telling names of enum cases, compared with the names `a` to `d`, both with guides",
             BASE, ("names", "letters", "base"), WRONG, P_WRONG, beside=[WRONG_COUNT, WRONG_QUITTING, WRONG_OTHER]),
    Question("bound-name", None, "a bound in the property's name, compared with the name `points`",
             ("names", "bound-in-name", "base"), NAIVE, SHORT, P_SHORT,
             beside=[SHORT_COUNT, (EMPTY, P_EMPTY), ("good lists, counted", GOOD)]),
    Question("allow-empty", None, "“If there are none, return an empty array”, compared with no such words",
             ("escape", "empty", "allowed"), NAIVE, EMPTY, P_EMPTY,
             beside=[("empty lists, counted", EMPTY_COUNTED), (SHORT, P_SHORT)]),
]
RULES = {
    1: "Every field gets a guide",
    2: "State bounds, fallbacks and forbidden formats",
    3: "A fallback case on every enum",
    4: "Wrap collections",
    5: "Hide the framework behind a protocol",
}


class Answer:
    """A question answered on one model."""
    def __init__(self, question, arms):
        self.widest = None
        if question.spread:
            columns = [question.measure(arms[arm]) for arm in question.spread]
            cases = [case for case in columns[0] if all(case in column for column in columns)]
            table = [[column[case] for column in columns] for case in cases]
            self.means = [mean(column) for column in zip(*table)]
            self.control, self.treated = max(self.means), min(self.means)
            self.effect, self.low, self.high = interval(best_and_worst(table))
            self.p = spread_test(table)
        else:
            treated, control = (question.measure(arms[arm]) for arm in question.arms)
            cases = [case for case in treated if case in control]
            differences = [treated[case] - control[case] for case in cases]
            self.treated = mean(treated[case] for case in cases)
            self.control = mean(control[case] for case in cases)
            self.effect, self.low, self.high = interval(differences, not question.measure.measured)
            self.p = sign_flip(differences)
            if question.measure.measured:
                # The effect if all unresolved probability counted for the outcome in one variant
                # and against it in the other.
                sides = {(arm, side): question.measure(arms[arm], side) for arm in question.arms for side in (-1, 1)}
                self.widest = [mean(sides[question.treated, side][case] - sides[question.control, -side][case]
                                    for case in cases) for side in (-1, 1)]
        # The mean unresolved probability at the first decision.
        self.unresolved = max(mean(UNRESOLVED(arms[arm]).values()) for arm in question.arms) \
            if question.measure.measured else 0.0
        self.question, self.n, self.adjusted = question, len(cases), None

    @property
    def depends(self):
        """Whether the unresolved probability could change the sign of the effect."""
        return bool(self.widest) and self.widest[0] <= 0 <= self.widest[1]

    @property
    def verdict(self):
        if self.question.spread:
            return "matters" if self.adjusted <= 0.05 else "no clear effect"
        good = (self.effect < 0) == (self.question.better == "lower")
        if self.adjusted <= 0.05:
            return "helps" if good else "hurts"
        if self.low > 0 or self.high < 0:
            return "may help" if good else "may hurt"
        return "no clear effect"
