"""The statistics of the reports, computed with SciPy and NumPy."""
import collections
import functools
import math

import numpy
from scipy import stats

import rows

Z = float(stats.norm.ppf(0.975))


@functools.lru_cache(maxsize=None)
def wilson(hits, count, confidence=0.95):
    if count == 0:
        return 0.0, 1.0
    interval = stats.binomtest(hits, count).proportion_ci(confidence, method="wilson")
    return float(interval.low), float(interval.high)


def clustered(cases, confidence=0.95):
    """The Wilson interval of a rate over test cases, given pairs of hits and count.

    Its sample size comes from the variance of a ratio estimate between the test cases."""
    known = [c for c in cases if c[1]]
    if not known:
        return 0.0, 1.0
    hits, counts = (numpy.array(column, dtype=float) for column in zip(*known))
    total, rate = counts.sum(), hits.sum() / counts.sum()
    clusters = total ** 2 / (counts ** 2).sum()
    if len(counts) == 1 or rate in (0, 1):
        return score(rate, clusters, float(stats.norm.ppf(0.5 + confidence / 2)))
    residuals = hits - rate * counts
    variance = numpy.var(residuals, ddof=1) * len(counts) / total ** 2
    independent = float(numpy.clip(rate * (1 - rate) / variance if variance else total, clusters, total))
    return score(rate, 1 / (0.85 / independent + 0.15 / clusters),
                 float(stats.t.ppf(0.5 + confidence / 2, len(counts) - 1)))


def score(rate, count, z):
    """The score interval: all rates p with |rate − p| ≤ z √(p (1 − p) / count)."""
    ends = sorted(numpy.roots([1 + z * z / count, -2 * rate - z * z / count, rate * rate]).real)
    return (0.0 if rate == 0 else float(ends[0])), (1.0 if rate == 1 else float(ends[1]))


def added(shares):
    """The interval of a rate over several suites, given the counts and the interval of each suite.

    The distances to the ends add up like independent errors (Zou and Donner 2008)."""
    hits, total = map(sum, zip(*(counts for counts, _ in shares)))
    down, up = (math.hypot(*(
        (ends[side] - counts[0] / counts[1]) * counts[1] / total for counts, ends in shares))
        for side in range(2))
    return max(0.0, hits / total - down), min(1.0, hits / total + up)


def change_over_cases(before, after, confidence=0.95):
    """The wider of Newcombe's interval and the t interval of the test cases' changes, at each end."""
    change, low, high = newcombe(tuple(before), tuple(after), confidence)
    known, earlier = (getattr(side, "cases", {}) for side in (after, before))
    moves = [known[key][0] / known[key][1] - hits / count
             for key, (hits, count) in earlier.items() if count and known.get(key, (0, 0))[1]]
    if len(moves) > 1:
        half = stats.t.ppf(0.5 + confidence / 2, len(moves) - 1) * stats.sem(moves)
        low, high = min(low, numpy.mean(moves) - half), max(high, numpy.mean(moves) + half)
    # The interval excludes zero only if the test does.
    if fisher(tuple(before), tuple(after)) >= 0.05:
        low, high = min(0.0, low), max(0.0, high)
    return change, max(-1.0, low), min(1.0, high)


def bounded_mean(values, lowest, highest, error=0.05, tail=0.025, reach=None):
    """The interval of a mean: Student's t interval, with an allowance for unlike inputs.

    An unlike input may have any value from `lowest` to `highest`, or from −reach to reach.
    """
    count, mean = len(values), float(numpy.mean(values))
    if count < 2:
        return float(lowest), float(highest)
    # The largest share of a kind of input that no test case has: a Clopper-Pearson bound.
    unseen = stats.beta.ppf(1 - error, 1, count)
    half = stats.t.ppf(1 - tail, count - 1) * float(numpy.std(values, ddof=1)) / math.sqrt(count)
    down, up = (lowest, highest) if reach is None else (-reach, reach)
    return (max(lowest, mean - math.hypot(half, (mean - down) * unseen)),
            min(highest, mean + math.hypot(half, (up - mean) * unseen)))


@functools.lru_cache(maxsize=None)
def fisher(before, after):
    (a, n), (b, m) = after, before
    return float(stats.fisher_exact([[a, n - a], [b, m - b]]).pvalue)


def holm(values):
    order = sorted(range(len(values)), key=values.__getitem__)
    result, worst = [0.0] * len(values), 0.0
    for rank, index in enumerate(order):
        worst = max(worst, min(1.0, values[index] * (len(values) - rank)))
        result[index] = worst
    return result


def benjamini_hochberg(values):
    return [float(v) for v in stats.false_discovery_control([min(1.0, v) for v in values])] if values else []


