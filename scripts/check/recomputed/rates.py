"""Checks the scorecard and the comparisons on a page."""
import collections
import re

import measures
import rows
import words
from bases import bound_of, bound_of_schema, bounds, change, ends, interval, p_value
from page import Node, Table
from words import Near, flat


class Rates:
    """Rates, costs and effects."""

    # MARK: Rates

    def rate(self, name, slices):
        """The hits and the total of a row of the scorecard."""
        attempts = [a for s in slices for a in s.attempts]
        if name == "Attempts passing":
            return rows.passing(attempts)
        if name == "Valid output returned":
            return rows.Share.of((a, rows.is_valid(a), 1) for a in attempts)

        def lengths(path, is_hit):
            # For an array that isn't nested in another array, the report counts attempts instead of
            # arrays.
            for attempt in attempts:
                found = rows.lengths([attempt], path)
                yield attempt, sum(map(is_hit, found)), len(found) if "[*]" in path else 1

        def branches(path, is_asked, is_hit):
            for attempt in attempts:
                for (want, got), count in rows.confusion(slice, path, [attempt]).items():
                    yield attempt, count * is_hit(want, got), count * is_asked(want)
        slice = slices[0]
        if match := re.fullmatch(r"Empty arrays, (\S+)", name):
            return rows.Share.of(lengths(match[1], lambda n: n == 0))
        if match := re.fullmatch(r"Array length (?:(\d+)…(\d+)|(\d+) or more|up to (\d+)|(\d+)), (\S+)", name):
            low, high = bounds(match)
            if (low, high) != self.bound(slices, match[6]):
                raise ValueError(f"the bound is {self.bound(slices, match[6])}")
            return rows.Share.of(lengths(match[6], lambda n: (low or 0) <= n <= (n if high is None else high)))
        if match := re.fullmatch(r"Wrong branch at (\S+|the top level)", name):
            path = "$" if match[1] == "the top level" else match[1]
            return rows.Share.of(branches(
                path, lambda want: True, lambda want, got: got is not None and got != want))
        if match := re.fullmatch(r"Recall of the fallback case “(.+)”", name):
            paths = {e["path"] for c in slice.suite["cases"] for e in c["expectedBranches"]
                     if e["branch"] == match[1]}
            return rows.Share.of(e for p in paths for e in branches(
                p, lambda want: want == match[1], lambda want, got: want == got == match[1]))
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
            for row in table.rows:
                # The other rows show effects of a comparison, which also has its own table.
                check = self.moved_row if self.slices(row["suite"].text()) is None else self.rate_row
                c.unit(f"{table.caption}, {row[0].text()}", check, row)

    def rate_row(self, c, row):
        c.claim([*row[0].texts(), *row["suite"].texts()], "computed")
        slices = self.slices(flat(row["suite"].text()))
        name = (row[0].first("a") or row[0]).text()
        if "share" in row:
            share = self.rate(row[0].text(), slices)
            c.shown(row["share"], "{} {}/{}", words.rate(*share), *map(words.grouped, share))
            row["share"].computed = ends(share)
            c.shown(row["95 % CI"], "{}", interval(share))
            return
        note = row[0].first("span", "below")
        match = note and re.search(r"^(?:compared attempts; )?(.*): ([\d,]+) of ([\d,]+)$", note.text())
        if match:
            of = name if match[1] == "all attempts" else match[1]
            if self.rate(of, slices) != tuple(int(n.replace(",", "")) for n in match.groups()[1:]):
                c.fail(f"{note.text()}, computed {self.rate(of, slices)}")
        if row["p (Holm)"].text() != "–" or row["this run"].first("span", "below"):
            return self.tested_row(c, row, name, slices)
        # No comparison tested the rate, or it pools the compared attempts of several suites.
        pooled = [e for s in slices for e in self.effects_on(s) if e.title == "pass rate"]
        if name == "Attempts passing" and len(pooled) == len(slices):
            before, now = [tuple(map(sum, zip(*side))) for side in zip(*(e.counts for e in pooled))]
            known = [measures.added([(e.counts[n], e.ends[n]) for e in pooled]) for n in range(2)]
        else:
            before, now = self.rate_before(name, slices), self.rate(name, slices)
            known = ends(before), ends(now)
        c.shown(row["this run"], "{} {}/{}", words.rate(*now), *map(words.grouped, now))
        c.shown(row["baseline"], "{} {}/{}", words.rate(*before), *map(words.grouped, before)) if before \
            else c.shown(row["baseline"], "–")
        row["baseline"].computed, row["this run"].computed = known
        if row["change, pp"].text() == "–":
            c.claim(row["change, pp"].texts(), "computed")
        else:
            c.shown(row["change, pp"], *change(before, now))

    def tested_row(self, c, row, name, slices):
        """Checks a rate with the numbers of the comparison that tested it."""
        for effect in [e for s in slices for e in self.effects_on(s)
                       if e.title == name or self.is_effect_on(name, e.title)]:
            below = row["this run"].first("span", "below").text()
            if below == self.bases(effect)[1]:
                break
        else:
            return c.fail(f"no effect fits {name}, {row['suite'].text()}")
        self.sides(c, row, ("baseline", "this run"), effect)
        self.moved(c, row["change, pp"], effect)
        c.shown(row["p (Holm)"], "{}", p_value(effect, True, row["p (Holm)"].text()))

    @staticmethod
    def bases(effect):
        """The counts behind both sides of an effect: `49 of 60`, or `over 20 test cases`."""
        over = f"over {words.counted(effect.cases, 'test case')}"
        return ["{} of {}".format(*map(words.grouped, side)) if side else over
                for side in effect.counts or [None] * 2]

    def moved_row(self, c, row):
        """Checks an effect of a comparison; the row's second column names the compared slices."""
        c.claim([*row[0].texts(), *row["suite"].texts()], "computed")
        found = [e for (before, after), by in self.by_effect.items() for backend, effects in by.items()
                 for title, e in effects.items() if flat(words.line(title)) == row[0].text()
                 and self.scope(before, after, backend) == row["suite"].text()]
        if len(found) != 1:
            return c.fail(f"no effect is called {row[0].text()}, {row['suite'].text()}")
        effect = found[0]
        self.sides(c, row, ("baseline", "this run"), effect)
        self.moved(c, row["change, pp"], effect)
        c.shown(row["p (Holm)"], "{}", p_value(effect, True, row["p (Holm)"].text()))

    def scope(self, before, after, backend):
        """The slices that an effect compares, for example `quiz:bare → naive on local`."""
        if before.suite != after.suite:
            names = f"{before.suite}:{before.variant} → {after.suite}:{after.variant}"
        elif before.variant != after.variant:
            names = f"{after.suite}:{before.variant} → {after.variant}"
        else:
            several = len(self.run.suites[after.suite]["variants"]) > 1
            names = after.suite + (f":{after.variant}" if several else "")
        return f"{names} on {after.backend or backend}"

    def effects_on(self, slice):
        """All effects that comparisons found for a slice."""
        return [e for (_, after), by in self.by_effect.items() for backend, found in by.items()
                for e in found.values()
                if (after.suite, after.variant, after.backend or backend) == slice.key]

    @staticmethod
    def is_effect_on(name, title):
        """Whether the effect titled `title` is the change in the scorecard's rate called `name`."""
        kind, _, path = name.rpartition(", ")
        path = path if kind else ("$" if name.endswith(" at the top level") else name.split()[-1])
        recall = re.match(r"Recall of the fallback case “(.+)”", name)
        starts = {"Attempts passing": "pass rate$", "Empty arrays": r"(P\(empty\) at|empty) ",
                  "Array length": r"P\(fewer than \d+\) at ",
                  "Wrong branch": r"(P\(wrong branch\)|wrong branch) at "}
        start = next((s for k, s in starts.items() if name.startswith(k)), None)
        if recall:
            return title.startswith((f"P(not {recall[1]}) at ", f"missed {recall[1]} at "))
        return bool(start and re.match(start if start.endswith("$") else start + re.escape(path) + "$",
                                       title))

    def cost(self, c, row):
        match = re.fullmatch(r"(Latency|Output tokens|Prompt tokens) p(50|95)", row[0].text())
        field = {"Latency": "duration", "Output tokens": "outputTokens",
                 "Prompt tokens": "promptTokens"}[match[1]]
        c.claim([*row[0].texts(), *row["suite"].texts()], "computed")
        slice = self.run.named(row["suite"].text())
        values = [rows.known(s.attempts, field) for s in (self.before(slice), slice)]
        share = int(match[2]) / 100
        write = words.duration if field == "duration" else lambda v: words.fixed(v, 0) + " tok"
        for name, own in zip(("baseline", "this run"), values):
            c.shown(row[name], "{}", Near(write, measures.quantile(own, share)))
        moved = measures.ratio(*values, share)
        percent = [Near(lambda v: words.signed(v * 100, 1), v) for v in moved]
        c.shown(row["change, %"], "{} [{}, {}]", *percent)

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
        names = {f"{b.name}, run {b.run_words} → run {a.run_words}" for b, a in self.by_effect
                 if b.name == a.name}
        names |= {f"{b.title} → {a.title}" for b, a in self.by_effect}
        names |= {f"{b.name} → {a.name}" for b, a in self.by_effect if b.run_words == a.run_words}
        c.claim(heading.texts(), "quoted")
        # A comparison of runs that have nothing in common has no effects.
        if match := re.fullmatch(
                r"\S+(?: on \S+)?, run (\d+)(?: of .+)? → run (\d+) not comparable",
                heading.text()):
            names |= {heading.text()} if {*match.groups()} <= self.numbers else set()
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
        self.sides(c, row, ("baseline", "candidate"), effect)
        self.moved(c, row["change, pp"], effect)
        for name, adjusted in (("p", False), ("p (adjusted)", True)):
            c.shown(row[name], "{}", p_value(effect, adjusted, row[name].text()))
        self.effect_note(c, row[0], effect)

    def sides(self, c, row, names, effect):
        """Checks the two sides of an effect."""
        for number, name in enumerate(names):
            c.shown(row[name], "{}{}", self.sides_of_effect(effect)[number],
                    self.bases(effect)[number])
            row[name].computed = effect.side(number)

    def moved(self, c, node, effect):
        """Checks a change with its interval: `+26.8 [+12.4, +41.3]`.

        Some intervals rest on a random test, so their ends may differ a little."""
        values = effect.change, effect.low, effect.high
        slack = 0.4 if effect.has_random_ends else 1e-7
        node.computed = () if effect.has_random_ends else values
        c.claim(node.texts(False), "computed")
        shown = [float(n.replace("−", "-").replace("±", "")) for n in re.findall(
            r"[-+−±]\d+\.\d+", node.text())]
        if len(shown) != 3 or any(abs(s - 100 * v) > 0.05 + 1e-7 + more for s, v, more in zip(
                shown, values, (1e-7, slack, slack))):
            c.fail(f"shown {node.text()}, computed {[round(100 * v, 3) for v in values]}")

    def effect_note(self, c, cell, effect):
        """Checks each part of the note below a quantity; parts without a digit need no check."""
        note = cell.first("span", "below")
        parts = re.split(r"; | · ", note.text()) if note else []
        for part in parts:
            if re.search(r"\d", part) and not self.note_part(part.replace(",", ""), effect):
                c.fail(f"the note says “{part}”, computed {effect.note or effect.pool}")

    def note_part(self, part, effect):
        """Whether the rows confirm a part of a note.

        The caller has removed the commas from the part."""
        points = lambda value: words.fixed(value * 100, 1).removesuffix(".0")
        four = lambda value: repr(round(value * 10_000) / 10_000)
        counted, slack = words.counted, 0.004 if effect.sampled else 1e-9
        if match := re.fullmatch(
                r"a worsening of (?:more than )?([\d.]+) points? (is excluded|would have been found "
                r"with a probability of 80 %)", part):
            value = effect.excluded if "excluded" in part else effect.visible
            return match[1] in Near(points, value).texts or effect.sampled and abs(
                float(match[1]) - 100 * value) < 0.06 + 100 * slack * 3
        if match := re.fullmatch(
                r"(\d+) more test cases? would exclude a worsening of more than (\d+) points", part):
            more, usual = effect.cases_to_exclude, effect.equivalence[2]
            return match[2] == points(usual) and (
                int(match[1]) == more or effect.sampled and abs(int(match[1]) - more) <= 0.1 * more + 1)
        if match := re.match(r"(suspected: )?p = ([\d.e-]+)(?: for this test alone|, two-sided, if|"
                             r" two-sided if)", part):
            value = effect.worse if match[1] else effect.new_inputs
            sampled = effect.sampled if match[1] else effect.new_sampled
            return abs(float(match[2]) - value) <= 5.1e-5 + (0.02 if sampled else 1e-9)
        if match := re.match(r"these test cases got worse by more than chance explains \(p = ([\d.e-]+)\)", part):
            return abs(float(match[1]) - effect.exact[0]) <= 5.1e-5
        if match := re.match(r"the change is concentrated in (\d+) test cases?(?: or more)?: (.*)", part):
            return self.concentrated(int(match[1]), match[2], effect)
        if effect.pool:
            return self.pool_part(part, effect)
        texts = [f"{counted(effect.draws, 'draw')} in {counted(effect.attempts, 'attempt')}: "
                 "identical answers count once"]
        if effect.counts:
            count, lost, won, without, pairs = effect.note
            texts += [
                f"all {count} outputs are the same on both sides",
                f"flips in {counted(count, 'pair')}: {lost} for the worse, {won} for the better",
                f"{without} of {counted(pairs, 'pair')} have no value to judge"]
        else:
            rose, fell, cases, first, second, left_out, lost, asked = effect.note
            texts.append("depends on sampled text: judged by the spread of "
                         f"{counted(effect.fewest, 'draw')} of each test case or more")
            texts.append(f"rose in {rose} and fell in {fell} of {counted(cases, 'test case')}")
            texts.append(f"no probability was measured in {asked - cases - lost} of "
                         f"{counted(asked, 'test case')}")
            texts.append("left out because more than 0.05 is unresolved: "
                         + counted(left_out, "decision") + (
                             f" and with them {lost} of {counted(asked, 'test case')}" if lost else ""))
            if match := re.fullmatch(r"most in (\S+): ([\d.e-]+) → ([\d.e-]+)", part):
                most = effect.rates.get(match[1])
                return most and [float(match[2]), float(match[3])] == [
                    float(four(v)) for v in most] == [float(four(first)), float(four(second))]
        if part.replace(",", "") in [text.replace(",", "") for text in texts]:
            return True
        return self.need(part, effect) or re.fullmatch(r"[^;·\d]* on \S+", part)

    def need(self, part, effect):
        """Whether a part of a note says how much more data a verdict would need."""
        return re.fullmatch(
            r"needs (?:at least \d+|about \d+)[^;]*|even [^;]*|the mean shift is at the margin[^;]*|"
            r"the interval excludes zero but the test requires more than the margin of [\d.]+ points "
            r"and adjusts for all tests", part)

    @staticmethod
    def concentrated(count, text, effect):
        """Whether the test cases that a note names are those with the largest change.

        A note names at most five test cases, and counts at most ten."""
        order = sorted(effect.rates.items(), key=lambda pair: pair[1][0] - pair[1][1])
        fall = max([0.0] + [a - b for a, b in effect.rates.values()])
        direction = 1
        if effect.worsening < 0:
            order, direction = order[::-1], -1
            fall = max([0.0] + [b - a for a, b in effect.rates.values()])
        risen = [(case, pair) for case, pair in order
                 if direction * (pair[1] - pair[0]) >= max(0.25, fall + 1e-12)]
        shown = re.findall(r"(\S+) \(([\d.]+ %) → ([\d.]+ %)\)", text)
        more = re.search(r" and (\d+) more", text)
        known = {case: tuple(words.percent(v) for v in pair) for case, pair in risen}
        return len(risen) >= count and (count == 10 or len(risen) == count) and (
            len(shown) == min(5, count)) and all(known.get(c) == (a, b) for c, a, b in shown) and (
            int(more[1]) if more else 0) == max(0, count - 5)

    def pool_part(self, part, effect):
        """Whether a part of a note gives the counts of the pooled history."""
        count, nights, repeated, known, lasting, left_out = effect.pool
        counted = words.counted
        wanted = f"{counted(count, 'attempt')} of {counted(nights, 'run')} with the same guides, " \
            "model and options, each seed counted once"
        wanted += f" ({counted(repeated, 'duplicate')} left out)" if repeated else ""
        for what, runs in left_out.items():
            what = {"part": "only a part of the suite", "past": "worse than the runs before and "
                    "after"}.get(what, f"other {what}")
            if len(runs) == 1:
                wanted += f", run {runs[0]} left out ({what})"
            elif runs:
                wanted += f", {len(runs)} runs left out ({what}; the last is run {runs[-1]})"
        # The part may be one half of a text that has a semicolon.
        is_are = "is" if known == 1 else "are"
        whole = [wanted, f"{known} of the candidate's attempts {is_are} already in the history",
                 f"the drop has lasted for {counted(lasting + 1, 'night')}",
                 "more fresh repeats (--fresh) would tell more"]
        return part in [piece for text in whole for piece in text.replace(",", "").split("; ")]
