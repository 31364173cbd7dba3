"""The effects of comparisons, with their intervals and p-values, computed only from rows."""
import collections
import json
import math

import numpy
from scipy import stats

import measures
import rows
import tests

MARGIN, ALPHA = 0.01, 0.05
# The shares of the significance level: for tests against the baseline, and against the history.
LEVELS = {"baseline": 0.8, "history": 0.2}


class Effect:
    """One quantity of a comparison, before and after."""

    def __init__(self, title, is_gating):
        self.title, self.is_gating = title, is_gating
        # Either hits and counts, or means over test cases; and the intervals of both sides.
        self.counts = self.means = self.ends = None
        self.change = self.low = self.high = self.worse = self.better = 0.0
        self.sampled = False
        self.note, self.pool = [], None
        # The adjustment of p-values needs three facts: the reference; the smallest p-value that
        # the draws allow; and the result of each pair, because tests with equal results count as
        # one.
        self.reference, self.least, self.outcomes, self.size = "baseline", 0.0, None, 1
        # Whether the test can show a change, and the p-values of a test of exactly these test cases.
        self.can_decide, self.exact = True, None
        # Whether the p-values rest on exactly these test cases: for the worse, and for the better.
        self.is_about_cases = (False, False)
        # Whether a test case newly fails, and what p-values from random permutations are divided by.
        self.newly_fails, self.part = False, 1.0
        # Whether the adjusted p-value may come from random permutations.
        self.has_random_adjustment = False
        # The failure rates or probabilities of each test case, before and after.
        self.rates = {}
        self.cases, self.rule, self.shown, self.is_of_draws = None, None, None, False

    def side(self, number):
        """The rate or mean of a side with its interval."""
        counts = self.counts and self.counts[number]
        return counts[0] / counts[1] if counts else self.means[number], *self.ends[number]

    @property
    def has_random_ends(self):
        """Whether the interval may come from a p-value of random permutations."""
        return self.sampled and self.exact is not None and not self.counts

    @property
    def excluded(self):
        """The largest worsening that the data don't exclude."""
        end = -self.low if self.title.startswith("pass rate") else self.high
        return max(0.0, self.equivalence[1], *[end] if self.worsening < 0 else [])

    @property
    def visible(self):
        """The worsening that the whole rule would have found with a probability of 80 %."""
        level = self.level / max(1, self.size)
        half = self.half_width * (tests.normal(1 - level) + tests.normal(0.8)) / tests.normal(1 - self.alpha)
        return min(1.0, self.rule(level, half) if self.rule else half)

    @property
    def half_width(self):
        """The distance from the change to its bound."""
        estimate, bound, _ = self.equivalence
        return max(0.0, bound - estimate)

    @property
    def cases_to_exclude(self):
        """How many more test cases would exclude a worsening beyond the usual tolerance."""
        estimate, _, usual = self.equivalence
        room = usual - max(0.0, estimate)
        return math.ceil(len(self.rates) * (self.half_width / room) ** 2) - len(self.rates)

    def decide(self, base, alpha):
        """Decides whether the quantity got worse or better, or whether the data exclude a worsening.

        Also decides whether the interval is about exactly these test cases."""
        margin = MARGIN if self.counts else 0
        for side, verdict, adjusted, change in (
                (0, "regressed", self.adjusted_worse, self.worsening),
                (1, "improved", self.adjusted_better, -self.worsening)):
            if self.can_decide and adjusted <= self.level and change > margin \
                    and self.claim(side, base, alpha):
                self.verdict = verdict
                return
        suspected = self.is_gating and self.worse <= 2 * self.level and self.worsening > margin
        usual = self.equivalence[2]
        most = max(usual, min(2 * usual if self.counts else 4 * usual, self.visible))
        self.verdict = "ok" if not suspected and self.adjusted_exact > alpha \
            and not self.newly_fails and (self.same or self.equivalence[1] <= most) else "inconclusive"
        # A test over so few test cases can't decide, so the test of their draws is shown.
        if self.is_of_draws and 2.0 ** -self.cases > base:
            better = self.worsening < 0
            self.shown = self.exact[better]
            self.shown_adjusted = min(1.0, self.shown * max(1, self.size))
            self.low, self.high = tests.these_cases(self.change, self.shown, base, alpha) or (
                min(0.0, self.low), max(0.0, self.high))

    def claim(self, side, base, alpha):
        """Whether an interval excludes zero: that for new inputs, or that for these test cases."""
        excludes = self.low > 0 if self.change > 0 else self.high < 0
        if excludes and self.cases > 1 and not self.is_about_cases[side]:
            return True
        if self.exact is None:
            return excludes
        interval = tests.these_cases(self.change, self.exact[side], base, alpha)
        if interval:
            self.low, self.high = interval
        return bool(interval) or excludes

    def p(self, adjusted):
        """The p-value in the direction of the change."""
        if self.shown is not None:
            return self.shown_adjusted if adjusted else self.shown
        worse, better = (self.adjusted_worse, self.adjusted_better) if adjusted else (
            self.worse, self.better)
        return better if self.worsening < 0 else worse


