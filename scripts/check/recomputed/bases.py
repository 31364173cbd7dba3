"""Helpers for checking reports: sides of comparisons, bounds of arrays, numbers with a tolerance."""
import collections
import dataclasses
import datetime
import json
import re

import effects
import measures
import rows
import words
from words import Near


@dataclasses.dataclass(frozen=True)
class Side:
    """One side of a comparison, for example `quiz:naive on stub in run 3`.

    Where the run's number could be mistaken for this run's, the page names the run's origin:
    `quiz:naive in run 3 of the accepted baseline`."""

    suite: str
    variant: str
    backend: str | None
    number: str
    origin: str | None = None

    @property
    def name(self):
        return f"{self.suite}:{self.variant}" + (f" on {self.backend}" if self.backend else "")

    @property
    def title(self):
        return f"{self.name} in run {self.run_words}"

    @property
    def run_words(self):
        """The number of the side's run, with its origin if the page names it."""
        return self.number + (f" of {self.origin}" if self.origin else "")


def sides_of(text):
    """The two sides that a text names; None if it doesn't name two."""
    found = [re.fullmatch(r"(\S+?):(\S+)(?: on (\S+))? in run (\d+)(?: of (.+))?", part)
             for part in text.split(" → ")]
    return tuple(Side(*match.groups()) for match in found) if len(found) == 2 and all(found) else None


def interval(share):
    """The interval of a rate over inputs like those of the test cases."""
    return Near(words.interval, *measures.clustered(share.cases.values())) if share[1] else "–"


def ends(share):
    """The ends of the interval of a share whose test cases are known."""
    known = getattr(share, "cases", None)
    return () if known is None else measures.clustered(known.values())


def case_interval(slice, attempts):
    """The interval of a rate over new answers to one test case; copies of an answer count once."""
    hits, count = rows.passed(attempts), len(attempts)
    rate, draws = hits / count, len(effects.separate(slice, attempts))
    return Near(words.interval, *measures.score(rate, draws, measures.Z))


def change(before, now):
    """A change with its interval, as a template and the numbers in it."""
    if not before or not now[1]:
        return ("",)
    return ("{} [{}, {}]", *(
        Near(words.points, v) for v in measures.change_over_cases(before, now)))


def p_value(effect, adjusted, shown):
    """The texts that may stand for a p-value of an effect.

    The program and this script flip signs at random, in different ways. So a text may differ as
    much as chance allows."""
    value = effect.p(adjusted)
    if value is None:
        return "–"
    near = Near(words.p_value, value)
    if effect.sampled or adjusted and effect.has_random_adjustment:
        near.values = ()
        factor = (max(1, effect.size) if adjusted else 1) / effect.part
        slack = 5 * (factor * value * max(0, 1 - value / factor) / 9999) ** 0.5 + 2e-4 * factor
        if value - slack < 0.001:
            near.texts.add("< 0.001")
        number = re.fullmatch(r"\d(\.\d+)?", shown)
        if number and abs(float(shown) - value) <= slack + 0.006:
            near.texts.add(shown)
    return near


def evenly(c, drawing):
    """Checks that the numbers along each axis of a drawing are evenly spaced."""
    ticks = [t for t in drawing.all("text") if "tick" in t.classes]
    c.claim([x for t in ticks for x in t.texts()], "fixed")
    rows = collections.Counter(t.attributes.get("y") for t in ticks)
    axes = collections.defaultdict(list)
    for tick in ticks:
        y = tick.attributes.get("y")
        axes[y if rows[y] > 1 else None].append(float(re.sub(r"[ %+]", "", tick.text()).replace("−", "-")))
    for numbers in axes.values():
        steps = {round(b - a, 6) for a, b in zip(numbers, numbers[1:])}
        if len(steps) > 1 or 0 in steps:
            c.fail(f"the axis has the ticks {numbers}, which are not evenly spaced")


def day(run):
    """The date of a run as the pages write it, for example `27 Nov`."""
    return datetime.date.fromisoformat(run.record["startedAt"][:10]).strftime("%-d %b")


def undated(text, runs):
    """The parts of a text, such as `run 46 (14 Nov)`, that name an unknown run or a wrong date."""
    return [f"run {number} ({date})" for number, date in re.findall(
        r"\b[Rr]un (\d+) \((\d+ [A-Z][a-z]{2})\)", text)
        if number not in runs or day(runs[number]) != date]


def edits(before, after):
    """The number of guides, bounds and choices that differ between two variants."""
    def texts(variant):
        found = {name: variant.get(name) for name in ("instructions", "promptTemplate")}

        def walk(value, path):
            if isinstance(value, list):
                return
            for name, child in value.items():
                if name in ("anyOf", "enum"):
                    found[path, "choices"] = [json.dumps(c) for c in child]
                elif name in ("minItems", "maxItems", "minimum", "maximum", "description", "pattern",
                              "minLength", "maxLength") and not isinstance(child, dict):
                    found[path, name] = child
                elif isinstance(child, dict):
                    walk(child, (*path, name))
        walk(json.loads(variant["schema"]), ())
        return found
    old, new = texts(before), texts(after)
    return sum(old.get(place) != new.get(place) for place in {*old, *new})


def address(attempt):
    key = attempt["key"]
    return f"{key['suite']}/{key['caseID']}#{key['repeatIndex']}"


def asked(rate):
    return words.percent(rate, 0 if abs(rate * 100 - round(rate * 100)) < 1e-9 else 1)


def bounds(match):
    low, high, least, most, exact = match.groups()[:5]
    if exact:
        return int(exact), int(exact)
    return (int(low or least or 0) if (low or least) else None), (
        int(high or most) if (high or most) else None)


def bound_of(text):
    numbers = [int(n) for n in re.findall(r"\d+", text)]
    if not numbers or text.startswith("not"):
        return None, None
    if len(numbers) > 1:
        return numbers[0], numbers[1]
    if re.search("least|more|≥", text):
        return numbers[0], None
    if re.search("most|fewer|≤", text):
        return None, numbers[0]
    return numbers[0], numbers[0]


def bound_of_schema(text, path):
    root = json.loads(text)

    def resolved(schema):
        reference = schema.get("$ref", "")
        while reference.startswith("#/"):
            schema = root
            for part in reference[2:].split("/"):
                schema = schema[part]
            reference = schema.get("$ref", "")
        return schema

    schema = resolved(root)
    for names in re.findall(r"\.([^.\[]+)|\['([^']+)'\]|(\[\*\])", path):
        schema = resolved(schema["items"] if names[2] else schema.get("properties", {})[
            names[0] or names[1]])
    return schema.get("minItems"), schema.get("maxItems")


def first_array(text):
    """The path of a schema's first array, searched depth first; None if there is none."""
    root = json.loads(text)

    def resolved(schema):
        while schema.get("$ref", "").startswith("#/"):
            found = root
            for part in schema["$ref"][2:].split("/"):
                found = found[part]
            schema = found
        return schema

    def search(schema, path, depth):
        schema = resolved(schema)
        if schema.get("type") == "array":
            return path
        if depth > 8:
            return None
        names = schema.get("x-order") or list(schema.get("properties", {}))
        for name in names:
            found = search(schema["properties"][name], path + rows.step(name), depth + 1)
            if found:
                return found
        return None

    return search(root, "$", 0)


def bound_text(bound):
    low, high = bound
    if low is None:
        return f"up to {high}"
    if high is None:
        return f"{low} or more"
    return f"{low}" if low == high else f"{low}…{high}"
