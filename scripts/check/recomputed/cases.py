"""Checks the suites, test cases, nights and models of a report page."""
import collections
import re

import effects
import measures
import rows
import words
from bases import asked, case_interval, change, day, ends, interval, p_value, undated
from page import Node, Table
from words import Near, flat


class Cases:
    """The checks of the tables of suites, test cases, nights and models."""

    def named(self, name):
        """The slice of this run with this name."""
        return self.run.named(name)

    # MARK: Suites, test cases, nights

    def suites(self, c):
        for table in self.tables("suites"):
            for row in table.rows:
                check = self.suite_part if "part" in row.node.classes else self.suite
                c.unit(f"suites, {row[0].first('a').text()}", check, row)
        for lede in (self.sections.get("suites") or Node("", {}, None)).all("p", "lede"):
            c.unit("suites, axis", self.axis, lede)

    def axis(self, c, node):
        """Checks that an axis states where it begins."""
        c.claim(node.texts(), "fixed")
        if not re.search(r"(?<!\d)(0|20|40|50|60|70|80|85|90)–100 %", node.text()):
            c.fail(f"the axis doesn't state where it begins: {node.text()}")

    def suite(self, c, row):
        c.claim(row[0].first("a").texts(), "computed")
        slice = self.run.named(row[0].first("a").text())
        note = row[0].first("span", "below")
        title = flat(words.line(slice.suite["schemaName"] + " " + slice.suite["title"]))
        c.shown(note, "{}", self.tried(slice) or title, kind="quoted")
        hits, count = slice.share
        c.shown(row["test cases"], "{}", words.grouped(len(slice.suite["cases"])))
        c.shown(row["passing"], "{} {}/{}", words.rate(hits, count), words.grouped(hits),
                words.grouped(count))
        row["passing"].computed = ends(slice.share)
        c.shown(row["95 % CI"], "{}", interval(slice.share))
        if "change, pp" in row:
            effect, p = self.pass_rates.get(slice.key), row["p (Holm)"]
            compared = ""
            if effect and effect.counts[1] != (hits, count):
                compared = "compared: {}/{} → {}/{}".format(*(
                    words.grouped(n) for side in effect.counts for n in side))
            c.shown(row["change, pp"], "{}{}", Near(words.points, effect.change) if effect else "–",
                    compared)
            c.shown(p, "{}", p_value(effect, True, p.text()) if effect else "–")
            if effect:
                self.verdict_of(c, row["verdict"], effect)
        mixed = sum(0 < rows.passed(g) < len(g) for g in slice.by_case.values())
        c.shown(row["flaky"], "{}", mixed)
        if "errors" in row:
            c.shown(row["errors"], "{}", sum(a["outcome"] == "error" for a in slice.attempts))
        times = rows.known(slice.attempts, "duration")
        c.shown(row["p95"], "{}", Near(words.duration, measures.quantile(times, 0.95)) if times
                else "–")
        self.gate(c, row["gate"], slice)

    def tried(self, slice):
        """What the slice of a lab tries, or None."""
        return self.lab.words(slice.key[1]) if self.lab else None

    def suite_part(self, c, row):
        """Checks the row of another effect than the pass rate, which decided the verdict on a suite."""
        name, cells = row[0].first("a"), [row[k] for k in ("change, pp", "p (Holm)", "verdict")]
        c.claim(name.texts(), "computed")
        effect = self.effect_called(name.text())
        if effect is None:
            return c.fail(f"no effect is called {name.text()}")
        note = row[0].first("span", "below")
        sides = self.sides_of_effect(effect)
        if effect.counts:
            c.shown(note, "{} ({}) → {} ({})", *(x for pair in zip(sides, self.bases(effect)) for x in pair))
        else:
            c.shown(note, "{} → {} {}", *sides, self.bases(effect)[0])
        self.moved(c, cells[0], effect)
        c.shown(cells[1], "{}", p_value(effect, True, cells[1].text()))
        self.verdict_of(c, cells[2], effect)

    def effect_called(self, name):
        """The effect that a row names after its suite: `recipes: P(empty) at $.items`."""
        return next((e for s in self.run.slices for e in self.effects_on(s)
                     if flat(words.line(f"{self.run.name(s)}: {e.title}")) == name), None)

    @staticmethod
    def sides_of_effect(effect):
        """The two rates of an effect in percent."""
        return [words.rate(*effect.counts[n]) if effect.counts and effect.counts[n] else
                Near(words.percent, effect.means[n]) for n in range(2)]

    @staticmethod
    def verdict_of(c, cell, effect):
        """Checks that a verdict is the one on the effect whose numbers stand beside it."""
        wanted = {"regressed": "worse", "improved": "better", "ok": "no change",
                  "inconclusive": "too few to tell"}[effect.verdict]
        tag = cell.first("span", "tag")
        if tag and tag.text() in ("worse", "better") and tag.text() != wanted and not effect.sampled:
            c.fail(f"the verdict is “{tag.text()}”, computed “{wanted}”")

    def gate(self, c, cell, slice):
        gate = slice.suite.get("gate")
        spans = cell.all("span")
        if not spans:
            return c.claim(cell.texts(), "computed")
        needed = gate.get("passRateByBackend", {}).get(slice.key[2], gate.get("passRate"))
        if needed == 0:
            c.shown(spans[0], "no rate")
        elif needed is not None:
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

    def inputs(self, c):
        """Checks the list of test cases on both sides of a comparison."""
        node = self.sections.get("changes")
        if node is None:
            return
        kinds = collections.Counter()
        for table in map(Table, node.all("table")):
            for row in table.rows:
                c.unit(f"inputs, {row[0].text()}", self.pair, row)
                kinds[row.node.attributes.get("data-change")] += 1
        left_out = node.all("p", "left-out") or [
            n for n in node.all("p", "note") if "not shown" in n.text()]
        for button in node.all("button"):
            kind = button.attributes.get("data-change")
            if not left_out:
                c.unit("inputs, buttons", lambda c, n, k: c.shown(
                    n, "{} {}", words.grouped(kinds[k]), k), button, kind)

    def pair(self, c, row):
        name = row[0].text()
        slices = [s for s in self.run.slices if self.before(s) and (
            row["suite"].text() == flat(words.line(self.run.name(s))) if "suite" in row else True)]
        case, slice = next((k, s) for s in slices for k in s.suite["cases"] if words.line(k["id"]) == name)
        c.claim([*row[0].texts(), *(row["suite"].texts() if "suite" in row else [])], "computed")
        if row.node.attributes.get("data-i") == "0":
            c.claim([t for n in row.table.node.first("thead").all("th") for t in n.texts()], "fixed")
        c.shown(row["input"], "{}", flat(words.clipped(words.line(rows.case_input(case)), 80)[0]), kind="quoted")
        own, old = (
            [a for a in s.by_case.get(case["id"], []) if a["key"]["repeatIndex"] < first]
            for s, first in effects.compared_repeats(self.before(slice), slice)[::-1])
        both = {a["key"]["repeatIndex"] for a in own} & {a["key"]["repeatIndex"] for a in old}
        passed = [sum(a["outcome"] == "pass" for a in side if a["key"]["repeatIndex"] in both) for side in (old, own)]
        for column, count in zip(("baseline", "this run"), passed):
            c.shown(row[column], "{} of {} pass", count, len(both))
        for column in [n for n in row.table.head if n.endswith("○ before ● after")]:
            self.dumbbell(c, row[column], column, slice, case["id"])
        kind = row.node.attributes["data-change"]
        wanted = "broken" if passed[1] < passed[0] else "fixed" if passed[1] > passed[0] else "same"
        if wanted != kind and passed[0] != passed[1]:
            c.fail(f"shown {kind}, computed {wanted}")

    def dumbbell(self, c, cell, column, slice, case):
        """Checks the probability of a test case on both sides, which a screen reader reads."""
        c.claim(cell.texts(), "computed")
        spoken = cell.first("span", "unseen")
        if spoken is None:
            return
        below = cell.first("span", "below")
        title = below.text() if below else column.partition(",")[0]
        found = [e for by in self.by_effect.values() for key, es in by.items() for t, e in es.items()
                 if flat(t) == title and case in e.rates and self.pass_rates.get(slice.key) in es.values()]
        wanted = {f"{b} before, {a} after" for e in found for b in Near(words.percent, e.rates[case][0]).texts
                  for a in Near(words.percent, e.rates[case][1]).texts}
        if spoken.text() not in wanted:
            c.fail(f"{title}: shown {spoken.text()}, computed {wanted}")

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
        cases, repeats = len(slice.suite["cases"]), slice.suite["repeats"]
        tried = self.tried(slice)
        c.shown(summary, "{}{} · {}{} · {} of {}" + missed,
                self.run.name(slice), f", {tried}" if tried else "", words.counted(cases, "test case"),
                f" × {repeats}" if cases * repeats == count else "", words.grouped(hits),
                words.passing(count, "attempt"))
        for note in details.all("p", "note"):
            if note.first("code") and not note.text().startswith("Guards: "):
                title = flat(slice.suite["schemaName"] + " " + slice.suite["title"])
                c.shown(note, "{}", words.line(title), kind="quoted")
            elif note.text().startswith("Guards: "):
                c.shown(note, "{}", "Guards: " + flat(words.visible(slice.suite["guards"])).replace("`", ""), kind="quoted")
            elif match := re.fullmatch(r"(\S+ test cases?) passed every repeat\.(.*)", note.text()):
                shown = {r[0].text() for t in details.all("table") for r in Table(t).rows}
                rest = [i for i, g in slice.by_case.items()
                        if words.line(i) not in shown and rows.passed(g) == len(g)]
                c.shown(note, "{} passed every repeat.{}", words.counted(len(rest), "test case"), match[2])

    def case(self, c, row):
        slice = self.run.named(row.table.caption.removeprefix("Test cases of "))
        identity = row["test case"].text()
        c.claim(row["test case"].texts(), "computed")
        found = [g for i, g in slice.by_case.items() if words.line(i) == identity]
        case = next(k for k in slice.suite["cases"] if words.line(k["id"]) == identity)
        if "baseline" in row:
            before = self.reference(slice)
            old = before and before.by_case.get(case["id"])
            c.shown(row["baseline"], "{}", f"{rows.passed(old)}/{len(old)}" if old else "new")
        if "input" in row:
            c.shown(row["input"], "{}", flat(words.clipped(words.line(rows.case_input(case)), 80)[0]), kind="quoted")
        if not found:
            return c.shown(row["passing"], "not run")
        group = found[0]
        hits, count = rows.passed(group), len(group)
        c.shown(row["passing"], "{}/{}", hits, count)
        if "95 % CI" in row:
            c.shown(row["95 % CI"], "{}", case_interval(slice, group))
        if "time p50" in row:
            c.shown(row["time p50"], "{}", Near(words.duration, measures.quantile(
                times, 0.5)) if (times := rows.known(group, "duration")) else "–")
        bad = [a for a in group if a["outcome"] in ("fail", "error")]
        text = " ".join(f"#{a['key']['repeatIndex']}" for a in bad[:6])
        text += f" and {len(bad) - 6} more" if len(bad) > 6 else ""
        c.shown(row["failed repeats"], "{}", text)
        reasons = collections.Counter(rows.group_key(a) for a in bad)
        most = [k for k, n in reasons.items() if n == max(reasons.values())]
        more = f"; {words.counted(len(reasons) - 1, 'other reason')}" if len(reasons) > 1 else ""
        wanted = {""} if not bad else {
            self.short(title) + more for a in bad if rows.group_key(a) in most 
            for title in {*self.titles(a), words.line(rows.title(a, False))}}
        c.claim(row["why"].texts(), "computed")
        if row["why"].text() not in {flat(text) for text in wanted}:
            c.fail(f"{identity}: shown “{row['why'].text()}”, computed {wanted}")

    @staticmethod
    def short(title):
        text, is_cut = words.clipped(words.line(title), 80)
        return text + ("…" if is_cut else "")

    night_section = "nights"

    def in_night(self, run, slice):
        """A slice in another night; a report leaves out the results of other models."""
        return run.like(slice)

    def nights(self, c):
        for table in self.tables(self.night_section):
            nights = self.columns_of(table)
            for _, name in nights:
                if name.isdigit() and name not in self.runs:
                    return c.skip("nights that are not in the database")
            c.unit("nights, heading", self.nights_heading, table)
            for row in table.rows:
                if len(row.cells) == 1:
                    c.unit("nights, group", self.night_group, row)
                else:
                    group = self.group_of(row)
                    c.unit(f"nights, {row[0].text()}", self.night_row, row, group, nights)
        section = self.sections.get(self.night_section) or Node("", {}, None)
        for node in section.all("p", "key"):
            c.unit("nights, key", self.night_key, node)
        for node in section.all("p", "static") if self.night_section == "nights" else []:
            c.unit("nights, test cases that are not drawn", self.not_drawn, node)

    def not_drawn(self, c, node):
        """Checks how many test cases with failures a grid leaves out."""
        c.claim(node.texts(), "computed")
        table = self.tables(self.night_section)[0]
        runs = [r for n in self.night_numbers(table) if (r := self.runs[str(n)]).record["status"] == "complete"]
        telling = sum(self.failures(case["id"], s, runs) > 0 or not s.by_case.get(case["id"])
                      for s in self.run.judged for case in s.suite["cases"])
        drawn = sum(len(r.cells) > 1 for r in table.rows)
        if not node.text().startswith(words.counted(telling - drawn, "more test case")):
            c.fail(f"shown {node.text()}, computed {telling - drawn}")

    @staticmethod
    def columns_of(table):
        """The positions and the run numbers of the nights in a table."""
        heads = [h for h in table.node.first("thead").all("tr")[-1].children if isinstance(h, Node)]
        # Most headings, such as `run 7`, are only for screen readers.
        return [(n, h.text().removeprefix("run ")) for n, h in enumerate(heads)
                if re.fullmatch(r"(?:run )?\d+|not run", h.text())]

    def name(self, slice):
        return self.run.name(slice)

    def nights_heading(self, c, table):
        """Checks that a table has all newest runs, with the right dates above them."""
        rows_ = table.node.first("thead").all("tr")
        heads = [h for h in rows_[-1].children if isinstance(h, Node)]
        nights = self.columns_of(table)
        runs = [r.number for r in self.history]
        shown = [int(name) for _, name in nights if name != "not run"]
        # The other headings contain no data of the runs.
        for number in {n for n, _ in nights} | {n for n, h in enumerate(heads) if h.text().isdigit()}:
            c.claim(heads[number].texts(), "computed")
        events = [e for e in rows_[0].children if isinstance(e, Node)] if len(rows_) > 1 else []
        for number, name in nights:
            date = events[number].first("span", "night-name") if number < len(events) else None
            if date:
                c.claim(date.texts(), "computed")
                if name.isdigit() and (name not in self.runs or date.text() != day(self.runs[name])):
                    c.fail(f"{date.text()} is not the date of run {name}")
        if shown != [n for n in runs if n >= min(shown)] or shown[-1] != self.run.number:
            c.fail(f"the nights {shown} are shown, but the runs are {runs}")

    def group_of(self, row):
        found = None
        for other in row.table.rows:
            if "group" in other.node.classes:
                found = other[0].text()
            if other.node is row.node:
                break
        return found

    def night_group(self, c, row):
        text = row[0].text()
        c.claim(row.node.texts(), "computed")
        for what in undated(text, self.runs):
            c.fail(f"the database has no {what}")
        text = re.sub(r" ?[▼▲] (?:worse|better|fixed) since .*$", "", text)
        if match := re.fullmatch(r"(\S+ test cases?) passed every attempt of these nights", text):
            slice = self.named(self.group_of(row).rpartition(", ")[0])
            runs = [self.runs[str(n)] for n in self.night_numbers(row.table)]
            quiet = [case for case in slice.by_case if not self.failures(case, slice, runs)]
            if match[1] != words.counted(len(quiet), "test case"):
                c.fail(f"shown {text}, computed {len(quiet)}")
        elif match := re.fullmatch(r"(.*), (\S+ test cases?)", text):
            slice = self.named(match[1])
            count = len(slice.by_case if self.is_complete(slice) else slice.suite["cases"])
            if match[2] != words.counted(count, "test case"):
                c.fail(f"shown {text}, computed {count}")
        elif re.search(r"\d", text):
            c.fail(f"not understood: {text}")

    @staticmethod
    def is_complete(slice):
        return slice.run.record["status"] == "complete"

    def night_numbers(self, table):
        heads = [h for h in table.node.first("thead").all("tr")[-1].children if isinstance(h, Node)]
        return [int(n) for h in heads if (n := h.text().removeprefix("run ")).isdigit()]

    def failures(self, case, slice, runs):
        others = [self.in_night(r, slice) for r in runs]
        return sum(len(g) - rows.passed(g) for o in others if o
                   for g in [o.by_case.get(case, [])])

    def night_row(self, c, row, group, nights):
        name = row[0].text()
        c.claim(row[0].texts(), "computed")
        slice = self.named(group.rpartition(", ")[0])
        pick = lambda s: [g for i, g in s.by_case.items()
                          if words.clipped(words.line(i), 60)[0] == name][0] \
            if any(words.clipped(words.line(i), 60)[0] == name for i in s.by_case) else []
        states, all_hits, all_count = [], 0, 0
        for column, night in nights:
            cell = row.cells[column]
            other = self.in_night(self.runs[night], slice) if night.isdigit() else None
            if other is None or self.runs[night].record["status"] != "complete":
                c.shown(cell, "{}", "·" if night.isdigit() else "")
                continue
            attempts = pick(other)
            failed = len(attempts) - rows.passed(attempts)
            states.append(failed == 0)
            all_hits, all_count = all_hits + len(attempts) - failed, all_count + len(attempts)
            c.shown(cell, "{}", failed or "")
        hits, count = rows.passed(pick(slice)), len(pick(slice))
        last = nights[-1][0]
        for cell in row.cells[last + 4:]:
            c.claim(cell.texts(), "computed")
            for what in undated(cell.text(), self.runs):
                c.fail(f"the database has no {what}")
        if self.is_complete(slice):
            c.shown(row.cells[last + 1], "{}/{}", hits, count)
        else:
            c.shown(row.cells[last + 1], "not run")
        c.shown(row.cells[last + 2], "{}", words.rate(all_hits, all_count))
        c.shown(row.cells[last + 3], "{}", sum(a != b for a, b in zip(states, states[1:])))

    def night_key(self, c, node):
        text = node.text()
        c.claim(node.texts(), "fixed")
        if text.startswith("▼"):
            for run, _ in re.findall(r"(?:▼|·) (\d+) (\S+)", text):
                if run not in self.runs:
                    c.fail(f"there is no run {run} for {text}")
        elif re.sub(r"\s", "", text) != (
                "0fail≤20%≤40%≤60%≤80%more·notrunchange:p<0.01,adjustedforallnightsonwhichitcouldhavebegun,"
                "andforthesuite’stestcases"):
            c.fail(f"the key says {text}")

    # MARK: Models

    def models(self, c):
        for table in self.tables("models"):
            if table.head[0] == "model":
                shares = [self.of_backend(r[0].own()) for r in table.rows]
                counts = [rows.passing(s) for s in shares]
                adjusted = [None, *measures.holm(
                    [measures.fisher(tuple(counts[0]), tuple(o)) for o in counts[1:]])]
                for row, attempts, p in zip(table.rows, shares, adjusted):
                    c.unit(f"models, {row[0].own()}", self.model, row, attempts, counts[0], p)
                for head in table.node.first("thead").all("th"):
                    c.unit("models, headings", self.model_heading, head)
                continue
            group = None
            for row in table.rows:
                if "group" in row.node.classes:
                    group = row[0].text()
                    c.unit("models, group", lambda c, r: c.claim(r.node.texts(), "quoted"), row)
                elif len(row.cells) > 1:
                    c.unit(f"models, {row[0].text()}", self.model_case, row, group)
                else:
                    c.unit("models, other cases", self.models_quiet, row, group)

    def of_backend(self, name):
        return [a for s in self.run.slices if words.line(s.key[2]) == name for a in s.attempts]

    def model_heading(self, c, head):
        c.claim(head.texts(), "fixed")
        if not re.fullmatch(r"model|passing|95 % CI|time p50|tokens p50|errors|p \(Holm\)|"
                            r"against the first, −(2|4|8|16|32|50|100)…\+\1 pp|pp, 95 % CI", head.text()):
            c.fail(f"no column is called {head.text()}")

    def model(self, c, row, attempts, first, p):
        c.claim(row[0].texts(), "quoted")
        record = next(b for b in self.run.record["backends"]
                      if words.line(b["id"]) == row[0].own())
        c.shown(row[0].first("span", "below"), "{}", flat(words.line(record["model"])), kind="quoted")
        hits, count = own = rows.passing(attempts)
        c.shown(row["passing"], "{}{} of {}", words.rate(hits, count), words.grouped(hits),
                words.grouped(count))
        c.shown(row["95 % CI"], "{}", interval(own))
        c.shown(row["pp, 95 % CI"], *(change(first, own) if p is not None else ("–",)))
        c.shown(row["p (Holm)"], "{}", "–" if p is None else Near(words.p_value, p))
        c.shown(row["time p50"], "{}", Near(words.duration, measures.quantile(
            times, 0.5)) if (times := rows.known(attempts, "duration")) else "–")
        c.shown(row["tokens p50"], "{}", Near(lambda v: words.fixed(v, 0), measures.quantile(
            tokens, 0.5)) if (tokens := rows.known(attempts, "outputTokens")) else "–")
        c.shown(row["errors"], "{}", sum(a["outcome"] == "error" for a in attempts))

    def model_case(self, c, row, group):
        c.claim(row[0].texts(), "quoted")
        name = row[0].text()
        for backend, cell in zip(row.table.head[1:], row.cells[1:]):
            found = [g for s in self.run.slices if words.line(s.key[2]) == backend
                     and (not group or group.startswith(words.line(s.key[0])))
                     for i, g in s.by_case.items() if words.clipped(words.line(i), 60)[0] == name]
            texts = {f"{rows.passed(g)}/{len(g)}" if len(g) > 1 else "✗✓"[rows.passed(g)]
                     for g in found} or {"·"}
            c.claim(cell.texts(), "computed")
            if cell.text() not in texts:
                c.fail(f"{backend}: shown {cell.text()}, computed {texts}")

    def models_quiet(self, c, row, group):
        c.claim(row.node.texts(), "computed")
        match = re.match(r"(\S+) test cases?", row[0].text())
        slices = [s for s in self.run.slices if not group or group.startswith(words.line(s.key[0]))]
        quiet = {i for s in slices for i in s.by_case} - {
            i for s in slices for i, g in s.by_case.items() if rows.passed(g) < len(g)}
        if match and int(match[1]) != len(quiet):
            c.fail(f"shown {row[0].text()}, computed {len(quiet)}")