def level_of(several):
    """The share of the level for tests against a baseline.

    On a night of several suites, second looks get a part of the level."""
    return 0.7 if several else LEVELS["baseline"]


def adjust(comparisons, alpha=ALPHA, several=False):
    """Adjusts the p-values of comparisons that were made together.

    The gating tests of all comparisons with the same reference form one family. Tests that can't
    become significant are left out (Tarone 1990), and tests with the same results count as one. The
    tests of a comparison that don't gate form a separate family. `several` says whether the
    comparisons are of a night of several suites, some of which may have nothing to compare.
    """
    several = several or len(comparisons) > 1
    for reference, share in LEVELS.items():
        if reference == "baseline":
            share = level_of(several)
        tests, firsts = [], {}
        for number, found in enumerate(comparisons):
            for effect in found.values():
                if not effect.is_gating or effect.reference != reference:
                    continue
                same = (number, effect.outcomes) if effect.outcomes else id(effect)
                firsts[id(effect)] = firsts.setdefault(same, effect)
                if firsts[id(effect)] is effect:
                    tests.append(effect)
        able = lambda divisor: [e for e in tests if e.least <= alpha * share / divisor]
        divisor = 1
        while len(able(divisor)) > divisor:
            divisor += 1
        kept = able(divisor)
        adjusted = zip(*(measures.holm(values) for values in (
            [e.worse for e in kept], [e.better for e in kept],
            [e.exact[0] if e.exact else e.worse for e in kept])))
        values = {id(e): pair for e, pair in zip(kept, adjusted)}
        for found in comparisons:
            for effect in found.values():
                if id(effect) in firsts:
                    effect.adjusted_worse, effect.adjusted_better, effect.adjusted_exact = values.get(
                        id(firsts[id(effect)]), (1.0, 1.0, 1.0))
                    effect.size, effect.level = len(kept), alpha * share
                    # Holm's method may pass on the p-value of another test.
                    side = "better" if effect.worsening < 0 else "worse"
                    effect.has_random_adjustment = any(
                        e.sampled and getattr(e, side) <= getattr(effect, side) for e in kept)
    for found in comparisons:
        family = [effect for effect in found.values() if not effect.is_gating]
        for side in ("worse", "better"):
            for effect, value in zip(family, measures.benjamini_hochberg(
                    [getattr(e, side) for e in family])):
                setattr(effect, "adjusted_" + side, value)
                effect.size, effect.level, effect.adjusted_exact = len(family), alpha, 1.0
    base = alpha * level_of(several)
    for found in comparisons:
        for effect in found.values():
            effect.decide(base, alpha)


def compare(before, after, runs, alpha=0.05, several=False):
    """The effects of a comparison of two slices, by title; one of them is about the pooled history.

    Their intervals have the confidence 1 − alpha. `several` says whether it is one of several
    comparisons of a night. The function `adjust` must then adjust their p-values."""
    global ALPHA
    ALPHA = alpha
    try:
        return compared(before, after, runs, several)
    finally:
        ALPHA = 0.05


