"""The effects of comparisons with intervals and p-values, computed only from rows."""
import collections

import numpy
from scipy import stats

import measures
import rows

MARGIN, ALPHA = 0.01, 0.05


class Effect:
    """One quantity of a comparison, before and after."""

    def __init__(self, title, is_gating):
        self.title, self.is_gating = title, is_gating
        # Either hits and counts, or means over test cases.
        self.counts = self.means = None
        self.change = self.low = self.high = self.worse = self.better = 0.0
        self.sampled = False
        self.note, self.pool = [], None

    def p(self, adjusted):
        worse, better = (self.adjusted_worse, self.adjusted_better) if adjusted else (
            self.worse, self.better)
        return better if self.worsening < 0 else worse


def compare(before, after, runs):
    """The effects of a comparison of two slices, by title; one pools earlier runs of the requests."""
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
    same_seeds = all(a["seed"] == b["seed"] for a, b in pairs)
    found = shifts(before, after, sides)
    measured = {effect.title for effect in found}
    found += counted(before, after, pairs, same_seeds, measured)
    found += pooled(before, after, runs)
    for is_gating in (True, False):
        family = [effect for effect in found if effect.is_gating == is_gating]
        adjust = measures.holm if is_gating else measures.benjamini_hochberg
        for effect, worse, better in zip(
                family, adjust([e.worse for e in family]), adjust([e.better for e in family])):
            effect.adjusted_worse, effect.adjusted_better = worse, better
    return {effect.title: effect for effect in found}


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
        quantities.append((f"P(empty) at {path}", [
            {c: by[0] for c, by in side.items() if 0 in by} for side in both], missing(1)))
        minimum = minimums(before, after).get(path, 0)
        if minimum > 1:
            quantities.append((f"P(fewer than {minimum}) at {path}", [
                measures.fewer_than(minimum, side) for side in both], missing(minimum)))
    for path in sorted({e["path"] for c in before.suite["cases"] for e in c["expectedBranches"]}):
        wrong = [measures.wrong_branch(s, path, side) for s, side in zip((before, after), sides)]
        expected = rows.expectations(before.suite, path)
        left_out = measures.unresolved(sides[0] + sides[1], expected, lambda d: (
            d["kind"] in ("branch", "choice") and rows.general(d["path"]) == path))
        quantities.append((f"P(wrong branch) at {path}", wrong, left_out))
        for branch in asked_alone(expected):
            quantities.append((f"P(not {branch}) at {path}", [
                {c: p for c, p in by_case.items() if expected.get(c) == branch}
                for by_case in wrong], {
                    c: n for c, n in left_out.items() if expected.get(c) == branch}))
    effects = []
    for title, (first, second), left_out in quantities:
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
        effect.low, effect.high = test.interval()
        effect.worse, effect.better = test.above(MARGIN), test.below(-MARGIN)
        effect.sampled = not test.is_exact
        most = (min if sum(moved) < 0 else max)(zip(moved, cases), key=lambda pair: pair[0])[1]
        effect.note = [
            sum(m > 1e-9 for m in moved), sum(m < -1e-9 for m in moved), len(cases),
            first[most], second[most], sum(left_out.values()), lost]
        effects.append(effect)
    return effects


def asked_alone(expected):
    """The branches that at least eight test cases expect; none if all expect the same."""
    counts = collections.Counter(expected.values())
    return sorted(b for b, n in counts.items() if n >= 8) if len(counts) > 1 else []


