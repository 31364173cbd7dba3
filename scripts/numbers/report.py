"""Every number of report.html, recomputed."""
import collections
import json
import re

import effects
import measures
import rows
import words
from page import Node, Page, Row, Table
from words import Near, flat


class Report:
    """A page beside the run that it is about and the runs it is compared with."""

    def __init__(self, text, runs, run, checker):
        self.page, self.runs, self.run, self.c = Page(text).root, runs, run, checker
        self.sections = {s.attributes.get("id"): s for s in self.page.all("section")}
        self.baselines = {}
        self.comparisons = {}
        for table in self.tables("comparison"):
            match = re.search(
                r"(\S+):(\S+) in run (\d+) → (\S+):(\S+) in run (\d+)$", table.caption)
            if match and {match[3], match[6]} <= set(runs):
                self.comparisons[table.caption] = match.groups()
        self.by_effect = {}
        for groups in self.comparisons.values():
            sides = groups[:3], groups[3:]
            if sides in self.by_effect:
                continue
            for backend in (b["id"] for b in run.record["backends"]):
                slices = [
                    runs[number].slice((suite, variant, backend)) for suite, variant, number in sides]
                if None in slices:
                    continue
                self.baselines[slices[1].key] = slices[0]
                self.by_effect.setdefault(sides, {})[backend] = effects.compare(*slices)

    def tables(self, section):
        node = self.sections.get(section)
        return [Table(t) for t in node.all("table")] if node else []

    def before(self, slice):
        return self.baselines.get(slice.key)

    def slices(self, name):
        """The slices that a scope names: `quiz`, `quiz:naive on stub`, `all on local`, `2 of 6`."""
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

    # MARK: Rates

    def rate(self, name, slices):
        """What a row of the scorecard counts, of how many."""
        attempts = [a for s in slices for a in s.attempts]
        if name == "Attempts passing":
            return rows.passed(attempts), len(attempts)
        if name == "A value came back":
            return sum(a["outcome"] != "error" for a in attempts), len(attempts)
        slice = slices[0]
        if match := re.fullmatch(r"Empty arrays, (\S+)", name):
            found = rows.lengths(attempts, match[1])
            return found.count(0), len(found)
        if match := re.fullmatch(r"Array length (?:(\d+)…(\d+)|(\d+) or more|up to (\d+)|(\d+)), (\S+)", name):
            low, high = bounds(match)
            if (low, high) != self.bound(slices, match[6]):
                raise ValueError(f"the bound is {self.bound(slices, match[6])}")
            found = rows.lengths(attempts, match[6])
            return sum(low <= n <= high for n in found), len(found)
        if match := re.fullmatch(r"Wrong branch, (\S+)", name):
            counts = rows.confusion(slice, match[1], attempts)
            wrong = sum(n for (want, got), n in counts.items() if got is not None and got != want)
            return wrong, sum(counts.values())
        if match := re.fullmatch(r"Out-branch recall, (.+)", name):
            paths = {e["path"] for c in slice.suite["cases"] for e in c["expectedBranches"]
                     if e["branch"] == match[1]}
            counts = sum((rows.confusion(slice, p, attempts) for p in paths), collections.Counter())
            return counts[match[1], match[1]], sum(
                n for (want, _), n in counts.items() if want == match[1])
        raise KeyError(name)

    def bound(self, slices, path):
        """The bound that a count assertion states, of the run's own suites."""
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
                now = self.rate(row[0].text(), slices)
                before = self.rate_before(row[0].text(), slices)
                if before and now[1]:
                    tested[number] = measures.fisher(before, now)
            adjusted = dict(zip(tested, measures.holm(list(tested.values()))))
            for number, row in enumerate(table.rows):
                c.unit(
                    f"{table.caption}, {row[0].text()}", self.rate_row, row, adjusted.get(number))

    def rate_row(self, c, row, p):
        c.claim([*row[0].texts(), *row["suite"].texts()], "computed")
        slices = self.slices(flat(row["suite"].text()))
        hits, count = now = self.rate(row[0].text(), slices)
        if "counted" in row:
            c.shown(row["counted"], "{} of {}", words.grouped(hits), words.grouped(count))
            c.shown(row["share"], words.rate(hits, count))
            c.shown(row["95 % CI"], interval(hits, count))
            return
        c.shown(row["this run"], "{} {}/{}", words.rate(hits, count), words.grouped(hits),
                words.grouped(count))
        before = self.rate_before(row[0].text(), slices)
        c.shown(row["baseline"], words.rate(*before) if before else "–")
        c.shown(row["pp, 95 % CI"], *change(before, now))
        c.shown(row["p (Holm)"], "{}", Near(words.p_value, p) if p is not None else "–")

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
            groups = self.comparisons[table.caption]
            for row in table.rows:
                c.unit(f"{table.caption}, {row[0].own()}", self.effect, row, groups[:3], groups[3:])
        for heading in (self.sections.get("comparison") or Node("", {}, None)).all("h3"):
            c.unit("comparison, heading", self.comparison_heading, heading)
        for summary in (self.sections.get("comparison") or Node("", {}, None)).all("summary"):
            c.unit("comparison, rows that did not move", self.folded, summary)

    def folded(self, c, summary):
        table = summary.parent.first("table")
        if not table:
            return
        count = words.counted(len(Table(table).rows), "quantity", "quantities")
        ending = ", and none moved" if summary.text().endswith("none moved") else " did not move"
        c.shown(summary, "{}" + ending, count)

    def comparison_heading(self, c, heading):
        sides = {f"{b[0]}:{b[1]}, run {b[2]} → run {a[2]}" for b, a in self.by_effect
                 if b[:2] == a[:2]}
        sides |= {f"{b[0]}:{b[1]} in run {b[2]} → {a[0]}:{a[1]} in run {a[2]}"
                  for b, a in self.by_effect}
        c.claim(heading.texts(), "quoted")
        if not any(heading.text().startswith(side) for side in sides) and re.search(
                r"\d", heading.text()) and heading.text() not in self.places():
            c.fail(f"no comparison is called {heading.text()}")

    def places(self):
        """Where a guide, a bound or a prompt stands."""
        return {line.text() for line in ()}

    def found_effect(self, row, before, after):
        backends = self.by_effect[before, after]
        note = row[0].first("span", "sub")
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
                        words.counted(effect.cases, "case"))
        self.near(c, row["pp, 95 % CI"], [effect.change, effect.low, effect.high], 100,
                  [1e-9, sampled, sampled])
        for name, adjusted in (("p", False), ("adjusted p", True)):
            slack = 5 * (effect.p(adjusted) * (1 - effect.p(adjusted)) / 9999) ** 0.5 + 2e-4
            c.shown(row[name], "{}", Near(words.p_value, effect.p(adjusted)) if not effect.sampled
                    else within(row[name], words.p_value, effect.p(adjusted), slack))
        self.effect_note(c, row[0], effect)

    def near(self, c, node, values, scale, slacks):
        """`+26.8 [+12.4, +41.3]`, where some numbers come from random draws."""
        c.claim(node.texts(False), "computed")
        shown = [float(n.replace("−", "-").replace("±", "")) for n in re.findall(
            r"[-+−±]\d+\.\d+", node.text())]
        if len(shown) != len(values) or any(
                abs(s - scale * v) > 0.05 + 1e-7 + scale * slack
                for s, v, slack in zip(shown, values, slacks)):
            c.fail(f"shown {node.text()}, computed {[round(scale * v, 3) for v in values]}")

    def effect_note(self, c, cell, effect):
        note = cell.first("span", "sub")
        if not note:
            return
        text = note.text()
        patterns = [
            r"needs (?:at least \d+|about \d+)[^;]*", r"even [^;]*", r"the mean shift lies[^;]*"]
        if effect.counts:
            count, lost, won, without, pairs = effect.note
            patterns += [
                f"all {count} outputs are the same on both sides",
                f"flips in {count} pairs: {lost} to worse, {won} to better",
                f"{without} of {pairs} pairs have no value to judge"]
            if effect.new_inputs is not None:
                slack = 0.02 if effect.new_sampled else 1e-9
                found = re.search(r"inputs p = ([\d.e-]+), two-sided", text)
                if found and abs(float(found[1]) - effect.new_inputs) > 5.1e-5 + slack:
                    c.fail(f"shown {found[0]}, computed {effect.new_inputs:.5f}")
                patterns.append(r"with the cases as a sample of inputs p = [\d.e-]+, two-sided")
        else:
            rose, fell, cases, first, second = effect.note
            patterns += [
                f"rose in {rose} and fell in {fell} of {cases} cases",
                rf"most in \S+: {plain4(first)} → {plain4(second)}", r"\d+ of \d+ cases have no such decision"]
        patterns.append(r"[^;·\d]* on \S+")
        for part in re.split(r"; | · ", text):
            if re.search(r"\d", part) and not any(re.fullmatch(p, part) for p in patterns):
                c.fail(f"the note says “{part}”, computed {effect.note}")

    # MARK: Suites, cases, nights

    def suites(self, c):
        for table in self.tables("suites"):
            found = [(n, self.run.named(r[0].first("a").text())) for n, r in enumerate(table.rows)]
            tested = {
                n: measures.fisher(self.before(s).share, s.share) for n, s in found
                if s and s.attempts and self.before(s) and self.before(s).attempts}
            adjusted = dict(zip(tested, measures.holm(list(tested.values()))))
            for number, row in enumerate(table.rows):
                c.unit(f"suites, {row[0].first('a').text()}", self.suite, row, adjusted.get(number))
        for lede in (self.sections.get("suites") or Node("", {}, None)).all("p", "lede"):
            c.unit("suites, axis", self.axis, lede)

    def axis(self, c, node):
        """An axis says where it begins; it must hold every number that is drawn on it."""
        c.claim(node.texts(), "fixed")
        if not re.search(r"(?<!\d)(0|20|40|50|60|70|80|85|90)–100 %", node.text()):
            c.fail(f"an axis of {node.text()}")

    def suite(self, c, row, p):
        c.claim(row[0].first("a").texts(), "computed")
        slice = self.run.named(row[0].first("a").text())
        note = row[0].first("span", "sub")
        title = flat(slice.suite["schemaName"] + " " + slice.suite["title"])
        c.shown(note, "{}", words.line(title), kind="quoted")
        hits, count = slice.share
        c.shown(row["cases"], "{}", words.grouped(len(slice.suite["cases"])))
        c.shown(row["passing"], "{} {}/{}", words.rate(hits, count), words.grouped(hits),
                words.grouped(count))
        c.shown(row["95 % CI"], "{}", interval(hits, count))
        if "change, pp" in row:
            before = self.before(slice)
            moved = hits / count - before.share[0] / before.share[1] if before and count else None
            c.shown(row["change, pp"], "{}", "–" if moved is None else Near(words.points, moved))
            c.shown(row["p (Holm)"], "{}", "–" if p is None else Near(words.p_value, p))
        mixed = sum(0 < rows.passed(g) < len(g) for g in slice.by_case.values())
        c.shown(row["mixed"], "{}", mixed)
        if "errors" in row:
            c.shown(row["errors"], "{}", sum(a["outcome"] == "error" for a in slice.attempts))
        times = [a["duration"] for a in slice.attempts]
        c.shown(row["p95"], "{}", Near(words.duration, measures.quantile(times, 0.95)) if times
                else "–")
        self.gate(c, row["gate"], slice)

    def gate(self, c, cell, slice):
        gate = slice.suite.get("gate")
        spans = cell.all("span")
        if not spans:
            return c.claim(cell.texts(), "computed")
        needed = gate.get("passRateByBackend", {}).get(slice.key[2], gate.get("passRate"))
        if needed is not None:
            c.shown(spans[0], "{}{}", spans[0].text()[:len(spans[0].text()) - len(asked(needed))],
                    asked(needed))
        for span in spans[1:]:
            match = re.fullmatch(r"guardrail “(.*)” failed (\d+) ×", span.text())
            if match:
                hits = sum(any(words.line(v["assertion"]) == match[1] and v["verdict"] == "fail"
                               for v in a["verdicts"]) for a in slice.attempts)
                c.shown(span, "guardrail “{}” failed {} ×", match[1], hits)
            else:
                c.skip("gates: bounds of metrics")

    def cases(self, c):
        node = self.sections.get("cases")
        for details in node.all("details") if node else []:
            c.unit("cases, " + details.first("summary").text(), self.cases_heading, details)
            for table in map(Table, details.all("table")):
                for row in table.rows:
                    c.unit(f"{table.caption}, {row[0].text()}", self.case, row)

    def cases_heading(self, c, details):
        summary = details.first("summary")
        slice = self.run.named(summary.first("b").text())
        hits, count = slice.share
        missed = " · gate missed" if "gate missed" in summary.text() else ""
        c.shown(summary, "{} · {} × {} · {} of {} attempts pass" + missed,
                self.run.name(slice), words.counted(len(slice.suite["cases"]), "case"),
                slice.suite["repeats"], words.grouped(hits), words.grouped(count))
        for note in details.all("p", "note"):
            if note.text().startswith("Guards: "):
                c.shown(note, "{}", "Guards: " + flat(words.visible(slice.suite["guards"])), kind="quoted")
            elif match := re.fullmatch(r"(\S+ cases?) passed every repeat\.(.*)", note.text()):
                shown = {r[0].text() for t in details.all("table") for r in Table(t).rows}
                rest = [i for i, g in slice.by_case.items()
                        if words.line(i) not in shown and rows.passed(g) == len(g)]
                c.shown(note, "{} passed every repeat.{}", words.counted(len(rest), "case"), match[2])

    def case(self, c, row):
        slice = self.run.named(row.table.caption.removeprefix("Cases of "))
        identity = row["case"].text()
        c.claim(row["case"].texts(), "computed")
        found = [g for i, g in slice.by_case.items() if words.line(i) == identity]
        if "input" in row:
            case = next(k for k in slice.suite["cases"] if words.line(k["id"]) == identity)
            title = "" if case["title"] == case["id"] else case["title"]
            c.shown(row["input"], "{}", flat(words.clipped(words.line(title), 90)[0]), kind="quoted")
        if not found:
            return c.shown(row["passing"], "not run")
        group = found[0]
        hits, count = rows.passed(group), len(group)
        c.shown(row["passing"], "{}/{}", hits, count)
        c.shown(row["95 % CI"], "{}", interval(hits, count))
        if "baseline" in row:
            before = self.before(slice)
            old = before and before.by_case.get(group[0]["key"]["caseID"])
            c.shown(row["baseline"], "{}", f"{rows.passed(old)}/{len(old)}" if old else "new")
        bad = [a for a in group if a["outcome"] in ("fail", "error")]
        text = " ".join(f"#{a['key']['repeatIndex']}" for a in bad[:6])
        text += f" and {len(bad) - 6} more" if len(bad) > 6 else ""
        if bad:
            text += f" · seed{'' if len(bad) == 1 else 's'} " + ", ".join(
                str(a["seed"]) for a in bad[:2]) + (", …" if len(bad) > 2 else "")
        c.shown(row["repeats that did not pass"], "{}", text)

    def nights(self, c):
        for table in self.tables("nights"):
            heads = [h for h in table.node.first("thead").all("tr")[-1].children
                     if isinstance(h, Node)]
            nights = [(n, h.text()) for n, h in enumerate(heads)
                      if h.text().isdigit() or h.text() == "not run"]
            for _, name in nights:
                if name.isdigit() and name not in self.runs:
                    return c.skip("nights that are not in the database")
            c.unit("nights, heading", self.nights_heading, heads, nights)
            for row in table.rows:
                if len(row.cells) == 1:
                    c.unit("nights, group", self.night_group, row)
                else:
                    group = self.group_of(row)
                    c.unit(f"nights, {row[0].text()}", self.night_row, row, group, nights)
        for node in (self.sections.get("nights") or Node("", {}, None)).all("p", "key"):
            c.unit("nights, key", self.night_key, node)

    def nights_heading(self, c, heads, nights):
        runs = sorted(int(n) for n in self.runs if int(n) <= self.run.number)
        shown = [int(name) for _, name in nights if name != "not run"]
        for number, _ in nights:
            c.claim(heads[number].texts(), "computed")
        if shown != [n for n in runs if n >= min(shown)] or shown[-1] != self.run.number:
            c.fail(f"nights {shown} of {runs}")

    def group_of(self, row):
        found = None
        for other in row.table.rows:
            if "grp" in other.node.classes:
                found = other[0].text()
            if other.node is row.node:
                return found

    def night_group(self, c, row):
        text = row[0].text()
        c.claim(row.node.texts(), "computed")
        if match := re.fullmatch(r"(\S+ cases?) passed every attempt of these nights", text):
            slice = self.run.named(self.group_of(row).rpartition(", ")[0])
            runs = [self.runs[str(n)] for n in self.night_numbers(row.table)]
            quiet = [case for case in slice.by_case if not self.failures(case, slice, runs)]
            if match[1] != words.counted(len(quiet), "case"):
                c.fail(f"shown {text}, computed {len(quiet)}")
        elif match := re.fullmatch(r"(.*), (\S+ cases?)", text):
            slice = self.run.named(match[1])
            if match[2] != words.counted(len(slice.by_case), "case"):
                c.fail(f"shown {text}, computed {len(slice.by_case)}")

    def night_numbers(self, table):
        heads = [h for h in table.node.first("thead").all("tr")[-1].children if isinstance(h, Node)]
        return [int(h.text()) for h in heads if h.text().isdigit()]

    def failures(self, case, slice, runs):
        others = [r.slice(slice.key) for r in runs]
        return sum(len(g) - rows.passed(g) for o in others if o
                   for g in [o.by_case.get(case, [])])

    def night_row(self, c, row, group, nights):
        name = row[0].text()
        c.claim(row[0].texts(), "computed")
        if group.startswith("Folded"):
            suite, _, count = name.rpartition(", ")
            slice = self.run.named(suite)
            if count != words.counted(len(slice.by_case), "case"):
                c.fail(f"shown {name}, computed {len(slice.by_case)}")
            pick = lambda s: s.attempts
        else:
            slice = self.run.named(group.rpartition(", ")[0])
            pick = lambda s: [g for i, g in s.by_case.items()
                              if words.clipped(words.line(i), 60)[0] == name][0] \
                if any(words.clipped(words.line(i), 60)[0] == name for i in s.by_case) else []
        if row.cells[1].classes == ["ct"]:
            titles = [k["title"] for k in slice.suite["cases"] if words.line(k["id"])[:60] == name]
            text, cut = words.clipped(words.line(titles[0]) if titles and titles[0] != name else "", 34)
            c.shown(row.cells[1], "{}", flat(text + ("…" if cut else "")), kind="quoted")
        states = []
        for column, night in nights:
            cell = row.cells[column]
            other = self.runs[night].slice(slice.key) if night.isdigit() else None
            if other is None or self.runs[night].record["status"] != "complete":
                c.shown(cell, "{}", "·" if night.isdigit() else "")
                continue
            attempts = pick(other)
            failed = len(attempts) - rows.passed(attempts)
            states.append(failed == 0)
            c.shown(cell, "{}", failed or "")
        hits, count = rows.passed(pick(slice)), len(pick(slice))
        last = nights[-1][0]
        c.shown(row.cells[last + 1], "{}/{}", hits, count)
        c.shown(row.cells[last + 2], "{}", interval(hits, count))
        c.shown(row.cells[last + 3], "{}", sum(a != b for a, b in zip(states, states[1:])))

    def night_key(self, c, node):
        text = node.text()
        c.claim(node.texts(), "fixed")
        if text.startswith("▼"):
            for run, _ in re.findall(r"(?:▼|·) (\d+) (\S+)", text):
                if run not in self.runs:
                    c.fail(f"no run {run} for {text}")
        elif text != flat("0 fail ≤ 5 % ≤ 10 % ≤ 20 % ≤ 35 % more · not run mark: p < 0.01 against the "
                          "nights before, not adjusted").replace("more · not run mark",
                                                                 "more· not runmark"):
            if re.sub(r"\s", "", text) != (
                    "0fail≤5%≤10%≤20%≤35%more·notrunmark:p<0.01againstthenightsbefore,notadjusted"):
                c.fail(f"the key says {text}")

    # MARK: Array lengths and branches

    def lengths(self, c):
        node = self.sections.get("lengths")
        for heading in node.all("h3") if node else []:
            group = heading.parent.children[heading.parent.children.index(heading) + 1:]
            block = next(n for n in group if isinstance(n, Node) and "mult" in n.classes)
            path, name = heading.first("code").text(), heading.own()
            slice = self.run.named(name)
            for figure in block.all("figure"):
                table = figure.first("table")
                c.unit(f"lengths, {name} {path}", self.length_figure, figure, slice, path, table)
                if table:
                    for row in Table(table).rows:
                        c.unit(f"lengths, {name} {path}, {row[0].text()}", self.length_row, row,
                               slice, path)

    def class_of(self, slice, attempt):
        case = slice.case(attempt["key"]["caseID"])
        return case["tags"][0] if case and case["tags"] else None

    def length_figure(self, c, figure, slice, path, table):
        caption = figure.first("figcaption")
        name = caption.first("b").text()
        bound = self.bound([slice], path)
        if table:
            found = rows.lengths(slice.attempts, path)
            wanted = f"Against {source_of(name)} {bound_text(bound)}" if bound != (None, None) else "Empty or not"
            if name != wanted and "Against" in name:
                c.fail(f"shown {name}, computed {wanted}")
        else:
            own = [a for a in slice.attempts if name == "all inputs"
                   or self.class_of(slice, a) == name]
            found = rows.lengths(own, path)
        c.shown(caption, "{} · {}", name, words.counted(len(found), "array"))
        drawing = figure.first("svg")
        if not drawing:
            return
        counts = collections.Counter(found)
        low, high = bound[0] if bound[0] is not None else 0, bound[1] if bound[1] is not None else 10**9
        ticks = [t for t in drawing.all("text") if "tk" in t.classes]
        last = int(ticks[-1].text().rstrip("+"))
        expected = sorted(
            sum(n for length, n in counts.items() if (length >= last if bin_ == last else length == bin_))
            for bin_ in range(last + 1)
            if (bin_ == 0 and (bound[0] is None or bound[0] > 0)) or not low <= bin_ <= high)
        labels = [t for t in drawing.all("text") if "lb" in t.classes]
        c.claim([x for t in labels for x in t.texts()], "computed")
        if sorted(int(t.text().replace(",", "")) for t in labels) != [n for n in expected if n]:
            c.fail(f"drawn {[t.text() for t in labels]}, computed {expected}")
        c.claim([x for t in ticks for x in t.texts()], "fixed")
        places = [int(t.text().rstrip("+")) for t in ticks]
        steps = {b - a for a, b in zip(places, places[1:])}
        if places[0] != 0 or not steps <= {1, 2} or (steps == {1, 2} and places[-1] - places[-2] != 1):
            c.fail(f"an axis of {places}")

    def length_row(self, c, row, slice, path):
        name = row[0].text()
        c.claim(row[0].texts(), "computed")
        bound = self.bound([slice], path)
        low = bound[0] if bound[0] is not None else 1
        high = bound[1] if bound[1] is not None else 63
        span = lambda a, b: f"{a}" if a == b else f"{a}–{b}"
        classes = {"empty": (0, 0), span(1, low - 1): (1, low - 1),
                   (f"{low} or more" if high >= 63 else span(low, high)): (low, high if high < 63 else 10**9),
                   f"{high + 1} or more": (high + 1, 10**9)}
        first, last = classes[name]
        own = rows.lengths(slice.attempts, path)
        hits = sum(first <= n <= last for n in own)
        c.shown(row["arrays"], "{}", words.grouped(hits))
        c.shown(row["95 % CI"], "{} %", interval(hits, len(own)))
        if "baseline" in row:
            before = rows.lengths(self.before(slice).attempts, path)
            c.shown(row["baseline"], "{}", words.grouped(sum(first <= n <= last for n in before)))

    def branches(self, c):
        node = self.sections.get("branches")
        for heading in node.all("h3") if node else []:
            after = heading.parent.children[heading.parent.children.index(heading) + 1:]
            block = next(n for n in after if isinstance(n, Node) and "row" in n.classes)
            path, slice = heading.first("code").text(), self.run.named(heading.own())
            for figure in block.all("figure"):
                c.unit(f"branches, {heading.text()}", self.confusion, figure, slice, path)
            for table in map(Table, block.all("table")):
                if table.caption.startswith("Recall"):
                    for row in table.rows:
                        c.unit(f"{table.caption}, {row[0].text()}", self.recall, row, slice, path)
                elif table.caption.startswith("Wrong branches"):
                    for row in table.rows:
                        c.unit(f"{table.caption}, {row[0].text()}", self.wrong_pair, row, slice, path)

    def confusion(self, c, figure, slice, path):
        caption = figure.first("figcaption")
        side = slice if caption.first("b").text() == "This run" else self.before(slice)
        counts = rows.confusion(side, path)
        c.shown(caption, "{} · {}", caption.first("b").text(),
                words.counted(sum(counts.values()), "attempt"))
        table = Table(figure.first("table"))
        for row in table.rows:
            want = row[0].text()
            c.claim(row[0].texts(), "quoted")
            for name, cell in zip(table.head[1:], row.cells[1:]):
                got = None if name == "no value" else name
                count = counts[want, got]
                c.shown(cell, "{}", words.grouped(count) if count or want == got else "·")
        for head in table.node.first("thead").all("th"):
            c.claim(head.texts(), "quoted")

    def recall(self, c, row, slice, path):
        name = row[0].own()
        c.claim(row[0].texts(), "quoted")

        def of(counts):
            return counts[name, name], sum(n for (want, _), n in counts.items() if want == name)
        counts = rows.confusion(slice, path)
        hits, count = of(counts)
        c.shown(row["recall"], "{} {}/{}", words.rate(hits, count), words.grouped(hits),
                words.grouped(count))
        c.shown(row["95 % CI"], "{}", interval(hits, count))
        got = sum(n for (_, other), n in counts.items() if other == name)
        c.shown(row["precision"], "{}", words.rate(hits, got) if got else "–")
        if "baseline" in row:
            old = of(rows.confusion(self.before(slice), path))
            c.shown(row["baseline"], "{}", words.rate(*old))

    def wrong_pair(self, c, row, slice, path):
        counts = rows.confusion(slice, path)
        got = None if row["chosen"].text() == "no value" else row["chosen"].text()
        c.claim([*row[0].texts(), *row["chosen"].texts()], "quoted")
        c.shown(row["attempts"], "{}", words.grouped(counts[row[0].text(), got]))

    # MARK: Decisions

    def decisions(self, c):
        node = self.sections.get("decisions")
        slice = None
        for part in node.nodes() if node else []:
            if part.tag == "h3":
                slice = self.run.named(part.text())
                c.unit("decisions, heading", lambda c, part: c.claim(part.texts(), "quoted"), part)
            elif part.tag == "h4":
                path = part.first("code").text()
                c.unit(f"decisions, {path}", lambda c, part: c.claim(part.texts(), "quoted"), part)
            elif part.tag == "figure":
                c.unit(f"decisions, {path}", self.decision_matrix, part, slice, path)
            elif part.tag == "table" and not part.inside("figure"):
                for row in Table(part).rows:
                    c.unit(f"decisions, {row[0].text()} {row[1].text()}", self.decision, row, slice)

    def means(self, slice, matches, option, expected=None):
        """The mean over cases of the means over their attempts: raw, masked, sampled, and counts."""
        by_case, taken, made = collections.defaultdict(list), 0, 0
        for attempt in slice.attempts:
            case = slice.case(attempt["key"]["caseID"])
            wanted = {e["path"]: e["branch"] for e in case["expectedBranches"]} if case else {}
            for decision in attempt["decisions"]:
                if not matches(decision) or wanted.get(decision["path"]) != expected:
                    continue
                for found in decision["options"]:
                    if found["name"] == option:
                        by_case[attempt["key"]["caseID"]].append(found)
                        taken += decision["chosen"] == option
                        made += 1
        means = {
            kind: sum(sum(o[kind] for o in found) / len(found) for found in by_case.values())
            / len(by_case) if by_case else None
            for kind in ("raw", "masked", "sampled")}
        return means, len(by_case), taken, made

    def decision(self, c, row, slice):
        path, name = row[0].text(), row[1].text()
        c.claim([*row[0].texts(), *row[1].texts()], "computed")
        expected = None
        if match := re.fullmatch(r"P\(empty\)|P\(end\) after (\d+)", name):
            index, option = int(match[1] or 0), "end"
            matches = lambda d: (d["kind"], d["index"]) == ("array", index) and rows.general(
                d["path"]) == path
        else:
            if match := re.fullmatch(r"(.*) \(expected (.*)\)", name):
                name, expected = match[1], match[2]
            option = name
            matches = lambda d: d["kind"] != "array" and rows.general(d["path"]) == path
        means, cases, taken, made = self.means(slice, matches, option, expected)
        c.shown(row["cases"], "{}", words.grouped(cases))
        c.shown(row["taken"], "{} of {}", words.grouped(taken), words.grouped(made))
        for kind in ("raw", "masked", "sampled"):
            c.shown(row[kind], "{}", Near(words.percent, means[kind]))
        if "sampled, baseline" in row:
            old = self.means(self.before(slice), matches, option, expected)[0]["sampled"]
            c.shown(row["sampled, baseline"], "{}", "–" if old is None else Near(words.percent, old))

    def decision_matrix(self, c, figure, slice, path):
        caption = figure.first("figcaption").text()
        side = self.before(slice) if "baseline" in caption else slice
        kind = "raw" if caption.startswith("Before") else "sampled"
        table = Table(figure.first("table"))
        matches = lambda d: d["kind"] != "array" and rows.general(d["path"]) == path
        for head in table.node.first("thead").all("th"):
            c.claim(head.texts(), "quoted")
        for row in table.rows:
            c.claim(row[0].texts(), "quoted")
            for option, cell in zip(table.head[1:], row.cells[1:]):
                mean = self.means(side, matches, option, row[0].text())[0][kind]
                c.shown(cell, "{}", "·" if mean is None else Near(
                    lambda v: words.fixed(v * 100, 1), mean))

    # MARK: Latency and attempts

    def latency(self, c):
        for table in self.tables("latency"):
            for row in table.rows:
                c.unit(f"latency, {row[0].text()}", self.latency_row, row)
        for drawing in (self.sections.get("latency") or Node("", {}, None)).all("svg"):
            c.unit("latency, axis", self.latency_axis, drawing)

    def latency_row(self, c, row):
        c.claim(row[0].texts(), "quoted")
        slice = self.run.named(row[0].text())
        times = [a["duration"] for a in slice.attempts]
        tokens = [a["outputTokens"] for a in slice.attempts]
        for name, share in (("p50", 0.5), ("p95", 0.95)):
            c.shown(row[name], "{}", Near(words.duration, measures.quantile(times, share)))
        c.shown(row["tokens p50"], "{}", Near(
            lambda v: words.fixed(v, 0), measures.quantile(tokens, 0.5)))
        c.shown(row["tok/s"], "{}", Near(lambda v: words.fixed(v, 0), measures.quantile(
            tokens, 0.5) / measures.quantile(times, 0.5)))
        if "p95 before" in row:
            before = self.before(slice)
            c.shown(row["p95 before"], "{}", "–" if not before else Near(
                words.duration, measures.quantile([a["duration"] for a in before.attempts], 0.95)))

    def latency_axis(self, c, drawing):
        ticks = [t for t in drawing.all("text") if "tk" in t.classes]
        c.claim([x for t in ticks for x in t.texts()], "fixed")
        shown = [float(t.text().split()[0].replace(",", "")) for t in ticks]
        scale = [f * 10 ** p for p in range(-1, 10) for f in (1, 3)]
        start = min(range(len(scale)), key=lambda n: abs(scale[n] - shown[0]))
        if any(abs(a - b) > 1e-9 * b for a, b in zip(shown, scale[start:])):
            c.fail(f"an axis of {shown}")
        for label in drawing.all("text"):
            if "lb" in label.classes:
                c.claim(label.texts(), "quoted")
                if not any(label.text().rstrip("…") in self.run.name(s) for s in self.run.slices):
                    c.fail(f"no suite is called {label.text()}")

    def attempts(self, c):
        for table in self.tables("attempts"):
            for row in table.rows:
                c.unit(f"attempts, {row[1].text()}#{row[2].text()}", self.attempt_row, row)
        data = next((s for s in self.page.all("script") if s.attributes.get("id") == "rows"), None)
        if data:
            c.unit("attempts, the data of the table", self.columns, data)
        for p in (self.sections.get("attempts") or Node("", {}, None)).all("p"):
            if p.text().startswith("The filter needs scripts"):
                c.unit("attempts, note", lambda c, p: c.shown(
                    p, "The filter needs scripts. Below, the attempts that did not pass; {} passed. "
                    "Every attempt is a line of results.jsonl.",
                    words.grouped(rows.passed(self.run.made))), p)

    def attempt_row(self, c, row):
        found = [
            a for a in self.run.made if words.line(a["key"]["suite"]) == row["suite"].text()
            and words.line(a["key"]["caseID"]) == row["case"].text()
            and str(a["key"]["repeatIndex"]) == row["repeat"].text() and a["outcome"] != "pass"]
        c.claim(row.node.texts(), "computed")
        for attempt in found:
            shown = row["tokens"].text(), row["ms"].text(), row["why"].text()
            titles = {flat(words.clipped(words.line(title), 160)[0]) for title in self.titles(attempt)}
            if shown[:2] == (str(attempt["outputTokens"]), words.fixed(attempt["duration"] * 1000, 0)) \
                    and shown[2] in titles:
                return
        c.fail(f"no attempt is “{row.node.text()}”")

    def titles(self, attempt):
        """How the group of an attempt may be called: by the first of its attempts."""
        slice = self.run.slice(rows.Run.key(attempt))
        assertion = (rows.first_failure(attempt) or {}).get("assertion", "")
        group = rows.groups(slice)[rows.reason(attempt) + (assertion,)]
        return {words.line(rows.title(group[0], len(group) > 1)), words.line(rows.title(attempt, True))}

    def columns(self, c, data):
        texts = [x for x in data.children]
        c.claim(texts, "computed")
        shown = json.loads("".join(t.value for t in texts))
        place, ordered = 0, []
        for slice_number, case, count, *repeats in shown["b"]:
            slice = self.run.named(shown["S"][slice_number])
            group = sorted(
                (a for a in self.run.attempts if rows.Run.key(a) == slice.key
                 and words.line(a["key"]["caseID"]) == shown["C"][case]),
                key=lambda a: a["key"]["repeatIndex"])
            own = range(place, place + count)
            if len(group) != count or (repeats and repeats[0] != [
                    a["key"]["repeatIndex"] for a in group]):
                c.fail(f"{shown['C'][case]} has {len(group)} attempts, shown {count} {repeats}")
            ordered += group
            for index, attempt in zip(own, group):
                time = attempt["duration"] * 1000
                if shown["t"][index] != attempt["outputTokens"] or abs(
                        shown["m"][index] - time) > (0.05 if time < 10 else 0.5) + 1e-6:
                    c.fail(f"{shown['C'][case]}: {shown['t'][index]} tokens, {shown['m'][index]} ms")
                letter = shown["v"][index]
                if {"p": "pass", "f": "fail", "v": "fail", "e": "error", "s": "skipped"}[
                        letter] != attempt["outcome"]:
                    c.fail(f"{shown['C'][case]} is shown as {letter}")
            place += count
            self.shapes(c, shown, slice, list(zip(own, group)))
        if place != len(self.run.attempts):
            c.fail(f"{place} attempts in the data of {len(self.run.attempts)}")
        reasons = iter(shown["r"])
        for index, attempt in enumerate(ordered):
            if attempt["outcome"] in ("fail", "error"):
                number = next(reasons)
                if flat(shown["R"][number]) not in {
                        flat(words.clipped(words.line(t), 160)[0]) for t in self.titles(attempt)}:
                    c.fail(f"attempt {index} is said to be “{shown['R'][number]}”")

    def shapes(self, c, shown, slice, attempts):
        """The lengths of first arrays and the branches in the data of the table."""
        path = first_array(slice.variant["schema"])
        branches = list(dict.fromkeys(
            e["path"] for k in slice.suite["cases"] for e in k["expectedBranches"]))
        for index, attempt in attempts:
            value = rows.decoded(attempt["output"]) if rows.has_value(attempt) else None
            if "l" in shown and path is not None:
                found = [n for p, n in rows.arrays(value) if p == path] if value is not None else []
                if shown["l"][index] != (found[0] if found else -1):
                    c.fail(f"attempt {index}: length {shown['l'][index]} of {found}")
            elif "l" in shown and shown["l"][index] != -1:
                c.fail(f"attempt {index} has no array")
            expected = branches and rows.expectations(slice.suite, branches[0]).get(
                attempt["key"]["caseID"])
            if "g" in shown:
                number = shown["g"][index]
                pair = f"{expected}>{rows.branch(value, branches[0]) or '–'}" if expected else None
                if (shown["G"][number] if number >= 0 else None) != pair:
                    c.fail(f"attempt {index}: branches {number}, computed {pair}")


def interval(hits, count):
    if count == 0:
        return "–"
    low, high = wilson = measures.wilson(hits, count)
    return Near(words.interval, low, high)


def change(before, now):
    """A change with its interval, as a template with its parts."""
    if not before or not now[1]:
        return ("",)
    return ("{} [{}, {}]", *(Near(words.points, v) for v in measures.newcombe(before, now)))


def within(node, write, value, slack):
    """What is shown, if it is what could be shown for a value with some slack."""
    low, high = max(0.0, value - slack), min(1.0, value + slack)
    near = Near(write, value)
    if low < 0.001:
        near.texts.add("< 0.001")
    shown = node.text()
    if re.fullmatch(r"\d(\.\d+)?", shown) and low - 0.006 <= float(shown) <= high + 0.006:
        near.texts.add(shown)
    return near


def plain4(value):
    """At most four digits after the point, as Swift writes a number."""
    rounded = round(value * 10000) / 10000
    return re.escape(repr(rounded) if abs(rounded) >= 1e-4 or rounded == 0 else f"{rounded:g}")


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
    """The path of the array that a schema has first, looked for level by level; None without one."""
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


def source_of(name):
    return "the schema’s" if "schema" in name else "the assertion’s"
