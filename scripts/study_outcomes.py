"""Reads the cells of scripts/study, and computes its outcomes, statistics and answers."""
import json
import math
import re
import sqlite3
from pathlib import Path
from random import Random
from statistics import NormalDist

from study_design import BRANCHES, CELLS, SEED, WORDINGS


# Reading the cells.

class Attempt:
    def __init__(self, case, repeat, body, complete, pressure):
        self.case, self.repeat, self.body, self.complete, self.pressure = case, repeat, body, complete, pressure
        # (path, index, chosen, unresolved, {option: P after the mask}, {option: P at the draw's temperature})
        self.decisions = []
        try:
            self.value = json.loads(body)
        except ValueError:
            self.value = None


def load(work, model):
    """The attempts of a model by (cell, suite, variant), and the facts of its cells."""
    arms, facts = {}, {}
    for cell in CELLS:
        folder = Path(work) / model / cell
        if not (folder / "done.json").exists():
            continue
        facts[cell] = json.loads((folder / "done.json").read_text())
        database = sqlite3.connect(f"file:{folder / 'results.sqlite'}?mode=ro", uri=True)
        by_id = {}
        for id, s, variant, case, repeat, body, stopped, failure, pressure in database.execute(
                """SELECT a.id, suite_id, variant_id, case_id, repeat_index, t.body, stop_reason, failure_kind,
                   constraint_pressure FROM attempt a JOIN text t ON t.id = a.output_text ORDER BY a.id"""):
            attempt = by_id[id] = Attempt(case, repeat, body, stopped == "complete" and failure is None, pressure)
            arms.setdefault((cell, s, variant), []).append(attempt)
        options = {}
        for id, position, name, masked, sampled in database.execute(
                "SELECT attempt_id, decision_position, name, masked, sampled FROM decision_option"):
            both = options.setdefault((id, position), ({}, {}))
            both[0][name], both[1][name] = masked or 0.0, sampled or 0.0
        for id, position, path, index, chosen, left in database.execute(
                "SELECT attempt_id, position, path, element_index, chosen, unresolved FROM decision ORDER BY 1, 2"):
            by_id[id].decisions.append((path, index, chosen, left or 0.0, *options[id, position]))
        facts[cell]["attempts"] = len(by_id)
        facts[cell]["tokens"] = database.execute("SELECT sum(output_tokens) FROM attempt").fetchone()[0]
        database.close()
    return arms, facts


def decision(attempt, index=0, suffix=""):
    """The first decision at this index whose path ends with `suffix`; None if there is none."""
    for found in attempt.decisions:
        if found[1] == index and found[0].endswith(suffix):
            return found
    return None


# The outcomes. An arm is one variant of a suite in a cell. Each outcome is a function that takes
# the attempts of an arm and returns {case: number}. P(empty) and P(wrong branch) are measured after
# the mask at temperature 1, P(fewer than 3) at the temperature of the draws. Counted outcomes are
# shares of the draws.

def by_case(attempts, value):
    lists = {}
    for attempt in attempts:
        number = value(attempt)
        if number is not None:
            lists.setdefault(attempt.case, []).append(number)
    return {case: sum(values) / len(values) for case, values in lists.items()}


def mass(found, option, side=0, column=4):
    """The probability of an option.

    If `side` is 1, all unresolved probability counts for the option. If `side` is -1, it counts
    for the other options. If `side` is 0, it is left out."""
    known = found[column].get(option, 0.0)
    return known if side == 0 else known * (1 - found[3]) + (found[3] if side > 0 else 0.0)


def p_empty(attempts, side=0):
    return by_case(attempts, lambda a: mass(d, "end", side) if (d := decision(a)) else None)


def p_below_three(attempts, side=0):
    """The sum of P(end after i) over the lengths i < 3 that the draw reached.

    The mean of this sum over many draws is P(fewer than 3), because draws reach each length with the
    right frequency. The sum uses no values of other test cases."""
    return by_case(attempts, lambda a: sum(mass(d, "end", side, 5) for i in range(3) if (d := decision(a, i))))


def points(attempt):
    value = attempt.value
    if isinstance(value, dict):
        value = value.get("points")
    return value if isinstance(value, list) else None


def counted_below_three(attempts):
    # A list that was cut off with three elements or more is not short.
    def below(a):
        chosen = [d[2] for d in a.decisions if d[1] < 3]
        return float(len(points(a)) < 3) if points(a) is not None else float("end" in chosen)
    return by_case(attempts, below)


def counted_empty(attempts):
    return by_case(attempts, lambda a: float(points(a) == []))


