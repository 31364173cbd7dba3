"""Recomputes the numbers in the dashboard, index.html, from the rows of its runs."""
import datetime
import json
import math
import re

import measures
import rows
import words
from bases import interval
from cases import Cases
from others import Head, plain, texts_of
from page import Page, Table
from words import Near, flat

WINDOW = 14
# The dashboard's name for a run: its number and day, or the day alone if the run numbers restarted.
ENTRY = r"(?:run \d+ \(\d+ [A-Z][a-z]{2}\)|\d+ [A-Z][a-z]{2})"


class Dashboard(Cases):
    """The dashboard of a folder of reports; `run` is the newest of its runs."""

    night_section = "cases"

    def __init__(self, text, history, runs):
        self.page = Page(text).root
        self.entries = [json.loads(line) for line in history.splitlines() if line.strip()]
        numbers = {str(e["run"]) for e in self.entries if "run" in e}
        self.runs = {n: r for n, r in runs.items() if n in numbers}
        self.missing = numbers - set(self.runs)
        self.nights_ = [self.runs[n] for n in sorted(self.runs, key=int)]
        self.run = self.nights_[-1]
        self.sections = {s.attributes.get("id"): s for s in self.page.all("section")}

    def tables(self, section):
        node = self.sections.get(section)
        return [Table(t) for t in node.all("table")] if node else []

    def before(self, slice):
        return None

    def name(self, slice):
        """The name of a slice; it includes the variant or backend if the runs judged more than one."""
        keys = {s.key for run in self.nights_ for s in run.judged}
        suite, variant, backend = slice.key
        own = ":" + variant if any(k[0] == suite and k[1] != variant for k in keys) else ""
        return suite + own + (f" on {backend}" if any(k[2] != backend for k in keys) else "")

    def named(self, name):
        """The slice with this name in the newest run that has one."""
        return next((s for r in reversed(self.nights_) for s in r.slices if self.name(s) == name), None)

    def check(self, c):
        if self.missing:
            return c.skip(f"the dashboard: runs {', '.join(sorted(self.missing))} are not in the database")
        for node in self.page.all("h1") + self.page.all("title"):
            c.unit("the title", self.heading, node)
        for node in self.page.all("p", "verdict") + self.page.all("p", "found"):
            c.unit("the verdict", self.verdict, node)
        for figure in self.page.all("figure"):
            c.unit("figure, " + figure.first("figcaption").text(), self.figure, figure)
        for table in self.tables("suites"):
            for row in table.rows:
                c.unit(f"stretches, {row[0].text()}", self.stretches, row)
        for table in self.tables("costs"):
            for row in table.rows:
                c.unit(f"costs, {row[0].text()}", self.cost_row, row)
        self.nights(c)
        for table in self.tables("guides"):
            self.guides(c, table)
        for table in self.tables("runs"):
            for row in table.rows:
                c.unit(f"runs, {row[0].text()}", self.run_row, row)
        for p in self.page.first("footer").all("p"):
            c.unit("method", self.method, p)
        for p in (self.sections.get("suites") or self.page).all("p", "note"):
            if "not drawn" in p.text():
                c.unit("figures that are not drawn", self.not_drawn, p)

    def not_drawn(self, c, node):
        """Checks how many suites have no plot."""
        keys = {s.key for r in self.nights_ for s in r.judged}
        drawn = len(node.up("section").all("figure"))
        text = node.text().partition(" more ")[2]
        c.shown(node, "{} more {}", len(keys) - drawn, text)

    def heading(self, c, node):
        name = words.counted(len(self.nights_), "run")
        if node.tag == "h1":
            return c.shown(node, "{}", name)
        c.shown(node, "{} {} · guided-generation evaluations", node.text()[:1], name)

    def method(self, c, node):
        c.claim(node.texts(), "fixed")
        plain(c, re.sub(r"at a level of 0\.01|at most 14 nights", "", node.text()))

    def verdict(self, c, node):
        c.claim(node.texts(), "computed")
        text = node.text()
        # Remove the link's text, because it can directly follow the number of the run to resume.
        text = text.replace("Open the newest report", "")
        for number in re.findall(r"--resume (\d+)", text):
            if int(number) != self.entries[-1]["run"]:
                c.fail(f"the command resumes run {number}, not the newest run")
        suite, share = r"(\S+(?: on \S+)?)", r"([\d.<> ]+ %)"
        for name, since, now, old in re.findall(
                rf"{suite} has been (?:worse|better) since ({ENTRY}): {share} of attempts "
                rf"have passed since then, {share} before", text):
            slice = self.named(name)
            first = self.position(since)
            self.newest_rate(c, name, first, now)
            rates = {words.rate(*self.pooled(slice, self.nights_[start:first]))
                     for start in range(first)}
            if old not in rates:
                c.fail(f"{name}: no stretch of nights that ended before {since} has the rate {old}")
        for name, since, now, old, dip in re.findall(
                rf"{suite} has been fixed since ({ENTRY}): {share} of attempts have passed since then, "
                rf"up from {share} in the dip that began with ({ENTRY})", text):
            first = self.position(since)
            self.newest_rate(c, name, first, now)
            low = self.pooled(self.named(name), self.nights_[self.position(dip):first])
            if words.rate(*low) != old:
                c.fail(f"{name}: in the dip from {dip} on, shown {old}, computed {low}")
        for entry in re.findall(ENTRY, text.replace("Run ", "run ")):
            self.position(entry)
        if match := re.search(r"ended with status (\d+)", text):
            if int(match[1]) != self.entries[-1]["exit"]:
                c.fail(f"shown {match[0]}, recorded {self.entries[-1]['exit']}")
            text = text.replace(match[0], "")
        rest = re.sub(
            rf"(?:since|began with|[Nn]ight)? ?{ENTRY}|[\d.<> ]+ %|\d+ more suites?", "",
            text.replace("Run ", "run "))
        for number in re.findall(r"\d+", rest):
            if number not in self.runs and not any(number in s.key[0] for s in self.run.slices):
                c.fail(f"there is no run {number}")

    def position(self, entry):
        """The position of a run among the nights, given its name on the page."""
        number, day = re.fullmatch(r"(?:run (\d+) \()?(\d+ [A-Z][a-z]{2})\)?", entry).groups()
        days = [datetime.datetime.strptime(r.record["startedAt"][:10], "%Y-%m-%d").strftime("%-d %b")
                for r in self.nights_]
        return next(n for n, r in enumerate(self.nights_)
                    if days[n] == day and number in (None, str(r.number)))

    def newest_rate(self, c, name, first, shown):
        """Checks the rate of a suite over all nights from position `first` on."""
        after = self.pooled(self.named(name), self.nights_[first:])
        if words.rate(*after) != shown:
            c.fail(f"{name}: shown {shown}, computed {after}")

    def common(self, slice, runs):
        """The test cases that all runs with a fair part of the newest run's test cases have."""
        made = [{c for c, g in s.by_case.items() if g} for r in runs if r.record["status"] == "complete"
                and (s := r.slice(slice.key)) and s.attempts]
        cases = made[-1] if made else set()
        least = max(1, math.ceil(0.2 * len(cases)))
        for own in reversed(made):
            if len(cases & own) >= least:
                cases = cases & own
        return cases

    def pooled(self, slice, runs, cases=None):
        """The attempts at some test cases that pass, by default at those that all nights have."""
        cases = self.common(slice, self.nights_) if cases is None else cases
        own = [s for s in (r.slice(slice.key) for r in runs if r.record["status"] == "complete") if s]
        return rows.passing([a for s in own for c, g in s.by_case.items() if c in cases for a in g])

    # MARK: Figures

    def figure(self, c, figure):
        caption = figure.first("figcaption")
        name, rest = caption.first("b").text(), caption.own()
        last = self.run
        if name == "Attempts passing, all suites":
            judged = last.judged
            share = sum(s.share[0] for s in judged), sum(s.share[1] for s in judged)
            c.claim(caption.texts(), "fixed")
            plain(c, re.sub(r"\d+ gaps?", "", caption.text()))
        elif figure.up("section").attributes.get("id") == "suites":
            slice = self.named(name)
            share = slice.share
            c.shown(caption, "{}, {}", flat(words.line(self.name(slice))),
                    words.counted(len(slice.by_case), "test case"))
        else:
            c.claim(caption.texts(), "quoted")
            slice = self.named(re.fullmatch(r", % in (.*)", rest)[1])
            share = self.quality(name, slice)
        drawing = figure.first("svg")
        labels = drawing.all("text")
        c.claim([x for t in labels for x in t.texts()], "computed")
        newest = [t.text() for t in labels if "label" in t.classes]
        if newest != [words.fixed(100 * share[0] / share[1], 1)]:
            c.fail(f"the newest value is {newest}, computed {share}")
        self.axes(c, labels)

    def quality(self, name, slice):
        if match := re.fullmatch(r"Empty arrays (.*)", name):
            found = rows.lengths(slice.attempts, match[1])
            return found.count(0), len(found)
        if match := re.fullmatch(r"Wrong branch at (.*)", name):
            counts = rows.confusion(slice, match[1])
            return sum(n for (want, got), n in counts.items() if got not in (None, want)), sum(
                counts.values())
        if match := re.fullmatch(r"Recall of (\S+) (.*)", name):
            counts = rows.confusion(slice, match[1])
            return counts[match[2], match[2]], sum(
                n for (want, _), n in counts.items() if want == match[2])
        return sum(a["outcome"] != "error" for a in slice.attempts), len(slice.attempts)

    def axes(self, c, labels):
        """Checks that the runs and the rates that label a drawing's axes are evenly spaced.

        The last step between rates may be smaller. Each label of the class `gate-text` must name a
        run or a gate's rate."""
        ticks = [t for t in labels if "tick" in t.classes]
        lowest = max((float(t.attributes["y"]) for t in ticks), default=0)
        runs = [t.text() for t in ticks if float(t.attributes["y"]) == lowest]
        rates = [float(t.text()) for t in ticks if float(t.attributes["y"]) < lowest]
        days = [datetime.datetime.strptime(r.record["startedAt"][:10], "%Y-%m-%d").strftime("%-d %b")
                for r in self.nights_]
        places = [days.index(n) for n in runs if n in days]
        if len(places) < len(runs):
            c.fail(f"no run is from {set(runs) - set(days)}")
        # A night without a run has a place on the axis too.
        first = datetime.date.fromisoformat(self.nights_[0].record["startedAt"][:10])
        places = [(datetime.date.fromisoformat(self.nights_[n].record["startedAt"][:10]) - first).days
                  for n in places]
        if len({b - a for a, b in zip(places, places[1:])}) > 1 or places[:1] not in ([], [0]):
            c.fail(f"the runs on the axis are not evenly spaced from the first run on: {runs}")
        steps = [a - b for a, b in zip(rates, rates[1:])]
        if steps and (max(steps[:-1], default=steps[0]) - min(steps[:-1], default=steps[0]) > 1e-6
                      or not 0 < steps[-1] <= steps[0] + 1e-6):
            c.fail(f"the rates on the axis are not evenly spaced: {rates}")
        for label in labels:
            if "gate-text" in label.classes and not label.text().startswith("gate "):
                number = re.match(r"(?:run |night )?(\d+)", label.text())
                if not number or number[1] not in self.runs:
                    c.fail(f"there is no run for {label.text()}")
            elif "gate-text" in label.classes:
                needed = {Head.needed(s) for s in self.run.judged if s.suite.get("gate")}
                if label.text() not in {f"gate {words.percent(n, 0)}" for n in needed} | {
                        f"gate {words.percent(n)}" for n in needed}:
                    c.fail(f"shown {label.text()}, but the gates require {needed}")

    # MARK: Tables

    def stretches(self, c, row):
        slice = self.named(row[0].text())
        c.claim(row[0].texts(), "quoted")
        names = [str(r.number) for r in self.nights_]
        expected = None
        for span in row["periods"].all("span", "stretch"):
            c.claim(span.texts(), "computed")
            match = re.match(r"(\d+)(?:–(\d+))? ?(\S+(?: \S+)? %) ?\[([\d.–]+)\]", span.text())
            first, last = names.index(match[1]), names.index(match[2] or match[1])
            if expected is not None and first != expected:
                c.fail(f"{span.text()} doesn't begin right after the stretch before it")
            expected = last + 1
            share = self.pooled(slice, self.nights_[first:last + 1])
            if match[3] != words.rate(*share) or match[4] not in interval(share).texts:
                c.fail(f"shown {span.text()}, computed {share}")
        newest = max(n for n, r in enumerate(self.nights_) if r.slice(slice.key))
        if expected != newest + 1:
            c.fail("the last stretch does not reach the newest run that has the suite")

    def cost_row(self, c, row):
        """Checks the cost of the newest run, and the range of the costs of the last sixty runs."""
        slice = self.named(row[0].text())
        c.claim(row[0].texts(), "quoted")
        own = [s for r in self.nights_[-60:] if r.record["status"] == "complete"
               and (s := r.slice(slice.key)) and s.attempts]
        for name, field, share in (
                ("latency p50", "duration", 0.5), ("latency p95", "duration", 0.95),
                ("output tokens p50", "outputTokens", 0.5), ("prompt tokens p50", "promptTokens", 0.5)):
            values = [v for s in own if (v := round(measures.quantile(
                [a[field] for a in s.attempts], share), 6)) > 0]
            cell = row[name]
            if not values:
                c.shown(cell, "–")
                continue
            write = words.duration if field == "duration" else lambda v: words.fixed(v, 0)
            newest, low, high = [Near(write, v, slack=1e-6) for v in (values[-1], min(values), max(values))]
            if not cell.first("span"):
                c.shown(cell, "{}", newest)
                if not low.texts & high.texts:
                    c.fail(f"the range {low.texts} to {high.texts} is missing")
                continue
            unit = next(iter(high.texts)).partition(" ")[2]
            if unit and "min" not in unit and all(t.endswith(" " + unit) for t in low.texts):
                low.texts = {t.partition(" ")[0] for t in low.texts}
            c.shown(cell, "{}{}–{}", newest, low, high)

    def guides(self, c, table):
        effects = [self.edit(row) for row in table.rows]
        adjusted = measures.holm([measures.fisher(before, after) for before, after, _ in effects])
        for row, effect, p in zip(table.rows, effects, adjusted):
            c.unit(f"edits, {row[0].text()} {row[1].text()}", self.edit_row, row, p)

    def edit(self, row):
        slice = self.named(row["passing in"].text())
        place = [str(r.number) for r in self.nights_].index(row[0].text())
        own = [(r, r.slice(slice.key)) for r in self.nights_]
        def texts(s):
            return s and [s.variant.get(k) for k in ("schema", "instructions", "promptTemplate")]
        now, old = texts(own[place][1]), None
        for _, s in reversed(own[:place]):
            if s:
                old = texts(s)
                break
        left, right = [], []
        for run, s in reversed(own[:place]):
            if texts(s) != old:
                break
            left.append(run)
        for run, s in own[place:]:
            if texts(s) != now:
                break
            right.append(run)
        tokens = [measures.quantile([a["promptTokens"] for a in s.attempts], 0.5)
                  for s in (left[0].slice(slice.key), own[place][1])]
        cases = set(own[place][1].by_case)
        for run in left[:WINDOW] + right[:WINDOW]:
            cases &= set(run.slice(slice.key).by_case)
        return (self.pooled(slice, left[:WINDOW], cases), self.pooled(slice, right[:WINDOW], cases),
                tokens)

    def edit_row(self, c, row, p):
        c.claim([*row[0].texts(), *row["passing in"].texts()], "computed")
        before, after, tokens = self.edit(row)
        c.shown(row["before"], "{}", words.rate(*before))
        c.shown(row["after"], "{}", words.rate(*after))
        moved = [Near(words.points, v) for v in measures.change_over_cases(before, after)]
        heard = row.cells[7].first("span", "unseen")
        c.shown(heard, "{} [{}, {}]", *moved)
        c.shown(row["p (Holm)"], "{}", Near(words.p_value, p))
        # If a model doesn't count the tokens of prompts, they are recorded as 0.
        c.shown(row["prompt, tokens"], "{}", Near(
            lambda v: words.signed(v, 0), tokens[1] - tokens[0]) if all(tokens) else "–")
        for name in ("guide", "edit"):
            c.claim(row[name].texts(), "quoted")
            known = " ".join(texts_of(self.runs))
            for span in row[name].all("span", "item"):
                for quote in re.findall(r"“([^”…]*)", span.text()):
                    if re.search(r"\d", quote) and quote not in known:
                        c.fail(f"no schema, instructions or prompt contains “{quote}”")
                if match := re.match(r"and (\d+) more|the effect of (\d+) texts", span.text()):
                    if not 1 < int(match[2] or match[1]) + 2 < 50:
                        c.fail(f"implausible count: {span.text()}")

    def run_row(self, c, row):
        name = row[0].text()
        c.claim(row[0].texts(), "computed")
        if name not in self.runs:
            c.claim(row.node.texts(), "fixed")
            return c.fail(f"there is no run {name}") if name != "–" else None
        run = self.runs[name]
        day = datetime.date.fromisoformat(run.record["startedAt"][:10])
        c.shown(row["date"], "{}", day.strftime("%a %-d %b"))
        c.shown(row["commit"], "{}", (run.record.get("commit") or "–")[:9], kind="quoted")
        c.claim(row["guides"].texts(), "quoted")
        if not re.fullmatch(r"–|[0-9a-f]{7}", row["guides"].text()) or any(
                other["guides"].text() == row["guides"].text()
                for other in row.table.rows if other[0].text() in self.runs
                and other[0].text() != name and self.differ(run, self.runs[other[0].text()])):
            c.fail(f"the key of the texts, {row['guides'].text()}, is malformed or stands for different texts")
        for other in row.table.rows:
            if other[0].text() in self.runs and not self.differ(run, self.runs[other[0].text()]) \
                    and other["guides"].text() != row["guides"].text():
                c.fail(f"run {other[0].text()} has the same texts, but a different key")
        keys = {s["guides"] for e in self.entries if str(e.get("run")) == name for s in e["suites"]}
        if len(keys) == 1 and row["guides"].text() != min(keys)[:7]:
            c.fail(f"the key of the texts is {row['guides'].text()}, recorded {min(keys)}")
        for cell in row.cells:
            if match := re.match(r"(?:interrupted|stopped) after ", cell.text()):
                c.shown(cell, match[0] + "{}", words.counted(len(run.made), "attempt"))
        if "attempts" in row and len(row.cells) == len(row.table.head):
            judged = run.judged
            share = rows.Share.sum(s.share for s in judged)
            c.shown(row["passing"], "{}", words.rate(*share))
            c.shown(row["95 % CI"], "{}", interval(share))
            c.shown(row["attempts"], "{}", words.grouped(share[1]))

    @staticmethod
    def differ(one, other):
        keys = [{s.key: [s.variant.get(k) for k in ("schema", "instructions", "promptTemplate")]
                 for s in r.judged} for r in (one, other)]
        return keys[0] != keys[1]