def compared(before, after, runs, several):
    sides = [[a for a in slice.attempts if a["key"]["repeatIndex"] < end]
             for slice, end in compared_repeats(before, after)]
    partners = {(a["key"]["caseID"], a["key"]["repeatIndex"]): a for a in sides[1]}
    pairs = [
        (a, partners[place]) for a in sides[0]
        if (place := (a["key"]["caseID"], a["key"]["repeatIndex"])) in partners]
    attempt_count, pairs = len(pairs), draws(pairs, before, after)
    same_seeds = all(a["seed"] == b["seed"] for a, b in pairs) and all(
        repeats_seeds(slice) for slice in (before, after))
    found = shifts(before, after, sides, ALPHA * level_of(several))
    # A probability that can decide takes the place of the count in the test cases that it covers.
    measured = {effect.title: effect.covered for effect in found if effect.can_decide}
    found += counted(before, after, pairs, same_seeds, measured)
    found += pooled(before, after, runs)
    for effect in found:
        effect.draws, effect.attempts, effect.alpha = len(pairs), attempt_count, ALPHA
    return {effect.title: effect for effect in found}


def compared_repeats(before, after):
    """The two slices, each with the first repeat that isn't compared: fresh repeats of different nights."""
    fresh = [s.suite.get("details", {}).get("fresh") for s in (before, after)]
    return [(s, 10**9 if fresh[0] == fresh[1] else (own or {}).get("firstRepeat", 10**9))
            for s, own in zip((before, after), fresh)]


def backend(slice):
    """The record of a slice's backend."""
    return next(b for b in slice.run.record["backends"] if b["id"] == slice.key[2])


def repeats_seeds(slice):
    """Whether a slice's backend gives equal answers for equal seeds."""
    served = (slice.run.record.get("details", {}).get("served") or {}).get(slice.key[2]) or {}
    return backend(slice).get("isDeterministic", False) or (
        served.get("capabilities") or {}).get("repeatsSeeds") == "yes"


def draws(pairs, before, after):
    """Leaves out pairs that are copies of an earlier pair.

    Copies come from greedy decoding on a deterministic engine, and from a stub's fixed answers."""
    if not all(backend(s).get("isDeterministic", False) for s in (before, after)):
        return pairs
    by_case = collections.defaultdict(list)
    for pair in pairs:
        by_case[pair[0]["key"]["caseID"]].append(pair)
    answer = lambda attempt: (attempt["outcome"], attempt["output"])
    copies = {case: len({(answer(a), answer(b)) for a, b in found}) == 1
              for case, found in by_case.items()}
    result = []
    for case, found in by_case.items():
        fixed = all(s.samples_nothing(case) for s in (before, after))
        result += found[:1] if fixed and copies[case] else found
    return result


def separate(slice, attempts):
    """The separate draws among the attempts at one test case."""
    answers = {(a["outcome"], a["output"]) for a in attempts}
    fixed = slice.samples_nothing(attempts[0]["key"]["caseID"])
    if fixed and len(answers) == 1 and not any(rows.is_backend_error(a) for a in attempts):
        return answers
    return {a["seed"] for a in attempts} if repeats_seeds(slice) else set(range(len(attempts)))


def minimums(before, after):
    found = collections.defaultdict(int)
    for slice in (before, after):
        for path, minimum in slice.suite["arrayMinimums"].items():
            found[rows.general(path)] = max(found[rows.general(path)], minimum)
    return found