def good_list(attempts):
    def good(a):
        found = points(a)
        return float(a.complete and found is not None and 3 <= len(found) <= 6 and all(p.strip() for p in found)
                     and len({p.strip().casefold() for p in found}) == len(found))
    return by_case(attempts, good)


def repeated(attempts):
    return by_case(attempts, lambda a: float(
        points(a) is not None and len({p.strip().casefold() for p in points(a)}) < len(points(a))))


def cut_off(attempts):
    return by_case(attempts, lambda a: float(not a.complete))


def p_wrong(attempts, side=0):
    def wrong(a):
        found = decision(a)
        if not found:
            return None
        return 1 - mass(found, LABELS[a.case], -side) if LABELS[a.case] in found[4] else 1.0
    return by_case(attempts, wrong)


def counted_wrong(attempts):
    return by_case(attempts, lambda a: float(not ((d := decision(a)) and d[2] == LABELS[a.case])))


def of(kinds, measure):
    """The outcome on the inputs whose right branch is in `kinds`."""
    return lambda attempts: measure([a for a in attempts if LABELS[a.case] in kinds])


MARKUP = re.compile(r"[*`#|]|^\s*(?:[-•]|\d+[.)])\s|</?[a-z]|\]\(")


def fields(attempt):
    value = attempt.value if isinstance(attempt.value, dict) else {}
    title, summary = value.get("title", ""), value.get("summary", "")
    sentences = len([s for s in re.split(r"(?<=[.!?])\s+", summary.strip()) if s])
    return {
        "title": 2 <= len([w for w in title.split() if any(c.isalnum() for c in w)]) <= 6,
        "year": "year" in value and value["year"].strip() == YEARS[attempt.case],
        "summary": sentences == 1 and not MARKUP.search(summary),
        "plain": "summary" in value and not MARKUP.search(summary),
    }


def fields_right(attempts):
    return by_case(attempts, lambda a: sum(fields(a)[f] for f in ("title", "year", "summary")) / 3)


def field(name):
    return lambda attempts: by_case(attempts, lambda a: float(fields(a)[name]))


def unresolved(attempts):
    """The mean unresolved probability at the first decision."""
    found = [d[3] for a in attempts if (d := decision(a))]
    return sum(found) / len(found) if found else 0.0


LABELS, YEARS = {}, {}


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
    random, hits = Random(SEED), 0
    for _ in range(draws):
        bits = random.getrandbits(len(moved))
        down = 0.0
        for size in moved:
            if bits & 1:
                down += size
            bits >>= 1
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


class Question:
    def __init__(self, id, rule, title, treated, control, outcome, measure, better="lower", counts=False, beside=()):
        self.id, self.rule, self.title, self.treated, self.control = id, rule, title, treated, control
        self.outcome, self.measure, self.better, self.counts, self.beside = outcome, measure, better, counts, beside


