"""Checks the scorecard and the comparisons on a page."""
import collections
import re

import measures
import rows
import words
from bases import bound_of, bound_of_schema, bounds, change, interval, plain4, within
from page import Node, Table
from words import Near, flat


class Rates:
    """Rates, costs and effects."""

    # MARK: Rates

    def rate(self, name, slices):
        """The hits and the total of a row of the scorecard."""
        attempts = [a for s in slices for a in s.attempts]
        if name == "Attempts passing":
            return rows.passed(attempts), len(attempts)
        if name == "Valid output returned":
            return sum(rows.is_valid(a) for a in attempts), len(attempts)
        slice = slices[0]
        if match := re.fullmatch(r"Empty arrays, (\S+)", name):
            found = rows.lengths(attempts, match[1])
            # For an array outside all other arrays, the report counts attempts instead of arrays.
            return found.count(0), len(found) if "[*]" in match[1] else len(attempts)
        if match := re.fullmatch(r"Array length (?:(\d+)…(\d+)|(\d+) or more|up to (\d+)|(\d+)), (\S+)", name):
            low, high = bounds(match)
            if (low, high) != self.bound(slices, match[6]):
                raise ValueError(f"the bound is {self.bound(slices, match[6])}")
            found = rows.lengths(attempts, match[6])
            return sum(low <= n <= high for n in found), \
                len(found) if "[*]" in match[6] else len(attempts)
        if match := re.fullmatch(r"Wrong branch at (\S+|the top level)", name):
            counts = rows.confusion(slice, "$" if match[1] == "the top level" else match[1], attempts)
            wrong = sum(n for (want, got), n in counts.items() if got is not None and got != want)
            return wrong, sum(counts.values())
        if match := re.fullmatch(r"Recall of the fallback case “(.+)”", name):
            paths = {e["path"] for c in slice.suite["cases"] for e in c["expectedBranches"]
                     if e["branch"] == match[1]}
            counts = sum((rows.confusion(slice, p, attempts) for p in paths), collections.Counter())
            return counts[match[1], match[1]], sum(
                n for (want, _), n in counts.items() if want == match[1])
        raise KeyError(name)

    def bound(self, slices, path):
        """The bound on an array: from a count assertion in this run, or else from the schema."""
        own = self.run.slice(slices[0].key) or slices[0]
        for attempt in own.attempts[:50]:
            for verdict in attempt["verdicts"]:
                if verdict["type"] == "count" and rows.general(verdict["path"]) == path:
                    return bound_of(verdict["expected"])
        return bound_of_schema(own.variant["schema"], path)

    def rate_before(self, name, slices):
        compared = [self.before(s) for s in slices]
        if None in compared:
            return None
        found = self.rate(name, compared)
        return found if found[1] else None

    def scorecard(self, c):
        for table in self.tables("scorecard"):
            if table.head[0] == "cost":
                for row in table.rows:
                    c.unit(f"{table.caption}, {row[0].text()}", self.cost, row)
                continue
            tested = {}
            for number, row in enumerate(table.rows):
                slices = self.slices(row["suite"].text())
                if slices is None:
                    continue
                now = self.rate(row[0].text(), slices)
                before = self.rate_before(row[0].text(), slices)
                if before and now[1]:
                    tested[number] = measures.fisher(before, now)
            adjusted = dict(zip(tested, measures.holm(list(tested.values()))))
            for number, row in enumerate(table.rows):
                # The other rows are effects of a comparison, which has a table of its own.
                if self.slices(row["suite"].text()) is not None:
                    c.unit(
                        f"{table.caption}, {row[0].text()}", self.rate_row, row,
                        adjusted.get(number))

    def rate_row(self, c, row, p):
        c.claim([*row[0].texts(), *row["suite"].texts()], "computed")
        slices = self.slices(flat(row["suite"].text()))
        hits, count = now = self.rate(row[0].text(), slices)
        if "counted" in row:
            c.shown(row["counted"], "{} of {}", words.grouped(hits), words.grouped(count))
            c.shown(row["share"], "{}", words.rate(hits, count))
            c.shown(row["95 % CI"], "{}", interval(hits, count))
            return
        c.shown(row["this run"], "{} {}/{}", words.rate(hits, count), words.grouped(hits),
                words.grouped(count))
        before = self.rate_before(row[0].text(), slices)
        c.shown(row["baseline"], words.rate(*before) if before else "–")
        c.shown(row["pp, 95 % CI"], *change(before, now))
        # The comparison's test decides; a rate that it didn't test has no p-value.
        tested = [e for s in slices for by in self.by_effect.values()
                  for e in by.get(s.key[2], {}).values()]
        shown = row["p (Holm)"].text()
        c.claim(row["p (Holm)"].texts(), "computed")
        if shown != "–" and not any(
                e.sampled or e.pool or shown in Near(words.p_value, e.p(True)).texts for e in tested):
            c.fail(f"no test gives p = {shown}")

    def cost(self, c, row):
        match = re.fullmatch(r"(Latency|Output tokens|Prompt tokens) p(50|95)", row[0].text())
        field = {"Latency": "duration", "Output tokens": "outputTokens",
                 "Prompt tokens": "promptTokens"}[match[1]]
        c.claim([*row[0].texts(), *row["suite"].texts()], "computed")
        slice = self.run.named(row["suite"].text())
        values = [[a[field] for a in s.attempts] for s in (self.before(slice), slice)]
        share = int(match[2]) / 100
        write = words.duration if field == "duration" else lambda v: words.fixed(v, 0) + " tok"
        for name, own in zip(("baseline", "this run"), values):
            c.shown(row[name], "{}", Near(write, measures.quantile(own, share)))
        moved = measures.ratio(*values, share)
        percent = [Near(lambda v: words.signed(v * 100, 1), v) for v in moved]
        c.shown(row["%, 95 % CI"], "{} [{}, {}]", *percent)

    # MARK: Comparisons

    def comparison(self, c):
        for table in self.tables("comparison"):
            if table.caption not in self.comparisons:
                c.skip("comparison with a run that is not in the database")
                continue
            before, after = self.comparisons[table.caption]
            for row in table.rows:
                c.unit(f"{table.caption}, {row[0].own()}", self.effect, row, before, after)
        for heading in (self.sections.get("comparison") or Node("", {}, None)).all("h3"):
            c.unit("comparison, heading", self.comparison_heading, heading)
        for summary in (self.sections.get("comparison") or Node("", {}, None)).all("summary"):
            c.unit("comparison, rows without a change", self.folded, summary)

    def folded(self, c, summary):
        table = summary.parent.first("table")
        if not table:
            return
        count = words.counted(len(Table(table).rows), "quantity", "quantities")
        c.shown(summary, "{} with the verdict “no change”", count)

    def comparison_heading(self, c, heading):
        names = {f"{b.name}, run {b.number} → run {a.number}" for b, a in self.by_effect
                 if b.name == a.name}
        names |= {f"{b.title} → {a.title}" for b, a in self.by_effect}
        names |= {f"{b.name} → {a.name}" for b, a in self.by_effect if b.number == a.number}
        c.claim(heading.texts(), "quoted")
        if not any(heading.text().startswith(name) for name in names) and re.search(
                r"\d", heading.text()):
            c.fail(f"no comparison is called {heading.text()}")

    def found_effect(self, row, before, after):
        backends = self.by_effect[before, after]
        note = row[0].first("span", "below")
        for backend, found in backends.items():
            if len(backends) == 1 or note and f" on {backend}" in note.text():
                return found[row[0].own()]
        raise KeyError(row[0].own())

    def effect(self, c, row, before, after):
        effect = self.found_effect(row, before, after)
        c.claim(row[0].texts(), "computed")
        sampled = 0.004 if effect.sampled else 1e-9
        for name, number in (("baseline", 0), ("candidate", 1)):
            if effect.counts:
                hits, count = effect.counts[number]
                c.shown(row[name], "{}{} of {}", words.rate(hits, count), words.grouped(hits),
                        words.grouped(count))
            else:
                c.shown(row[name], "{}over {}", Near(words.percent, effect.means[number]),
                        words.counted(effect.cases, "test case"))
        self.near(c, row["pp, 95 % CI"], [effect.change, effect.low, effect.high], 100,
                  [1e-9, sampled, sampled])
        for name, adjusted in (("p", False), ("adjusted p", True)):
            slack = 5 * (effect.p(adjusted) * (1 - effect.p(adjusted)) / 9999) ** 0.5 + 2e-4
            c.shown(row[name], "{}", Near(words.p_value, effect.p(adjusted)) if not effect.sampled
                    else within(row[name], words.p_value, effect.p(adjusted), slack))
        self.effect_note(c, row[0], effect)

    def near(self, c, node, values, scale, slacks):
        """Checks a text such as `+26.8 [+12.4, +41.3]`; each number may differ by its slack."""
        c.claim(node.texts(False), "computed")
        shown = [float(n.replace("−", "-").replace("±", "")) for n in re.findall(
            r"[-+−±]\d+\.\d+", node.text())]
        if len(shown) != len(values) or any(
                abs(s - scale * v) > 0.05 + 1e-7 + scale * slack
                for s, v, slack in zip(shown, values, slacks)):
            c.fail(f"shown {node.text()}, computed {[round(scale * v, 3) for v in values]}")

    def effect_note(self, c, cell, effect):
        note = cell.first("span", "below")
        if not note:
            return
        text = note.text()
        patterns = [
            r"needs (?:at least \d+|about \d+)[^;]*", r"even [^;]*", r"the mean shift is at the margin[^;]*",
            r"the interval excludes zero, but the test requires more than the margin of [\d.]+ points, "
            r"and adjusts for all tests",
            r"a worsening of more than [\d.]+ points is excluded",
            r"a worsening of [\d.]+ points would have been found with a probability of 80 %",
            r"\d+ more test cases? would exclude a worsening of more than \d+ points",
            r"suspected: p = [\d.e-]+ for this test alone", r"the change is concentrated in \d+ test cases?(?: or more)?: .*",
            r"\d+ draws? in \d+ attempts?: identical answers count once"]
        if effect.pool:
            return self.pool_note(c, text, effect.pool)
        if effect.counts:
            count, lost, won, without, pairs = effect.note
            patterns += [
                f"all {count} outputs are the same on both sides", "the output is the same on both sides",
                f"flips in {words.counted(count, 'pair')}: {lost} for the worse, {won} for the better",
                f"{without} of {words.counted(pairs, 'pair')} have no value to judge"]
            if effect.new_inputs is not None:
                slack = 0.02 if effect.new_sampled else 1e-9
                found = re.search(r"p = ([\d.e-]+), two-sided, if", text)
                if found and abs(float(found[1]) - effect.new_inputs) > 5.1e-5 + slack:
                    c.fail(f"shown {found[0]}, computed {effect.new_inputs:.5f}")
                patterns.append(r"p = [\d.e-]+, two-sided, if the test cases are a sample of inputs")
        else:
            rose, fell, cases, first, second, left_out, lost = effect.note
            patterns += [
                f"rose in {rose} and fell in {fell} of {words.counted(cases, 'test case')}",
                rf"most in \S+: {plain4(first)} → {plain4(second)}",
                r"no probability was measured in \d+ of \d+ test cases?"]
            if left_out:
                patterns.append(
                    rf"left out because more than 0\.05 is unresolved: {words.counted(left_out, 'decision')}"
                    + (rf", and with them {lost} of \d+ test cases?" if lost else ""))
        patterns.append(r"[^;·\d]* on \S+")
        for part in re.split(r"; | · ", text):
            if re.search(r"\d", part) and not any(re.fullmatch(p, part) for p in patterns):
                c.fail(f"the note says “{part}”, computed {effect.note}")

    def pool_note(self, c, text, pool):
        """Checks the counts of the pooled history, and that the note names no run after this one."""
        count, nights, repeated, known = pool
        wanted = f"{words.counted(count, 'attempt')} of {words.counted(nights, 'run')} with the same guides, " \
            "model and options, each seed once"
        wanted += f" ({words.counted(repeated, 'duplicate')} left out)" if repeated else ""
        rest = re.sub(r"^more fresh repeats \(--fresh\) would tell more; ", "", text)
        if not rest.startswith(wanted):
            return c.fail(f"the note says “{text}”, computed “{wanted}”")
        rest = rest[len(wanted):]
        again = (f"; {known} of the candidate's attempts "
                 f"{'is' if known == 1 else 'are'} already in the history") if known else ""
        if not rest.endswith(again):
            c.fail(f"the note says “{text}”, computed “{again}”")
        rest = rest.removesuffix(again) if again else rest
        for runs in re.findall(r"run (\d+)|(?:, |without )(\d+) runs?", rest):
            if int(runs[0] or runs[1]) > self.run.number:
                c.fail(f"the note “{text}” names a run after this one")
