"""The tests of whether a quantity changed, computed with SciPy and NumPy."""
import math

import numpy
from scipy import optimize, stats

import measures

# The shares of the level for the mean of a measured probability, and for a change in a few cases.
MEAN, FEW = 0.8, 0.2
# The share of the level for the permutation of draws.
DRAWS = 0.5
# How far the two largest rises must exceed the two largest falls, to be far.
FAR = 0.7
ASSIGNED = 20_000


def normal(share):
    return float(stats.norm.ppf(share))


def excess(moved):
    """The two largest rises minus the two largest falls, for each row of changes."""
    order = numpy.sort(numpy.asarray(moved, dtype=float), axis=-1)
    return order[..., -2:].clip(0).sum(axis=-1) + order[..., :2].clip(None, 0).sum(axis=-1)


def concentrated(moved):
    """Whether a few test cases rose far without an equal fall elsewhere, and vice versa."""
    return bool(excess(moved) > FAR), bool(-excess(moved) > FAR)


def log_odds(p, least=0.001):
    """The log odds of probabilities; those closer to 0 or 1 than `least` count as equally close."""
    p = numpy.clip(p, least, 1 - least)
    return numpy.log(p / (1 - p))


def few_cases(before, after, margin):
    """The p-value of far rises, if harmless edits move log odds by normal amounts."""
    moved = numpy.subtract(after, before)
    if moved.mean() <= margin or not concentrated(moved)[0]:
        return 1.0
    changes = log_odds(after) - log_odds(before)
    moving = numpy.abs(changes[changes != 0])
    scale = max(1.0, float(numpy.median(moving)) / normal(0.75)) if len(moving) >= 5 else 1.0
    count, tails = len(changes), sorted(stats.norm.sf(changes / scale))
    one = -math.expm1(count * math.log1p(-tails[0]))
    two = float(stats.beta.cdf(tails[1], 2, count - 1)) if count > 1 else 1.0
    return min(1.0, 2 * min(one, two))


class Permuted:
    """The permutation test of draws: each test case's draws are dealt out to the sides at random.

    The change over all test cases is that of the mean log odds."""

    def __init__(self, draws, least):
        generator = numpy.random.default_rng(11)
        dealt, real = ([], []), ([], [])
        for first, second in draws:
            values, taken = numpy.array([*second, *first]), len(second)
            orders = generator.random((ASSIGNED, len(values))).argsort(axis=1)
            for kind, numbers in enumerate((values, log_odds(values, least))):
                for shown, target in ((numbers[orders], dealt), (numbers[None], real)):
                    target[kind].append(shown[:, :taken].mean(axis=1) - shown[:, taken:].mean(axis=1))
        share = lambda found: min(1.0, (1 + int(found.sum())) / (ASSIGNED + 1) / DRAWS)
        sums, sum_ = (numpy.array(side[1]).sum(axis=0) for side in (dealt, real))
        self.mean = share(sums >= sum_ - 1e-9), share(sums <= sum_ + 1e-9)
        far, far_ = (excess(numpy.array(side[0]).T) for side in (dealt, real))
        self.few = share(far >= far_ - 1e-9), share(far <= far_ + 1e-9)

    @staticmethod
    def least(draws):
        """The smallest p-value: one over the number of ways to deal out the draws."""
        ways = math.prod(math.comb(len(a) + len(b), len(b)) for a, b in draws if len({*a, *b}) > 1)
        return max(1 / ways, 1 / 10_000) / DRAWS


def rise(draws, margin, least):
    """The sign-flip test of whether log odds rose further than a rise of all draws by the margin."""
    moved = [log_odds(numpy.subtract(second, margin), least).mean() - log_odds(first, least).mean()
             for first, second in draws]
    return measures.SignFlip(moved).above(0)


class Measured:
    """The test of a measured probability, given its draws and its value in each test case.

    `level` is the level of the test over test cases, which draws after sampled text must meet too."""

    def __init__(self, before, after, draws, is_fixed, flips, margin, level):
        moved = numpy.subtract(after, before)
        spread = sum(min(len(a), len(b)) > 1 for a, b in draws)
        self.can_decide = is_fixed or 2 * spread > len(draws)
        least = max(margin, 0.001)
        if is_fixed:
            mean = [flips.above(margin), flips.below(-margin)]
        else:
            mean = [rise(draws, margin, least) if moved.mean() > margin else 1.0,
                    rise([(b, a) for a, b in draws], margin, least) if moved.mean() < -margin else 1.0]
        self.over_cases = mean
        few = [few_cases(before, after, margin), few_cases(after, before, margin)]
        self.is_permuted = not is_fixed and self.can_decide
        if self.is_permuted and min(mean + few) < 0.5:
            permuted = Permuted(draws, least)
            mean = [b if a <= level else max(a, b) for a, b in zip(mean, permuted.mean)]
            few = [max(pair) for pair in zip(few, permuted.few)]
        self.p = [min(1.0, a / MEAN, b / FEW) for a, b in zip(mean, few)]
        self.is_few = [b / FEW < min(1.0, a / MEAN) for a, b in zip(mean, few)]
        self.mean_least = 2.0 ** -len(moved) if flips.is_exact else 1 / 10_000
        self.least = 1.0
        if self.can_decide and (abs(moved) > margin).any():
            permuted = Permuted.least(draws) if not is_fixed else 0.0
            furthest = few_cases(numpy.minimum(before, after), numpy.maximum(before, after), margin)
            of_mean = permuted if not is_fixed and self.mean_least <= level else max(
                self.mean_least, permuted)
            self.least = min(1.0, of_mean / MEAN, max(furthest, permuted) / FEW)