def newcombe(before, after, confidence=0.95):
    """The hybrid score interval of a difference of rates: method 10 of Newcombe (1998b)."""
    (h0, n0), (h1, n1) = before, after
    first, second = h0 / n0, h1 / n1
    (low0, high0), (low1, high1) = wilson(h0, n0, confidence), wilson(h1, n1, confidence)
    change = second - first
    return (change, change - math.hypot(second - low1, high0 - first),
            change + math.hypot(high1 - second, first - low0))


def stratified(tables, confidence=0.95):
    """The change of the pass rate, with the weights that the test cases have on the second side.

    Each table has the failures (true or false) of a test case on both sides. The result is the
    first rate with its counts (None if they don't give this rate), the second rate with its counts,
    the change, and Newcombe's interval."""
    count = sum(len(now) for _, now in tables)
    hits = sum(len(now) - sum(now) for _, now in tables)
    weights = [len(now) / count for _, now in tables]
    rate = 1 - sum(w * sum(old) / len(old) for w, (old, _) in zip(weights, tables))
    plain = (sum(len(old) - sum(old) for old, _ in tables), sum(len(old) for old, _ in tables))
    n = 1 / sum(w * w / len(old) for w, (old, _) in zip(weights, tables))
    z = float(stats.norm.ppf(0.5 + confidence / 2))
    middle, half = rate + z * z / (2 * n), z * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    low0 = max(0.0, (middle - half) / (1 + z * z / n)) if rate > 0 else 0.0
    high0 = min(1.0, (middle + half) / (1 + z * z / n)) if rate < 1 else 1.0
    low1, high1 = wilson(hits, count, confidence)
    second = hits / count
    change = second - rate
    return ((rate, plain if abs(plain[0] / plain[1] - rate) < 1e-9 else None, (low0, high0)),
            (second, (hits, count), (low1, high1)),
            change, change - math.hypot(second - low1, high0 - rate),
            change + math.hypot(high1 - second, rate - low0))


def newcombe_paired(cells, confidence=0.95):
    """The interval of a difference of paired rates: method 10 of Newcombe (1998c)."""
    both, lost = cells[True, True], cells[True, False]
    won, none = cells[False, True], cells[False, False]
    count = both + lost + won + none
    first, second = (both + lost) / count, (both + won) / count
    (low1, high1), (low2, high2) = [
        wilson(hits, count, confidence) for hits in (both + lost, both + won)]
    margins = (both + lost) * (won + none) * (both + won) * (lost + none)
    cross = both * none - lost * won
    if cross > 0:
        cross = max(0.0, cross - count / 2)
    phi = cross / math.sqrt(margins) if margins else 0.0

    def reach(a, b):
        return math.sqrt(max(0.0, a * a - 2 * phi * a * b + b * b))

    change = second - first
    return change, change - reach(second - low2, high1 - first), change + reach(
        high2 - second, first - low1)


def quantile(values, share):
    """A quantile, interpolated between order statistics: type 7 of Hyndman and Fan (1996)."""
    return float(numpy.quantile(values, share)) if len(values) else 0.0


def quantile_range(values, share):
    """The 95 % interval of a quantile: two order statistics, by the normal approximation."""
    values = sorted(values)
    half = 1.959964 * math.sqrt(len(values) * share * (1 - share))
    low = max(0, math.floor(len(values) * share - half))
    high = min(len(values) - 1, math.ceil(len(values) * share + half))
    return values[min(low, len(values) - 1)], values[max(low, high)]


def ratio(before, after, share):
    """The relative change of a quantile, with Zou and Donner's (2008) interval on logarithms."""
    a, b = quantile(before, share), quantile(after, share)
    (a0, a1), (b0, b1) = quantile_range(before, share), quantile_range(after, share)
    if min(a, b, a0, b0) <= 0:
        return None
    change = math.log(b / a)
    down = math.hypot(math.log(b / b0), math.log(a1 / a))
    up = math.hypot(math.log(b1 / b), math.log(a / a0))
    return math.expm1(change), math.expm1(change - down), math.expm1(change + up)


def error_of_draws(cases):
    """The standard error of the mean change because of the spread between the draws of each test case."""
    spread = sum(numpy.var(side, ddof=1) / len(side) for pair in cases for side in pair if len(side) > 1)
    return math.sqrt(spread) / len(cases)


