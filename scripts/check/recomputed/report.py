"""Recomputes the numbers in report.html."""
import re

import effects
from attempts import Attempts
from bases import sides_of
from cases import Cases
from lab import Lab
from page import Page, Table
from rates import Rates
from shapes import Shapes


class Report(Rates, Cases, Shapes, Attempts):
    """A page, its run, and all runs of the database.

    `known` also has the runs that this run was compared with, which the database may lack."""

    def __init__(self, text, runs, run, checker):
        self.page, self.runs, self.run, self.c = Page(text).root, runs, run, checker
        self.known = [*runs.values(), *run.references.values()]
        self.numbers = {str(known.number) for known in self.known}
        self.sections = {s.attributes.get("id"): s for s in self.page.all("section")}
        self.baselines = {}
        self.comparisons = {}
        for table in self.tables("comparison"):
            sides = sides_of(table.caption.partition(", ")[2])
            if sides and all(map(self.run_of, sides)):
                self.comparisons[table.caption] = sides
        self.by_effect, self.pass_rates, nights = {}, {}, []
        # A comparison without attempts on both sides has no table.
        several = len(run.references) > 1 or sum(
            a.run_words != b.run_words for a, b in set(self.comparisons.values())) > 1
        for sides in self.comparisons.values():
            if sides in self.by_effect:
                continue
            is_of_nights = sides[0].run_words != sides[1].run_words
            for backend in (b["id"] for b in run.record["backends"]):
                slices = [
                    self.run_of(side).slice((side.suite, side.variant, side.backend or backend))
                    for side in sides]
                if None in slices or sides[1].backend not in (None, backend):
                    continue
                self.baselines[slices[1].key] = slices[0]
                own = effects.ALPHA if is_of_nights else self.alpha(slices[1])
                found = effects.compare(*slices, runs, own, several and is_of_nights)
                self.by_effect.setdefault(sides, {})[backend] = found
                self.pass_rates[slices[1].key] = found.get("pass rate")
                if is_of_nights:
                    nights.append(found)
                else:
                    effects.adjust([found], self.alpha(slices[1]))
        self.lab = None
        # The comparisons of a run with its baselines share the significance level.
        effects.adjust(nights, several=several)
        if run.record["details"].get("lab") and self.by_effect:
            self.lab = Lab(self)

    def run_of(self, side):
        """The run of a side; None if neither the run nor the database has it.

        A suite's reference comes first, because another run may have its number."""
        if side.run_words == str(self.run.number):
            return self.run
        reference = self.run.references.get(side.suite)
        if reference and str(reference.number) == side.number:
            return reference
        return None if side.origin else self.runs.get(side.number)

    @property
    def history(self):
        """The nights up to this one, without those that ran only on other models."""
        models = {s.key[2]: s.model for s in self.run.slices}
        nights = [r for r in self.runs.values() if r.is_night and r.number <= self.run.number and (
            not r.is_part or r.number == self.run.number) and (
            not r.slices or any(models.get(s.key[2], s.model) == s.model for s in r.slices))]
        return sorted(nights, key=lambda r: r.number)

    def alpha(self, slice):
        """The significance level of a comparison of variants."""
        record = slice.run.record
        lab, compared = record["details"].get("lab") or {}, record.get("comparison") or {}
        alpha = compared.get("alpha", effects.ALPHA)
        return lab.get("togetherAlpha", alpha) if lab.get("together") == slice.key[1] else alpha

    def tables(self, section):
        node = self.sections.get(section)
        return [Table(t) for t in node.all("table")] if node else []

    def before(self, slice):
        return self.baselines.get(slice.key)

    def reference(self, slice):
        """What a slice was to be compared with, even if it lacks attempts for a comparison."""
        run = self.run.references.get(slice.key[0])
        return self.before(slice) or (run.slice(slice.key) if run else None)

    def slices(self, name):
        """The slices in a cell such as `quiz`, `quiz:naive on stub`, `all on local` or `2 of 6`."""
        name = re.sub(r", of all (?:attempts|arrays)$", "", name)
        match = re.fullmatch(r"(all|\d+ of \d+)(?: on (.*))?", name)
        if not match:
            slice = self.run.named(name)
            return [slice] if slice else None
        judged = self.candidates() or self.run.judged
        judged = [s for s in judged if match[2] in (None, s.key[2]) and s.attempts]
        compared = [s for s in judged if self.before(s)] or judged
        words_ = "all" if len(compared) == len(judged) else f"{len(compared)} of {len(judged)}"
        if words_ != match[1]:
            raise ValueError(f"{name} should be {words_}")
        return compared

    def candidates(self):
        return [s for s in self.run.slices if self.before(s) and self.before(s).key != s.key]