def least_rise(cases):
    """The rise of the rate over a few test cases that a harmless edit hardly ever causes."""
    return max(0.1, 0.15 / math.sqrt(max(1, cases)))


def error_beyond(bound, low):
    """The smallest one-sided error at which the lower end of an interval is above a bound."""
    if low(0.0) <= bound:
        return 1.0
    found = optimize.bisect(
        lambda e: 1 if low(1 - 2 * math.exp(e)) > bound else -1, math.log(1e-12), math.log(0.5),
        xtol=1e-9) if low(1 - 2e-12) <= bound else math.log(1e-12)
    return math.exp(found)


def these_cases(change, p, error, alpha):
    """The interval for exactly these test cases: its standard error gives the exact test's p-value.

    The result is None if the test isn't significant."""
    if p >= error:
        return None
    deviation = abs(change) / -normal(max(p, 1e-300))
    near = abs(change) + deviation * normal(error)
    far = min(1.0, abs(change) - deviation * normal(alpha - error))
    return (near, far) if change > 0 else (-far, -near)


class Visible:
    """The smallest rise that the rule for counts finds with a probability of 80 %.

    Each test case has the failures and the draws of the baseline, and the smaller number of draws.
    All test cases lose the same share of their passes; the tests are approximated as normal."""

    def __init__(self, cases, to_better, samples_nothing, margin):
        rates = [h / n for h, n, _ in cases]
        self.rates = numpy.array(rates if samples_nothing else numpy.clip(rates, 0.02, 0.98))
        self.draws = numpy.array([float(n) for *_, n in cases])
        self.margin, self.resampled = margin, None
        if samples_nothing:
            self.resampled = 0.0
        elif to_better is not None:
            flips = float((self.draws * self.rates * (1 - self.rates)).sum())
            self.resampled = min(1.0, max(0.3, to_better / flips if flips else 0.0))

    def smallest(self, level):
        if not self.draws.sum() or not self.is_found(1.0, level):
            return 1.0
        missed, found = 0.0, 1.0
        for _ in range(20):
            middle = (missed + found) / 2
            missed, found = (missed, middle) if self.is_found(middle, level) else (middle, found)
        return found * float(((1 - self.rates) * self.draws).sum() / self.draws.sum())

    def is_found(self, share, level):
        count, power = len(self.rates), normal(0.8)
        rises = (1 - self.rates) * share
        after = self.rates + rises
        variance = self.rates * (1 - self.rates) + after * (1 - after)
        to_better = 0.0
        if self.resampled is not None:
            better = self.resampled * self.rates * (1 - after)
            worse = (1 - self.resampled) * rises + self.resampled * after * (1 - self.rates)
            variance = numpy.maximum(0, worse + better - rises ** 2)
            to_better = float((better * self.draws).sum())
        middle = (self.rates + after) / 2
        total, draws = float((rises * self.draws).sum()), float(self.draws.sum())
        deviation = math.sqrt(float((variance * self.draws).sum()))
        least, limit = total - power * deviation, normal(1 - level)
        null = float((2 * middle * (1 - middle) * self.draws).sum()) if self.resampled is None \
            else least + 2 * to_better
        if least <= self.margin * draws or least - 1 < limit * math.sqrt(max(0.0, null)):
            return False
        if self.resampled is not None and least < math.log2(1 / level):
            return False
        if (total - (limit + power) * deviation) / draws >= least_rise(count):
            return True
        mean, spread = float(rises.mean()), float(rises.var(ddof=1)) if count > 1 else 0.0
        noise = float((variance / self.draws).sum()) / count
        if count > 1 and 2.0 ** -count <= level and (
                mean - power * math.sqrt(noise / count) - self.margin
                >= float(stats.t.ppf(1 - level, count - 1)) * math.sqrt((spread + noise) / count)):
            return True
        extremes = sum(normal((count - k) / (count + 0.25)) for k in (0.375, 1.375)) / 2 \
            if count > 2 else 0.0
        reach = extremes * math.sqrt(noise + spread)
        far = min(2, count) * (mean + reach - max(0.0, reach - mean))
        return far - 1.2 * power * math.sqrt(noise) > FAR