class SignFlip:
    """The sign-flip permutation test of a mean.

    Each subset of the values stands for one permutation: the one that flips the signs of these
    values. With at most 20 values, the test uses all subsets. Otherwise, it uses random ones."""

    DRAWN = 200_000

    def __init__(self, values):
        self.values = numpy.array(values, dtype=float)
        self.is_exact = len(values) <= 20
        if self.is_exact:
            sums, sizes = numpy.zeros(1), numpy.zeros(1)
            for value in self.values:
                sums = numpy.concatenate([sums, sums + value])
                sizes = numpy.concatenate([sizes, sizes + 1])
        else:
            drawn = numpy.random.default_rng(7).random((self.DRAWN, len(values))) < 0.5
            sums, sizes = drawn @ self.values, drawn.sum(axis=1)
        self.sums, self.sizes = sums, sizes
        self.slack = 1e-12 * float(abs(self.values).sum() + 1)

    def above(self, bound):
        """The p-value of the test for a mean above the bound.

        The p-value is the share of subsets whose mean isn't above the bound."""
        return float(numpy.mean(self.sums - self.sizes * bound <= self.slack))

    def below(self, bound):
        return float(numpy.mean(self.sums - self.sizes * bound >= -self.slack))


def dealt(tables):
    """The p-values of the exact permutation test, and the smallest possible one.

    The first p-value is for "worse", the second for "better". Each table has the answers of one
    test case on both sides; true stands for a failure. The test deals these answers out to the two
    sides in every possible way."""
    total, observed, lowest = numpy.ones(1), 0, 0
    for first, second in tables:
        bad, count = sum(first) + sum(second), len(first) + len(second)
        least, most = max(0, bad - len(first)), min(bad, len(second))
        drawn = stats.hypergeom(count, bad, len(second)).pmf(range(least, most + 1))
        total = numpy.convolve(total, drawn)
        observed, lowest = observed + sum(second), lowest + least
    place = observed - lowest
    return float(total[place:].sum()), float(total[:place + 1].sum()), float(
        min(total[0], total[-1]))


class Drift:
    """The test of whether attempts fail more often from some night on than before it.

    Each night has the failures (true or false) of its test cases; the last night is tonight. Half
    of the significance level is for a worsening that began tonight. The other half is for the
    earlier night with the clearest worsening, adjusted for the number of earlier nights."""

    def __init__(self, nights, is_same):
        kept = self.without_past(nights)
        self.left_out = [n for n in range(len(nights)) if n not in kept]
        nights = [nights[n] for n in kept]
        last = len(nights) - 1
        earlier = last - 1 if is_same else 0
        share = 0.5 if earlier > 0 else 1
        self.tables, self.since = self.split(nights, last), last
        self.p = min(1.0, dealt(self.tables)[0] / share)
        self.least = min(1.0, self.highest(self.tables) / share)
        place = next((p for p in self.rises(nights) if self.recovery(nights, p) is None), None) \
            if earlier > 0 else None
        if place is not None:
            tables = self.split(nights, place)
            p = min(1.0, dealt(tables)[0] * earlier / (1 - share))
            if p < self.p and p <= 0.05:
                self.p, self.since, self.tables = p, place, tables
        self.lasting = last - self.since

    @staticmethod
    def highest(tables):
        """The p-value if as many failures as possible were on the second side."""
        return math.prod(
            float(stats.hypergeom(len(a) + len(b), sum(a) + sum(b), len(b)).pmf(
                min(sum(a) + sum(b), len(b)))) for a, b in tables)

    @staticmethod
    def split(nights, place):
        """The failures of each test case before a night, and from that night on."""
        sides = [collections.defaultdict(list), collections.defaultdict(list)]
        for number, night in enumerate(nights):
            for case, found in night.items():
                sides[number >= place][case] += found
        return [(sides[0][case], sides[1][case]) for case in sorted(sides[0]) if sides[1].get(case)]

    @staticmethod
    def rises(nights):
        """The ten earlier nights with the largest rises of failures, in standard deviations."""
        totals, before = collections.Counter(), collections.Counter()
        for night in nights:
            for case, found in night.items():
                totals[case, 0] += sum(found)
                totals[case, 1] += len(found)
        rises = []
        for place in range(1, len(nights) - 1):
            for case, found in nights[place - 1].items():
                before[case, 0] += sum(found)
                before[case, 1] += len(found)
            excess = variance = 0.0
            for case in sorted({c for c, _ in totals}):
                hits, n = totals[case, 0], totals[case, 1]
                m = n - before[case, 1]
                if n > 1 and 0 < m < n:
                    excess += hits - before[case, 0] - hits * m / n
                    variance += hits * (n - hits) * m * (n - m) / (n * n * (n - 1))
            if variance > 0 and excess > 0:
                rises.append((-excess / math.sqrt(variance), place))
        return [place for _, place in sorted(rises)[:10]]

    @staticmethod
    def without_past(nights):
        """The positions of the nights without those of clear worsenings that are over."""
        kept = list(range(len(nights)))
        while len(kept) > 2:
            own = [nights[n] for n in kept]
            for start in Drift.rises(own):
                end = Drift.recovery(own, start)
                if end is not None and dealt(Drift.split(own[:end], start))[0] * (len(own) - 2) <= 0.01:
                    del kept[start:end]
                    break
            else:
                break
        return kept

    @staticmethod
    def recovery(nights, start):
        """The night that ended a worsening since an earlier night; None if it lasts until tonight.

        Either tonight is as good as the nights before it, or some of the newest nights together are
        more than ten times as likely at the earlier rates as in the middle between those and the rates
        of the bad nights."""
        before = collections.defaultdict(list)
        for night in nights[:start]:
            for case, found in night.items():
                before[case] += found
        sums = []
        for night in nights[start:]:
            known = [(found, sum(before[c]) / len(before[c])) for c, found in night.items() if before.get(c)]
            sums.append((sum(len(f) for f, _ in known), sum(sum(f) for f, _ in known),
                         sum(len(f) * rate for f, rate in known)))
        is_over, best = sums[-1][1] <= sums[-1][2], (math.log(10), len(sums) - 1)
        for place in range(1, len(sums)):
            bad, newest = [tuple(map(sum, zip(*part))) for part in (sums[:place], sums[place:])]
            if not newest[0] or not bad[0] or bad[1] <= bad[2]:
                continue
            count, hits, expected = newest
            least = 0.5 / (count + 1)
            usual, worse = [min(max(r, least), 1 - least) for r in (
                expected / count, expected / count + (bad[1] - bad[2]) / bad[0] / 2)]
            evidence = hits * math.log(usual / worse) + (count - hits) * math.log(
                (1 - usual) / (1 - worse))
            if evidence > best[0]:
                is_over, best = True, (evidence, place)
        return start + best[1] if is_over else None