def shifts(before, after, sides, level):
    quantities = []
    paths = {
        rows.general(d["path"]) for side in sides for a in side for d in a["decisions"]
        if d["kind"] == "array"}
    for path in sorted(paths):
        both = [measures.hazards(s, path, distinct(s, side))
                for s, side in zip((before, after), sides)]

        def missing(minimum, path=path):
            return measures.unresolved(sides[0] + sides[1], None, lambda d: (
                d["kind"] == "array" and rows.general(d["path"]) == path
                and d["index"] < minimum))
        every = len(before.suite["cases"])
        quantities.append((f"P(empty) at {path}", [
            measures.fewer_than(1, side) for side in both], missing(1), every, path))
        minimum = minimums(before, after).get(path, 0)
        if minimum > 1:
            quantities.append((f"P(fewer than {minimum}) at {path}", [
                measures.fewer_than(minimum, side) for side in both], missing(minimum), every, None))
    for path in sorted({e["path"] for c in before.suite["cases"] for e in c["expectedBranches"]}):
        wrong = [measures.wrong_branch(s, path, distinct(s, side))
                 for s, side in zip((before, after), sides)]
        expected = rows.expectations(before.suite, path)
        left_out = measures.unresolved(sides[0] + sides[1], expected, lambda d: (
            d["kind"] in ("branch", "choice") and rows.general(d["path"]) == path))
        quantities.append((f"P(wrong branch) at {path}", wrong, left_out, len(expected), path))
        for branch in asked_alone(expected):
            quantities.append((f"P(not {branch}) at {path}", [
                {c: p for c, p in by_case.items() if expected.get(c) == branch}
                for by_case in wrong], {
                    c: n for c, n in left_out.items() if expected.get(c) == branch},
                list(expected.values()).count(branch), path))
    effects = []
    for title, (first, second), left_out, asked, path in quantities:
        cases = [c["id"] for c in before.suite["cases"] if c["id"] in first and c["id"] in second]
        lost = len(set(left_out) - set(cases))
        if not cases or lost > len(cases):
            continue
        effect = Effect(title, True)
        values = [[side[c][0] for c in cases] for side in (first, second)]
        moved = [b - a for a, b in zip(*values)]
        flips = measures.SignFlip(moved)
        # Whether an array has more than one element depends on the first one.
        fixed = path is not None and all(is_fixed(s, path) for s in (before, after))
        test = tests.Measured(
            *values, [(first[c][1], second[c][1]) for c in cases], fixed, flips, MARGIN,
            level)
        effect.means = [sum(side) / len(cases) for side in values]
        effect.ends = [measures.bounded_mean(side, 0, 1, ALPHA, ALPHA / 2) for side in values]
        effect.cases, effect.covered = len(cases), set(cases) - set(left_out)
        effect.change = effect.worsening = sum(moved) / len(moved)
        reach = min(1.0, 2 * max(MARGIN, *(abs(m) for m in moved)))
        effect.low, effect.high = measures.bounded_mean(moved, -1, 1, ALPHA, ALPHA / 2, reach)
        (effect.worse, effect.better), effect.least = test.p, test.least
        effect.sampled, effect.can_decide = not flips.is_exact or test.is_permuted, test.can_decide
        effect.part = tests.FEW if test.is_few[effect.worsening < 0] else tests.MEAN
        effect.rates = {c: (first[c][0], second[c][0]) for c in cases}
        if test.can_decide and any(test.is_few):
            effect.exact, effect.is_about_cases = test.p, test.is_few
        if test.over_cases[0] <= ALPHA:
            effect.low = max(effect.low, MARGIN)
        if test.over_cases[1] <= ALPHA:
            effect.high = min(effect.high, -MARGIN)
        bound = measures.bounded_mean(moved, -1, 1, ALPHA, ALPHA, reach)[1] \
            if test.mean_least <= ALPHA else 1.0
        effect.equivalence = (effect.change, bound, 0.05)
        effect.same = all(abs(m) <= 1e-9 for m in moved)
        count, few = len(cases), tests.FAR / min(2, len(cases))
        error = measures.error_of_draws([(first[c][1], second[c][1]) for c in cases])

        def visible(found, half, own=level, count=count, few=few, error=error, fixed=fixed):
            if fixed:
                return min(few, MARGIN + half if 2.0 ** -count <= found else 1.0)
            power = lambda error: tests.normal(1 - error) + tests.normal(0.8)
            return max(MARGIN + half * power(own) / power(found), error * power(found * tests.DRAWS)) \
                if 2.0 ** -count <= own else 1.0
        effect.rule = visible
        most = (min if sum(moved) < 0 else max)(zip(moved, cases), key=lambda pair: pair[0])[1]
        effect.fewest = min(min(len(first[c][1]), len(second[c][1])) for c in cases)
        effect.note = [
            sum(m > 1e-9 for m in moved), sum(m < -1e-9 for m in moved), len(cases),
            first[most][0], second[most][0], sum(left_out.values()), lost, asked]
        effects.append(effect)
    return effects


