"""The effects of comparisons, with their intervals and p-values, computed only from rows."""
import collections
import math

import numpy
from scipy import stats

import measures
import rows

MARGIN, ALPHA = 0.01, 0.05
# The shares of the significance level: for tests against the baseline, and against the history.
LEVELS = {"baseline": 0.8, "history": 0.2}


class Effect:
    """One quantity of a comparison, before and after."""

    def __init__(self, title, is_gating):
        self.title, self.is_gating = title, is_gating
        # Either hits and counts, or means over test cases.
        self.counts = self.means = None
        self.change = self.low = self.high = self.worse = self.better = 0.0
        self.sampled = False
        self.note, self.pool = [], None
        # The adjustment of p-values needs three facts: the reference; the smallest p-value that
        # the draws allow; and the result of each pair, because tests with equal results count as
        # one.
        self.reference, self.least, self.outcomes, self.size = "baseline", 0.0, None, 1
        # Whether a change in a few test cases decides the verdict: for the worse, and for the better.
        self.alarms = (False, False)
        # The failure rates or probabilities of each test case, before and after.
        self.rates = {}
        # The part of the bound of the worsening that allows for inputs unlike every test case.

    @property
    def excluded(self):
        """The largest worsening that the data don't exclude."""
        return max(0.0, self.equivalence[1])

    @property
    def visible(self):
        """The worsening that the test would have found with a probability of 80 %."""
        z = lambda share: float(stats.norm.ppf(share))
        return min(1.0, self.half_width * (z(1 - self.level / max(1, self.size)) + z(0.8))
                   / z(1 - ALPHA))

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

    @property
    def verdict(self):
        """Whether the quantity got worse or better, or whether the data exclude a worsening."""
        margin = MARGIN if self.counts else 0
        if self.alarms[0] or self.adjusted_worse <= self.level and self.worsening > margin:
            return "regressed"
        if self.alarms[1] or self.adjusted_better <= self.level and -self.worsening > margin:
            return "improved"
        suspected = self.is_gating and self.worse <= 2 * self.level and self.worsening > margin
        usual = self.equivalence[2]
        most = max(usual, min(2 * usual if self.counts else 4 * usual, self.visible))
        return "ok" if not suspected and (self.same or self.equivalence[1] <= most) else "inconclusive"

    def p(self, adjusted):
        """The p-value in the direction of the change; None if a change in a few test cases decides the verdict."""
        if any(self.alarms):
            return None
        worse, better = (self.adjusted_worse, self.adjusted_better) if adjusted else (
            self.worse, self.better)
        return better if self.worsening < 0 else worse


def concentrated(moved):
    """Whether the two largest rises exceed the two largest falls by more than 0.7, and vice versa."""
    order = sorted(moved)
    rise = sum(max(0, v) for v in order[-2:]) if len(order) else 0
    fall = sum(max(0, -v) for v in order[:2]) if len(order) else 0
    return rise - fall > 0.7, fall - rise > 0.7


def adjust(comparisons, alpha=ALPHA):
    """Adjusts the p-values of comparisons that were made together.

    The gating tests of all comparisons with the same reference form one family. Tests that can't
    become significant are left out (Tarone 1990), and tests with the same results count as one. The
    tests of a comparison that don't gate form a separate family.
    """
    for reference, share in LEVELS.items():
        # On a night of several suites, second looks get a part of the level.
        if reference == "baseline" and len(comparisons) > 1:
            share = 0.7
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
        adjusted = zip(*(measures.holm([getattr(e, side) for e in kept])
                         for side in ("worse", "better")))
        values = {id(e): pair for e, pair in zip(kept, adjusted)}
        for found in comparisons:
            for effect in found.values():
                if id(effect) in firsts:
                    effect.adjusted_worse, effect.adjusted_better = values.get(
                        id(firsts[id(effect)]), (1.0, 1.0))
                    effect.size, effect.level = len(kept), alpha * share
    for found in comparisons:
        family = [effect for effect in found.values() if not effect.is_gating]
        for side in ("worse", "better"):
            for effect, value in zip(family, measures.benjamini_hochberg(
                    [getattr(e, side) for e in family])):
                setattr(effect, "adjusted_" + side, value)
                effect.size, effect.level = len(family), alpha


def compare(before, after, runs):
    """The effects of a comparison of two slices, by title; one of them is about the pooled history.

    The function `adjust` must then adjust their p-values."""
    one_night = before.suite.get("details", {}).get("fresh") == after.suite.get("details", {}).get("fresh")
    sides = []
    for slice in (before, after):
        fresh = (slice.suite.get("details", {}).get("fresh") or {}).get("firstRepeat", 10**9)
        sides.append([
            a for a in slice.attempts if one_night or a["key"]["repeatIndex"] < fresh])
    partners = {(a["key"]["caseID"], a["key"]["repeatIndex"]): a for a in sides[1]}
    pairs = [
        (a, partners[place]) for a in sides[0]
        if (place := (a["key"]["caseID"], a["key"]["repeatIndex"])) in partners]
    attempt_count, pairs = len(pairs), draws(pairs, before, after)
    same_seeds = all(a["seed"] == b["seed"] for a, b in pairs) and all(
        repeats_seeds(slice) for slice in (before, after))
    found = shifts(before, after, sides)
    measured = {effect.title for effect in found}
    found += counted(before, after, pairs, same_seeds, measured)
    found += pooled(before, after, runs)
    for effect in found:
        effect.draws, effect.attempts = len(pairs), attempt_count
    return {effect.title: effect for effect in found}


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
    is_stub = all(backend(s)["engine"].startswith("stub") for s in (before, after))
    fixed = is_stub and all(copies.values())
    result = []
    for case, found in by_case.items():
        greedy = all(s.is_greedy(case) for s in (before, after))
        result += found[:1] if fixed or greedy and copies[case] else found
    return result