def is_resolved(decision):
    """Whether a decision can be used: at most 5 % of its probability is unresolved."""
    return decision["unresolved"] is not None and decision["unresolved"] <= 0.05


def unresolved(attempts, expected, matches):
    """The number of decisions that aren't resolved, by test case.

    If `expected` is not None, counts only the test cases in it."""
    found = collections.Counter()
    for attempt in attempts:
        case = attempt["key"]["caseID"]
        for decision in attempt["decisions"]:
            if (expected is None or case in expected) and matches(decision) \
                    and not is_resolved(decision):
                found[case] += 1
    return found


def kind(slice, case):
    """The kind of probability that comparisons use.

    A greedy request's sampled probabilities are only 0 or 1, so comparisons use the masked ones."""
    return "masked" if slice.is_greedy(case) else "sampled"


def hazards(slice, path, attempts):
    """P(end) after 0, 1, … elements in each attempt, by test case: means over the arrays that got
    that far."""
    cases = collections.defaultdict(list)
    for attempt in attempts:
        case, firsts, found = attempt["key"]["caseID"], {}, collections.defaultdict(list)
        for decision in attempt["decisions"]:
            if decision["kind"] != "array" or rows.general(decision["path"]) != path:
                continue
            end = next((o[kind(slice, case)] for o in decision["options"] if o["name"] == "end"), None)
            if end is None:
                continue
            place = decision["path"]
            firsts[place] = min(firsts.get(place, decision["index"]), decision["index"])
            if is_resolved(decision):
                found[decision["index"]].append(end)
        for first in firsts.values():
            for index in range(first):
                found[index].append(0.0)
        if found:
            cases[case].append(found)
    return cases


def fewer_than(minimum, hazards):
    """P(fewer elements) in each test case: from all attempts together, and from each attempt.

    Where no attempt got that far, the last known value of P(end) counts."""
    def below(attempts):
        last, survival = None, 1.0
        for index in range(minimum):
            values = [v for found in attempts for v in found.get(index, [])]
            last = sum(values) / len(values) if values else last
            if last is None:
                return None
            survival *= 1 - last
        return 1 - survival
    result = {}
    for case, attempts in hazards.items():
        whole = below(attempts)
        if whole is not None:
            result[case] = whole, [v for found in attempts if (v := below([found])) is not None]
    return result


def wrong_branch(slice, path, attempts):
    """P(wrong branch) in each test case: the mean of its attempts, and in each attempt."""
    expected = rows.expectations(slice.suite, path)
    found = collections.defaultdict(list)
    for attempt in attempts:
        case, own = attempt["key"]["caseID"], []
        wanted = expected.get(case)
        for decision in attempt["decisions"]:
            if decision["kind"] in ("branch", "choice") and wanted is not None \
                    and rows.general(decision["path"]) == path and is_resolved(decision):
                own.append(1 - next((
                    o[kind(slice, case)] for o in decision["options"] if o["name"] == wanted), 0))
        if own:
            found[case].append(sum(own) / len(own))
    return {case: (sum(v) / len(v), v) for case, v in found.items()}