def is_fixed(slice, path):
    """Whether the schema fixes the text before the decisions at a place, white space aside."""
    places = (slice.suite.get("details", {}).get("fixedDecisions") or {}).get(slice.key[1], [])
    return path in {rows.general(place) for place in places}


def distinct(slice, attempts):
    """The attempts without those that are the same draw as an earlier one."""
    result, by_case = [], collections.defaultdict(list)
    for attempt in attempts:
        by_case[attempt["key"]["caseID"]].append(attempt)
    for found in by_case.values():
        result += found[:1] if len(separate(slice, found)) == 1 else found
    return result


def newly_failing(before, after, sides):
    """The test cases whose attempts all passed before and all fail now, and not by chance."""
    found = []
    for slice, side, passed in zip((before, after), sides, (True, False)):
        by_case = collections.defaultdict(list)
        for attempt in side:
            if not rows.is_backend_error(attempt):
                by_case[attempt["key"]["caseID"]].append(attempt)
        found.append({
            case for case, own in by_case.items()
            if all((a["outcome"] == "pass") == passed for a in own) and (
                (count := len(separate(slice, own))) >= 5
                or count == 1 and slice.samples_nothing(case))})
    return found[0] & found[1]


def asked_alone(expected):
    """The branches that at least eight test cases expect; none if all expect the same."""
    counts = collections.Counter(expected.values())
    return sorted(b for b, n in counts.items() if n >= 8) if len(counts) > 1 else []


def missable(before, after):
    """The arrays that both schemas name outside unions, each with the array around it."""
    def walk(root, node, path, parent, depth=0):
        if depth >= 16:
            return
        if node.get("$ref", "").startswith("#/$defs/"):
            target = root.get("$defs", {}).get(node["$ref"][len("#/$defs/"):])
            if target:
                yield from walk(root, target, path, parent, depth + 1)
                return
        resolved = [root.get("$defs", {}).get(n.get("$ref", "")[len("#/$defs/"):], n)
                    for n in node.get("anyOf", [])]
        if sum(n.get("type") != "null" for n in resolved) == 1:
            for choice in resolved:
                yield from walk(root, choice, path, parent, depth + 1)
        if isinstance(node.get("items"), dict):
            yield path, parent
            yield from walk(root, node["items"], path + "[*]", path, depth + 1)
        for name, member in node.get("properties", {}).items():
            yield from walk(root, member, path + rows.step(name), parent, depth + 1)
    sides = []
    for slice in (before, after):
        judged = (slice.suite.get("details", {}).get("judgedSchemas") or {}).get(slice.key[1])
        root = json.loads(judged or slice.variant["schema"])
        sides.append(dict(walk(root, root, "$", None)))
    return [(path, parent) for path, parent in sides[0].items() if path in sides[1]]