def separate(slice, attempts):
    """The separate draws among the attempts at one test case."""
    stub = backend(slice)["engine"].startswith("stub")
    answers = {(a["outcome"], a["output"]) for a in attempts}
    fixed = slice.is_greedy(attempts[0]["key"]["caseID"]) or stub
    if fixed and len(answers) == 1 and not any(rows.is_backend_error(a) for a in attempts):
        return answers
    return {a["seed"] for a in attempts} if repeats_seeds(slice) else set(range(len(attempts)))


def minimums(before, after):
    found = collections.defaultdict(int)
    for slice in (before, after):
        for path, minimum in slice.suite["arrayMinimums"].items():
            found[rows.general(path)] = max(found[rows.general(path)], minimum)
    return found


def shifts(before, after, sides):
    quantities = []
    paths = {
        rows.general(d["path"]) for side in sides for a in side for d in a["decisions"]
        if d["kind"] == "array"}
    for path in sorted(paths):
        both = [measures.hazards(s, path, side) for s, side in zip((before, after), sides)]

        def missing(minimum, path=path):
            return measures.unresolved(sides[0] + sides[1], None, lambda d: (
                d["kind"] == "array" and rows.general(d["path"]) == path
                and d["index"] < minimum))
        every = len(before.suite["cases"])
        quantities.append((f"P(empty) at {path}", [
            {c: by[0] for c, by in side.items() if 0 in by} for side in both], missing(1), every))
        minimum = minimums(before, after).get(path, 0)
        if minimum > 1:
            quantities.append((f"P(fewer than {minimum}) at {path}", [
                measures.fewer_than(minimum, side) for side in both], missing(minimum), every))
    for path in sorted({e["path"] for c in before.suite["cases"] for e in c["expectedBranches"]}):
        wrong = [measures.wrong_branch(s, path, side) for s, side in zip((before, after), sides)]
        expected = rows.expectations(before.suite, path)
        left_out = measures.unresolved(sides[0] + sides[1], expected, lambda d: (
            d["kind"] in ("branch", "choice") and rows.general(d["path"]) == path))
        quantities.append((f"P(wrong branch) at {path}", wrong, left_out, len(expected)))
        for branch in asked_alone(expected):
            quantities.append((f"P(not {branch}) at {path}", [
                {c: p for c, p in by_case.items() if expected.get(c) == branch}
                for by_case in wrong], {
                    c: n for c, n in left_out.items() if expected.get(c) == branch},
                list(expected.values()).count(branch)))
    effects = []
    for title, (first, second), left_out, asked in quantities:
        cases = [c["id"] for c in before.suite["cases"] if c["id"] in first and c["id"] in second]
        lost = len(set(left_out) - set(cases))
        if not cases or lost > len(cases):
            continue
        effect = Effect(title, True)
        moved = [second[c] - first[c] for c in cases]
        test = measures.SignFlip(moved)
        effect.means = [sum(side[c] for c in cases) / len(cases) for side in (first, second)]
        effect.cases = len(cases)
        effect.change = effect.worsening = sum(moved) / len(moved)
        reach = min(1.0, 2 * max(MARGIN, *(abs(m) for m in moved)))
        effect.low, effect.high = measures.bounded_mean(moved, -1, 1, reach=reach)
        effect.worse, effect.better = test.above(MARGIN), test.below(-MARGIN)
        effect.sampled = not test.is_exact
        still = all(abs(m) <= MARGIN for m in moved)
        effect.rates = {c: (first[c], second[c]) for c in cases}
        effect.least = 1.0 if still else 2.0 ** -len(moved) if test.is_exact else 1 / 10_000
        if not title.startswith("P(fewer"):
            effect.alarms = concentrated(moved)
        if effect.worse <= ALPHA:
            effect.low = max(effect.low, MARGIN)
        if effect.better <= ALPHA:
            effect.high = min(effect.high, -MARGIN)
        bound = measures.bounded_mean(moved, -1, 1, ALPHA, ALPHA, reach)[1]
        effect.equivalence = (effect.change, bound, 0.05)
        effect.same = all(abs(m) <= 1e-9 for m in moved)
        most = (min if sum(moved) < 0 else max)(zip(moved, cases), key=lambda pair: pair[0])[1]
        effect.note = [
            sum(m > 1e-9 for m in moved), sum(m < -1e-9 for m in moved), len(cases),
            first[most], second[most], sum(left_out.values()), lost, asked]
        effects.append(effect)
    return effects