def counted(before, after, pairs, same_seeds, measured):
    effects = []

    def add(title, is_gating, judge, shows_good=False, asked=len(pairs)):
        cells = collections.Counter()
        by_case = collections.defaultdict(list)
        for index, (first, second) in enumerate(pairs):
            bad = judge(index, first, 0), judge(index, second, 1)
            if None not in bad:
                cells[bad] += 1
                by_case[first["key"]["caseID"]].append(bad)
        count = sum(cells.values())
        if count == 0:
            return
        effect = Effect(title, is_gating)
        won, lost = cells[True, False], cells[False, True]
        hits = [cells[True, True] + won, cells[True, True] + lost]
        moved = [
            sum(b - a for a, b in found) / len(found) for _, found in sorted(by_case.items())]
        if same_seeds:
            change, low, high = measures.newcombe_paired(cells)
            flips = won + lost
            effect.worse = float(stats.binom.sf(lost - 1, flips, 0.5)) if flips else 1.0
            effect.better = float(stats.binom.sf(won - 1, flips, 0.5)) if flips else 1.0
            # Repeats of a test case are alike, so the test cases must show the change too.
            if len(moved) > 1:
                test = measures.SignFlip(moved)
                effect.worse = max(effect.worse, test.above(MARGIN))
                effect.better = max(effect.better, test.below(-MARGIN))
                effect.sampled = not test.is_exact
                around = stats.sem(moved) * stats.t.ppf(1 - ALPHA / 2, len(moved) - 1)
                mean = sum(moved) / len(moved)
                low, high = min(low, max(-1, mean - around)), max(high, min(1, mean + around))
        else:
            change, low, high = measures.newcombe((hits[0], count), (hits[1], count))
            effect.worse, effect.better = within_cases(by_case)
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
    """At most one effect: the pass rate against that of all earlier runs with the same requests."""
    prints = {}
    for attempt in before.attempts:
        if "fingerprint" in attempt.get("details", {}):
            prints.setdefault(attempt["key"]["caseID"], attempt["details"]["fingerprint"])
    cases = {c["id"]: judged(before.suite, c) for c in before.suite["cases"]}
    entries, repeated, seen, nights = collections.defaultdict(list), 0, set(), set()
    for number in sorted(int(n) for n in runs):
        other = runs[str(number)]
        if other.number != before.run.number and (
                other.number >= after.run.number or other.record["status"] != "complete"):
            continue
        # Of the baseline's run, only the compared slice's attempts count.
        for attempt in before.attempts if other.number == before.run.number else other.attempts:
            if attempt["key"]["suite"] != before.key[0]:
                continue
            case, mark = attempt["key"]["caseID"], attempt.get("details", {}).get("fingerprint")
            if attempt["outcome"] == "skipped" or mark is None or prints.get(case) != mark:
                continue
            then = next((c for c in other.suites[before.key[0]]["cases"] if c["id"] == case), None)
            if then is None or judged(other.suites[before.key[0]], then) != cases.get(case):
                continue
            if (mark, attempt["seed"]) in seen:
                repeated += 1
                continue
            seen.add((mark, attempt["seed"]))
            nights.add(number)
            entries[case].append(attempt["outcome"] != "pass")
    if len(nights) < 2:
        return []
    candidate, known = collections.defaultdict(list), 0
    for attempt in after.attempts:
        if (attempt.get("details", {}).get("fingerprint"), attempt["seed"]) in seen:
            known += 1
        elif attempt["key"]["caseID"] in entries:
            candidate[attempt["key"]["caseID"]].append(attempt["outcome"] != "pass")
    tables = [(entries[case], bad) for case, bad in sorted(candidate.items())]
    if not tables:
        return []
    effect = Effect("pass rate against pooled history", True)
    sides = [[bad for table in tables for bad in table[side]] for side in (0, 1)]
    counts = [(len(side) - sum(side), len(side)) for side in sides]
    effect.counts = counts
    effect.change, effect.low, effect.high = measures.newcombe(*counts)
    effect.worse, effect.better = dealt(tables)
    effect.worsening = sum(
        sum(now) - len(now) * sum(old) / len(old) for old, now in tables) / len(sides[1])
    effect.pool = (sum(map(len, entries.values())), len(nights), repeated, known)
    return [effect]


def judged(suite, case):
    """Everything that decides how Assay judges attempts at a test case."""
    own = (suite.get("details", {}).get("cases") or {}).get(case["id"], {})
    return case["assertions"], case["expectedBranches"], case["variables"], own.get("threshold")


def is_json(text):
    try:
        rows.decoded(text)
        return True
    except ValueError:
        return False


def within_cases(by_case):
    return dealt([([a for a, _ in found], [b for _, b in found]) for found in by_case.values()])


def dealt(tables):
    """The p-values of the exact permutation test, for "worse" and for "better".

    The test deals the answers of each test case out to the two sides in every possible way."""
    total, observed = numpy.ones(1), 0
    for first, second in tables:
        bad, count = sum(first) + sum(second), len(first) + len(second)
        drawn = stats.hypergeom(count, bad, len(second)).pmf(range(len(second) + 1))
        total = numpy.convolve(total, drawn)
        observed += sum(second)
    return float(total[observed:].sum()), float(total[:observed + 1].sum())