EMPTY, SHORT, WRONG = "P(empty)", "P(fewer than 3)", "P(wrong branch)"
SHORT_COUNT = ("short lists, counted", counted_below_three)
WRONG_COUNT = ("wrong branches, counted", counted_wrong)
QUESTIONS = [
    Question("bound-words", 2, "a bound in words, compared with no bound", TOLD, ("arrays", "points", "naive"), SHORT,
             p_below_three, beside=[SHORT_COUNT, (EMPTY, p_empty), ("good lists, counted", good_list)]),
    Question("bound-schema", 2, "the bound in the schema, compared with the bound in words",
             ("arrays", "points", "schema"), TOLD,
             "good lists", good_list, "higher", True,
             [("lists with a repeat", repeated), ("cut off", cut_off)]),
    Question("bound-both", 2, "the bound in both words and schema, compared with the schema alone",
             ("arrays", "points", "both"),
             ("arrays", "points", "schema"), "good lists", good_list, "higher", True,
             [("lists with a repeat", repeated), ("cut off", cut_off)]),
    Question("fallback", 2, "advice for short passages plus the bound in words, compared with the bound in words alone",
             ("arrays", "points", "fallback"), TOLD, SHORT, p_below_three, beside=[SHORT_COUNT, (EMPTY, p_empty)]),
    Question("wrap", 4, "a wrapper around the list, compared with a bare list", ("arrays", "points", "naive"),
             ("wrapper", "list", "base"), EMPTY, p_empty, beside=[("empty lists, counted", counted_empty)]),
    Question("wrap-bound", 4,
             "a wrapper with a bound in words, compared with a bare list with the same bound in the instructions", TOLD,
             ("wrapper", "list-told", "base"), SHORT, p_below_three, beside=[SHORT_COUNT, (EMPTY, p_empty)]),
    Question("out-branch", 3, "a fallback case, compared with no fallback case",
             BASE, ("branch", "no-out", "base"), WRONG, p_wrong,
             beside=[WRONG_COUNT, ("P(wrong), notes about quitting", of(BRANCHES[:3], p_wrong)),
                     ("P(wrong), other texts", of(["unclear"], p_wrong))]),
    Question("cases", 1, "enum cases with guides, compared with enum cases without guides",
             BASE, ("branch", "bare", "base"), WRONG, p_wrong,
             beside=[WRONG_COUNT]),
    Question("fields", 1, "fields with guides, compared with fields without guides", ("fields", "described", "base"),
             ("fields", "bare", "base"), "fields right", fields_right, "higher", True,
             [("titles of 2 to 6 words", field("title")), ("years right", field("year")),
              ("summaries of one plain sentence", field("summary"))]),
    Question("year", 2, "“an empty string if it names none”, compared with a guide without these words",
             ("fields", "described", "base"),
             ("fields", "no-fallback", "base"), "years right", field("year"), "higher", True),
    Question("format", 2, "“plain text, no bullets, no markup”, compared with a guide without these words",
             ("fields", "described", "base"), ("fields", "no-format", "base"), "summaries without markup",
             field("plain"), "higher", True, [("summaries of one plain sentence", field("summary"))]),
    Question("nesting", None, "two levels of nesting, compared with one level", ("order", "nested", "base"),
             ("order", "verdict-first", "base"), WRONG, p_wrong, beside=[WRONG_COUNT, ("cut off", cut_off)]),
    Question("order", None, "the reason first, compared with the kind first", ("order", "reason-first", "base"),
             ("order", "verdict-first", "base"), WRONG, p_wrong, beside=[WRONG_COUNT]),
    Question("wordings", None, "the best of ten wordings of one bound, compared with the worst", None, None, SHORT,
             p_below_three),
    Question("white-space", None, "compact white space, compared with the model's own choice",
             ("layout", "points", "compact"), TOLD, EMPTY, p_empty,
             beside=[("empty lists, counted", counted_empty), (SHORT, p_below_three)]),
    Question("outline", None, "types in the prompt, compared with no outline",
             BASE, ("outline", "branch", "none"), WRONG,
             p_wrong, beside=[WRONG_COUNT]),
    Question("greedy", None, "greedy decoding, compared with sampling", ("branch", "greedy", "base"), BASE,
             "wrong branches, counted", counted_wrong, "lower", True),
]
WORDING_ARMS = [("wordings", "points", f"w{n}") for n in range(1, len(WORDINGS) + 1)]
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
        if question.id == "wordings":
            columns = [question.measure(arms[arm]) for arm in WORDING_ARMS]
            cases = [case for case in columns[0] if all(case in column for column in columns)]
            table = [[column[case] for column in columns] for case in cases]
            self.means = [sum(column) / len(cases) for column in zip(*table)]
            self.control, self.treated = max(self.means), min(self.means)
            self.effect, self.low, self.high = interval(best_and_worst(table))
            self.p = spread_test(table)
            self.unresolved = max(unresolved(arms[arm]) for arm in WORDING_ARMS)
        else:
            treated, control = (question.measure(arms[arm]) for arm in (question.treated, question.control))
            cases = [case for case in treated if case in control]
            differences = [treated[case] - control[case] for case in cases]
            self.treated = sum(treated[case] for case in cases) / len(cases)
            self.control = sum(control[case] for case in cases) / len(cases)
            self.effect, self.low, self.high = interval(differences, question.counts)
            self.p = sign_flip(differences)
            self.unresolved = 0.0
            if question.measure in (p_empty, p_below_three, p_wrong):
                self.unresolved = max(unresolved(arms[arm]) for arm in (question.treated, question.control))
                # The effect if all unresolved probability counted for the outcome in one variant
                # and against it in the other.
                sides = {(arm, side): question.measure(arms[arm], side)
                         for arm in (question.treated, question.control) for side in (-1, 1)}
                self.widest = [sum(sides[question.treated, side][case] - sides[question.control, -side][case]
                                   for case in cases) / len(cases) for side in (-1, 1)]
        self.question, self.n, self.adjusted = question, len(cases), None

    @property
    def depends(self):
        """Whether the unresolved probability could change the sign of the effect."""
        return bool(self.widest) and self.widest[0] <= 0 <= self.widest[1]

    @property
    def verdict(self):
        if self.question.id == "wordings":
            return "matters" if self.adjusted <= 0.05 else "no clear effect"
        good = (self.effect < 0) == (self.question.better == "lower")
        if self.adjusted <= 0.05:
            return "helps" if good else "hurts"
        if self.low > 0 or self.high < 0:
            return "may help" if good else "may hurt"
        return "no clear effect"