def asked_alone(expected):
    """The branches that at least eight test cases expect; none if all expect the same."""
    counts = collections.Counter(expected.values())
    return sorted(b for b, n in counts.items() if n >= 8) if len(counts) > 1 else []


def counted(before, after, pairs, same_seeds, measured):
    """The effects of counted rates: passes, empty arrays, wrong branches and failed assertions."""
    effects = []
    equal = all((a["outcome"], a["output"]) == (b["outcome"], b["output"]) for a, b in pairs)

    def add(title, is_gating, judge, shows_good=False, asked=len(pairs)):
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
        effect = Effect(title, is_gating)
        won, lost = cells[True, False], cells[False, True]
        hits = [cells[True, True] + won, cells[True, True] + lost]
        moved = [
            sum(b - a for a, b in found) / len(found) for _, found in sorted(by_case.items())]
        alike = measures.newcombe_paired if same_seeds else lambda cells, confidence=0.95: \
            measures.newcombe((hits[0], count), (hits[1], count), confidence)
        change, low, high = alike(cells)
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
        # Repeats of a test case are alike, so the test over test cases must show the change too.
        if is_gating:
            test, alarms = measures.SignFlip(moved), concentrated(moved)
            effect.sampled = not test.is_exact and min(effect.worse, effect.better) < 0.5
            if not alarms[0]:
                effect.worse = max(effect.worse, test.above(MARGIN)) if effect.worse < 0.5 else 1.0
            if not alarms[1]:
                effect.better = max(
                    effect.better, test.below(-MARGIN)) if effect.better < 0.5 else 1.0
        effect.outcomes = tuple(outcomes) if is_gating else None
        effect.rates = {case: [sum(side) / len(found) for side in zip(*found)]
                        for case, found in by_case.items()}
        effect.worsening = change
        if shows_good:
            hits, (change, low, high) = [count - h for h in hits], (-change, -high, -low)
        effect.counts, effect.change, effect.low, effect.high = (
            [(h, count) for h in hits], change, low, high)
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
        add(f"empty {path}", path in empty and f"P(empty) at {path}" not in measured, is_empty)
    for path in sorted({e["path"] for c in before.suite["cases"] for e in c["expectedBranches"]}):
        expected = rows.expectations(before.suite, path)

        def is_wrong(index, attempt, side, path=path, expected=expected):
            wanted, value = expected.get(attempt["key"]["caseID"]), values[index][side]
            return None if wanted is None or value is None else rows.branch(value, path) != wanted
        add(f"wrong branch at {path}", f"P(wrong branch) at {path}" not in measured, is_wrong)
        for branch in asked_alone(expected):
            def is_missed(index, attempt, side, branch=branch, expected=expected, is_wrong=is_wrong):
                wanted = expected.get(attempt["key"]["caseID"])
                return is_wrong(index, attempt, side) if wanted == branch else None
            add(f"missed {branch} at {path}", f"P(not {branch}) at {path}" not in measured, is_missed,
                asked=sum(expected.get(a["key"]["caseID"]) == branch for a, _ in pairs))
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
    for number in sorted(int(n) for n in runs):
        other = runs[str(number)]
        if other.number != before.run.number and (
                other.number >= after.run.number or other.record["status"] != "complete"):
            continue
        if other.number != before.run.number and before.key[0] in other.suites and is_part(
                other.record["details"], before.key[0]):
            left_out["part"].append(number)
            continue
        alike, unlike = 0, 0
        # In the baseline's run, only the attempts of the compared slice count.
        for attempt in before.attempts if other.number == before.run.number else other.attempts:
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
            if (mark, attempt["seed"]) in seen:
                repeated += 1
                continue
            seen.add((mark, attempt["seed"]))
            nights.add(number)
            entries.setdefault(number, collections.defaultdict(list))[case].append(
                attempt["outcome"] != "pass")
        if before.key[0] in other.suites and other.number != before.run.number:
            if not alike + unlike:
                left_out["guides, models or options"].append(number)
            elif unlike:
                left_out["assertions or inputs"].append(number)
    if len(nights) < 2:
        return []
    tonight, known = collections.defaultdict(list), 0
    for attempt in after.attempts:
        if rows.is_backend_error(attempt):
            continue
        if (attempt.get("details", {}).get("fingerprint"), attempt["seed"]) in seen:
            known += 1
        else:
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
    effect.reference = "history"
    effect.worse, effect.least = scan.p, scan.least
    effect.better = measures.dealt(scan.tables)[1]
    effect.equivalence, effect.same = (-effect.change, -effect.low, 0.2), False
    effect.worsening, effect.cases = -effect.change, len(scan.tables)
    left_out["past"] = [order[n] for n in scan.left_out]
    pooled_runs = [n for n in order if n not in left_out["past"]]
    effect.pool = (sum(len(b) for n in pooled_runs for b in entries[n].values()), len(pooled_runs),
                   repeated, known, scan.lasting, left_out)
    effect.nights = len(order) + 1
    effect.rates = dict.fromkeys(range(len(scan.tables)))
    return [effect]


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