def counted(before, after, pairs, same_seeds, measured):
    """The effects of counted rates: passes, empty arrays, wrong branches and failed assertions.

    A rate doesn't gate in test cases in which its probability was measured (by title)."""
    effects = []
    failing = newly_failing(before, after, [[pair[side] for pair in pairs] for side in range(2)])
    equal = all((a["outcome"], a["output"]) == (b["outcome"], b["output"]) for a, b in pairs)

    def add(title, is_gating, judge, shows_good=False, asked=len(pairs), probability=None):
        cells = collections.Counter()
        by_case = collections.defaultdict(list)
        outcomes = []
        for index, (first, second) in enumerate(pairs):
            if rows.is_backend_error(first) or rows.is_backend_error(second):
                continue
            bad = judge(index, first, 0), judge(index, second, 1)
            if None not in bad:
                cells[bad] += 1
                by_case[first["key"]["caseID"]].append(bad)
                outcomes.append((first["key"]["caseID"], *bad))
        count = sum(cells.values())
        if count == 0:
            return
        is_gating = is_gating and not set(by_case) <= measured.get(probability, set())
        effect = Effect(title, is_gating)
        won, lost = cells[True, False], cells[False, True]
        hits = [cells[True, True] + won, cells[True, True] + lost]
        moved = [
            sum(b - a for a, b in found) / len(found) for _, found in sorted(by_case.items())]
        alike = measures.newcombe_paired if same_seeds else lambda cells, confidence=0.95: \
            measures.newcombe((hits[0], count), (hits[1], count), confidence)
        change, low, high = alike(cells, confidence=1 - ALPHA)
        bound = alike(cells, confidence=1 - 2 * ALPHA)[2]
        if same_seeds:
            flips = won + lost
            effect.worse = float(stats.binom.sf(lost - 1, flips, 0.5)) if flips else 1.0
            effect.better = float(stats.binom.sf(won - 1, flips, 0.5)) if flips else 1.0
            effect.least = 2.0 ** -flips
        else:
            effect.worse, effect.better, effect.least = within_cases(by_case)
        if len(moved) > 1:
            around = lambda error: stats.sem(moved) * stats.t.ppf(1 - error, len(moved) - 1)
            mean = sum(moved) / len(moved)
            low = min(low, max(-1, mean - around(ALPHA / 2)))
            high, bound = max(high, min(1, mean + around(ALPHA / 2))), max(
                bound, min(1, mean + around(ALPHA)))
        effect.equivalence = (change, bound, 0.2)
        effect.same = equal
        effect.exact, effect.is_of_draws = (effect.worse, effect.better), True
        # Repeats of a test case are alike, so the change must also exceed what moves test cases at
        # random: over test cases, in a few of them, or over exactly these test cases.
        if is_gating:
            flips, least = measures.SignFlip(moved), tests.least_rise(len(moved))
            effect.sampled = not flips.is_exact and min(effect.exact) < 0.5
            overs, drawn, p = [1.0, 1.0], [1.0, 1.0], list(effect.exact)
            for side, exact in enumerate(effect.exact):
                # A sum of probabilities may be 0.5 only up to rounding.
                if exact < 0.5 + (0 if same_seeds else 1e-9):
                    overs[side] = flips.below(-MARGIN) if side else flips.above(MARGIN)
                    drawn[side] = tests.error_beyond(least, lambda confidence, side=side: (
                        -alike(cells, confidence=confidence)[2] if side
                        else alike(cells, confidence=confidence)[1]))
                if not tests.concentrated(moved)[side]:
                    p[side] = max(exact, min(overs[side], drawn[side]))
            effect.worse, effect.better = p
            # Random permutations leave small p-values uncertain; a difference within three standard
            # errors doesn't count.
            error = [0 if flips.is_exact else 3 * math.sqrt(max(o, 1e-4) / 9_999) for o in overs]
            effect.is_about_cases = tuple(
                max(effect.exact[side], overs[side]) - error[side] > p[side] * (1 + 1e-9)
                for side in range(2))
        effect.outcomes = tuple(outcomes) if is_gating else None
        effect.rates = {case: [sum(side) / len(found) for side in zip(*found)]
                        for case, found in by_case.items()}
        effect.cases, effect.covered = len(moved), set(by_case)
        silent = all(s.samples_nothing(case) for s in (before, after) for case in by_case) and all(
            len(found) == 1 for found in by_case.values())
        visible = tests.Visible(
            [(sum(a for a, _ in found), len(found), len(found)) for found in by_case.values()],
            won if same_seeds else None, silent, MARGIN)
        effect.rule = lambda level, half: visible.smallest(level)
        effect.newly_fails = is_gating and any(
            case in failing and all(not a and b for a, b in found) for case, found in by_case.items())
        effect.worsening = change
        if shows_good:
            hits, (change, low, high) = [count - h for h in hits], (-change, -high, -low)
        effect.counts, effect.change, effect.low, effect.high = (
            [(h, count) for h in hits], change, low, high)
        effect.ends = [measures.clustered([
            (sum(bad[side] != shows_good for bad in found), len(found))
            for found in by_case.values()], 1 - ALPHA) for side in range(2)]
        effect.note = [count, lost, won, asked - count, asked]
        effect.new_inputs = None
        if shows_good and len(moved) > 1 and any(moved):
            test = measures.SignFlip(moved)
            mean = sum(moved) / len(moved)
            one = test.above(0) if mean > 0 else test.below(0)
            effect.new_inputs = 1.0 if mean == 0 else min(1.0, 2 * one)
            effect.new_sampled = not test.is_exact
        effects.append(effect)

    add("pass rate", True, lambda _, a, __: a["outcome"] != "pass", shows_good=True)
    values = [
        [rows.decoded(a["output"]) if a["outcome"] != "error" and is_json(a["output"]) else None
         for a in pair] for pair in pairs]
    seen = [list(rows.arrays(v)) for pair in values for v in pair if v is not None]
    empty = {path for found in seen for path, n in found if n == 0}
    present = {path for found in seen for path, _ in found}
    asked = {p for p, n in minimums(before, after).items() if n > 0} & present
    for path in sorted(empty | asked):
        def is_empty(index, _, side, path=path):
            value = values[index][side]
            found = [n for p, n in rows.arrays(value) if p == path] if value is not None else []
            return 0 in found if found else None
        add(f"empty {path}", path in empty, is_empty, probability=f"P(empty) at {path}")
    for path, parent in missable(before, after):
        def is_missing(index, attempt, side, path=path, parent=parent):
            value = values[index][side]
            if value is None or attempt.get("failure"):
                return None
            found = list(rows.arrays(value))
            places = sum(n for p, n in found if p == parent) if parent else 1
            return sum(p == path for p, _ in found) < places if places else None
        judged = [bad for index, pair in enumerate(pairs) if not any(map(rows.is_backend_error, pair))
                  and None not in (bad := [is_missing(index, a, side) for side, a in enumerate(pair)])]
        if any(map(any, judged)) and not all(map(all, judged)):
            add(f"missing {path}", True, is_missing)
    for path in sorted({e["path"] for c in before.suite["cases"] for e in c["expectedBranches"]}):
        expected = rows.expectations(before.suite, path)

        def is_wrong(index, attempt, side, path=path, expected=expected):
            wanted, value = expected.get(attempt["key"]["caseID"]), values[index][side]
            return None if wanted is None or value is None else rows.branch(value, path) != wanted
        add(f"wrong branch at {path}", True, is_wrong, probability=f"P(wrong branch) at {path}")
        for branch in asked_alone(expected):
            def is_missed(index, attempt, side, branch=branch, expected=expected, is_wrong=is_wrong):
                wanted = expected.get(attempt["key"]["caseID"])
                return is_wrong(index, attempt, side) if wanted == branch else None
            add(f"missed {branch} at {path}", True, is_missed,
                asked=sum(expected.get(a["key"]["caseID"]) == branch for a, _ in pairs),
                probability=f"P(not {branch}) at {path}")
    assertions = dict.fromkeys(
        (v["assertion"], v["path"]) for pair in pairs for a in pair for v in a["verdicts"])
    for name, path in assertions:
        def failed(_, attempt, __, key=(name, path)):
            found = [v["verdict"] for v in attempt["verdicts"]
                     if (v["assertion"], v["path"]) == key]
            return found[-1] == "fail" if found else None
        if any(failed(0, a, 0) for pair in pairs for a in pair):
            add(f"failures of {name}", False, failed)
    return effects


def pooled(before, after, runs):
    """At most one effect: the pass rate, compared with all earlier runs of the same requests."""
    prints = {}
    for attempt in before.attempts:
        if "fingerprint" in attempt.get("details", {}):
            prints.setdefault(attempt["key"]["caseID"], attempt["details"]["fingerprint"])
    cases = {c["id"]: judged(before.suite, c) for c in before.suite["cases"]}
    entries, repeated, seen, nights = {}, 0, set(), set()
    left_out = {"guides, models or options": [], "assertions or inputs": [], "part": []}
    # The baseline may come from another database, in which its number belongs to another run. A history begins
    # with its baseline, unless the comparison is between two variants of a run.
    base, is_first = before.run, not before.run.is_same(after.run)
    start = (base.record["startedAt"], base.number)
    others = [run for run in runs.values() if run.number < after.run.number
              and run.record["status"] == "complete" and not run.is_same(base)
              and not (is_first and (run.record["startedAt"], run.number) < start)]
    others.sort(key=lambda run: run.number)
    earlier = [base, *others] if is_first else [*others, base]
    for night, other in enumerate(earlier):
        number = other.number
        if other is not base and before.key[0] in other.suites and is_part(
                other.record["details"], before.key[0]):
            left_out["part"].append(number)
            continue
        alike, unlike = 0, 0
        # In the baseline's run, only the attempts of the compared slice count.
        for attempt in before.attempts if other is base else other.attempts:
            if attempt["key"]["suite"] != before.key[0]:
                continue
            case, mark = attempt["key"]["caseID"], attempt.get("details", {}).get("fingerprint")
            if attempt["outcome"] == "skipped" or rows.is_backend_error(attempt) or mark is None or prints.get(case) != mark:
                continue
            then = next((c for c in other.suites[before.key[0]]["cases"] if c["id"] == case), None)
            if then is None or judged(other.suites[before.key[0]], then) != cases.get(case):
                unlike += 1
                continue
            alike += 1
            if (draw := drawn(other, attempt)) in seen:
                repeated += 1
                continue
            seen.add(draw)
            nights.add(night)
            entries.setdefault(night, collections.defaultdict(list))[case].append(
                attempt["outcome"] != "pass")
        if before.key[0] in other.suites and other is not base:
            if not alike + unlike:
                left_out["guides, models or options"].append(number)
            elif unlike:
                left_out["assertions or inputs"].append(number)
    if len(nights) < 2:
        return []
    tonight, known, own = collections.defaultdict(list), 0, set()
    for attempt in after.attempts:
        if rows.is_backend_error(attempt):
            continue
        draw = drawn(after.run, attempt)
        if draw in seen:
            known += 1
        elif draw not in own:
            own.add(draw)
            tonight[attempt["key"]["caseID"]].append(attempt["outcome"] != "pass")
    asked = {mark for mark, _ in seen}
    is_same = known or any(a.get("details", {}).get("fingerprint") in asked for a in after.attempts)
    order = sorted(nights)
    scan = measures.Drift([entries[n] for n in order] + [tonight], bool(is_same))
    if not scan.tables:
        return []
    effect = Effect("pass rate against pooled history", True)
    old, now, effect.change, effect.low, effect.high = measures.stratified(scan.tables)
    # The earlier rate has no counts if the weights of the test cases make a difference.
    effect.counts, effect.means = [old[1], now[1]], [old[0], now[0]]
    effect.ends = [old[2], now[2]]
    effect.reference = "history"
    effect.worse, effect.least = scan.p, scan.least
    effect.better = measures.dealt(scan.tables)[1]
    effect.exact = effect.worse, effect.better
    effect.equivalence, effect.same = (-effect.change, -effect.low, 0.2), False
    effect.worsening, effect.cases = -effect.change, len(scan.tables)
    past = [order[n] for n in scan.left_out]
    left_out["past"] = [earlier[n].number for n in past]
    pooled_runs = [n for n in order if n not in past]
    effect.pool = (sum(len(b) for n in pooled_runs for b in entries[n].values()), len(pooled_runs),
                   repeated, known, scan.lasting, left_out)
    effect.nights = len(order) + 1
    effect.rates = dict.fromkeys(range(len(scan.tables)))
    return [effect]


def drawn(run, attempt):
    """The draw of an attempt in the pooled history: its answer if nothing is sampled, or else its seed."""
    slice = run.slice(rows.Run.key(attempt))
    fixed = slice is not None and slice.samples_nothing(attempt["key"]["caseID"])
    return attempt.get("details", {}).get("fingerprint"), (
        attempt["outcome"], attempt["output"]) if fixed else attempt["seed"]


def is_part(details, suite):
    """Whether a run made only a part of a suite's attempts."""
    return bool(details.get("shard") or details.get("selection") or any(
        stop["suite"] == suite for stop in details.get("earlyStops") or []))


def judged(suite, case):
    """Everything that determines how Assay judges attempts at a test case."""
    own = (suite.get("details", {}).get("cases") or {}).get(case["id"], {})
    return case["assertions"], case["expectedBranches"], case["variables"], own.get("threshold")


def is_json(text):
    try:
        rows.decoded(text)
        return True
    except ValueError:
        return False


def within_cases(by_case):
    """The p-values for "worse" and "better", and the least possible one, by the exact test."""
    return measures.dealt([
        ([a for a, _ in found], [b for _, b in found]) for found in by_case.values()])
