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
        self.text = text
        self.page = Page(text).root
        self.entries = [json.loads(line) for line in history.splitlines() if line.strip()]
        numbers = {str(e["run"]) for e in self.entries if "run" in e}
        self.runs = {n: r for n, r in runs.items() if n in numbers}
        self.missing = numbers - set(self.runs)
        self.history = [self.runs[n] for n in sorted(self.runs, key=int)]
        self.run = self.history[-1]
        # Figures and stretches leave out runs that were interrupted.
        self.complete = [r for r in self.history if r.record["status"] == "complete"]
        self.sections = {s.attributes.get("id"): s for s in self.page.all("section")}

    def tables(self, section):
        node = self.sections.get(section)
        return [Table(t) for t in node.all("table")] if node else []

    def before(self, slice):
        return None

    def name(self, slice):
        """The name of a slice; it includes the variant or backend if the runs judged more than one."""
        keys = {s.key for run in self.history for s in run.judged}
        suite, variant, backend = slice.key
        own = ":" + variant if any(k[0] == suite and k[1] != variant for k in keys) else ""
        return suite + own + (f" on {backend}" if any(k[2] != backend for k in keys) else "")

    def named(self, name, runs=None):
        """The slice with this name in the newest run that has one."""
        return next((s for r in reversed(runs or self.history) for s in r.slices
                     if self.name(s) == name), None)

    def in_night(self, run, slice):
        """A slice in another night, on whatever model."""
        return run.slice(slice.key)

    def check(self, c):
        if self.missing:
            return c.skip(f"the dashboard: runs {', '.join(sorted(self.missing))} are not in the database")
        for node in self.page.all("h1") + self.page.all("title"):
            c.unit("the title", self.heading, node)
        for node in self.page.all("p", "verdict"):
            c.unit("the verdict", self.verdict, node)
        for node in self.page.all("p", "found"):
            c.unit("the next step", self.step, node)
        for node in self.page.all("ul", "causes"):
            c.unit("causes", self.causes, node)
        for table in self.page.all("table", "tonight"):
            for row in Table(table).rows:
                c.unit(f"tonight, {row[0].text()}", self.tonight, row)
            for note in self.page.all("p", "note"):
                if " below in Suites" in note.text():
                    c.unit("tonight, other rows", self.other_rows, note, Table(table))
        for figure in self.page.all("figure"):
            c.unit("figure, " + figure.first("figcaption").text(), self.figure, figure)
        for table in self.tables("suites"):
            for row in table.rows:
                c.unit(f"stretches, {row[0].text()}", self.stretches, row)
        self.nights(c)
        self.facts(c)
        for note in (self.sections.get("tags") or self.page).all("p", "note") if "tags" in self.sections else []:
            c.unit("tags, note", self.tag_note, note)
        for table in self.tables("tags"):
            for row in table.rows:
                c.unit(f"tags, {row[0].text()}", self.tag, row)
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
        keys = {s.key for r in self.history for s in r.judged}
        drawn = len(node.up("section").all("figure"))
        text = node.text().partition(" more ")[2]
        c.shown(node, "{} more {}", len(keys) - drawn, text)

    def heading(self, c, node):
        name = words.counted(len(self.history), "run")
        if node.tag == "h1":
            return c.shown(node, "{}", name)
        c.shown(node, "{} {} · guided-generation evaluations", node.text()[:1], name)

    def method(self, c, node):
        c.claim(node.texts(), "fixed")
        plain(c, re.sub(r"a probability of at most 0\.01|at most 14 nights", "", node.text()))

    def verdict(self, c, node):
        c.claim(node.texts(), "computed")
        text = node.text()
        for entry in re.findall(ENTRY, text.replace("Run ", "run ")):
            self.position(entry)
        if match := re.search(r"ended with status (\d+)", text):
            if int(match[1]) != self.entries[-1]["exit"]:
                c.fail(f"shown {match[0]}, recorded {self.entries[-1]['exit']}")
            text = text.replace(match[0], "")
        rest = re.sub(
            rf"(?:since|began with|[Nn]ight)? ?{ENTRY}|(?:run|since run) \d+(?=[.:])|for \d+ runs?"
            r"|and \d+ more(?: suites?)?|the test case \S+ of|\d+ test cases of", "",
            text.replace("Run ", "run "))
        for number in re.findall(r"\d+", rest):
            if number not in self.runs and not any(number in s.key[0] for s in self.run.slices):
                c.fail(f"there is no run {number}")

    def position(self, entry):
        """The position of a run among the nights, given its name on the page."""
        number, day = re.fullmatch(r"(?:run (\d+) \()?(\d+ [A-Z][a-z]{2})\)?", entry).groups()
        days = [datetime.datetime.strptime(r.record["startedAt"][:10], "%Y-%m-%d").strftime("%-d %b")
                for r in self.history]
        return next(n for n, r in enumerate(self.history)
                    if days[n] == day and number in (None, str(r.number)))

    def causes(self, c, node):
        """Checks that the causes are those of the newest run's report, whose check recomputes them."""
        c.claim(node.texts(), "quoted")
        wanted = [flat(words.line(cause)) + "." for cause in self.entries[-1].get("causes", [])]
        if [item.text() for item in node.all("li")] != wanted:
            c.fail(f"shown {node.text()[:120]}, recorded {wanted}")

    def step(self, c, node):
        """Checks that the next step is the one that the newest run's report advised."""
        c.claim(node.texts(), "computed")
        text = node.text().replace("Open the newest report.", "").strip().removeprefix("Do next: ")
        if "step" in self.entries[-1]:
            wanted = ": ".join(self.entries[-1]["step"]).replace("`", "")
            if text.rstrip(".") != flat(wanted).rstrip("."):
                c.fail(f"shown “{text}”, recorded “{wanted}”")
            return
        text = re.sub(r"ended with status (\d+)|--resume (\d+)", lambda m: "" if int(
            m[1] or m[2]) == self.entries[-1]["exit" if m[1] else "run"] else m[0], text)
        if re.search(r"\d", text):
            c.fail(f"not understood: {text}")

    def ratio(self, share):
        return f"{words.rate(*share)} {words.grouped(share[0])}/{words.grouped(share[1])}"

    def tonight(self, c, row):
        slice = self.named(row[0].text())
        c.claim(row[0].texts(), "quoted")
        c.shown(row["tonight"], "{}", self.ratio(slice.share))
        before = [s for r in self.history[:-1] if r.record["status"] == "complete"
                  and (s := r.like(slice)) and s.attempts]
        c.shown(row["last night"], "{}", self.ratio(before[-1].share) if before else "–")
        own = next(s for s in self.entries[-1]["suites"]
                   if (s["suite"], s["variant"], s["backend"]) == slice.key)
        c.shown(row["baseline"], "{}", self.ratio(own["reference"]) if "reference" in own else "–")
        since = row["series of nights"]
        c.claim(since.texts(), "computed")
        if match := re.fullmatch(
                rf"[↓↑] (?:lower|higher|fixed) since ({ENTRY}): (\S+(?: \S+)? %), (\S+(?: \S+)? %) before",
                since.text()):
            first = self.position(match[1])
            after = self.pooled(slice, self.history[first:])
            earlier = {words.rate(*self.pooled(slice, self.history[n:first])) for n in range(first)}
            if words.rate(*after) != match[2] or match[3] not in earlier:
                c.fail(f"shown {since.text()}, computed {after}")
        elif since.text():
            c.fail(f"not understood: {since.text()}")

    def other_rows(self, c, note, table):
        """Checks how many rows the table of tonight leaves out: those of the other judged slices."""
        rest = len([s for s in self.run.judged if s.attempts]) - len(table.rows)
        c.claim(note.texts(), "computed")
        if not words.is_about_others(note.text(), rest):
            c.fail(f"shown {note.text()}, computed {rest} more rows")

    def tag_note(self, c, note):
        """Checks the number of tags that the table leaves out."""
        tags = {t for s in self.run.judged for k in s.suite["cases"] for t in k.get("tags", []) + s.suite.get("tags", [])}
        rest = len(tags) - sum(len(table.rows) for table in self.tables("tags"))
        c.shown(note, "{} not listed.", words.counted(rest, "more tag"))

    def tag(self, c, row):
        name = row[0].text()
        c.claim(row[0].texts(), "quoted")
        # The newest run may have been interrupted before it came to a suite.
        judged = [s for s in self.run.judged if s.attempts]
        members = {s.key: {k["id"] for k in s.suite["cases"]
                           if name in k.get("tags", []) + s.suite.get("tags", [])} for s in judged}
        def share(run):
            return rows.passing([a for key, ids in members.items() if (s := run.slice(key))
                                 for i, g in s.by_case.items() if i in ids for a in g])
        known = [s for r in self.history[-60:] if r in self.complete and (s := share(r))[1]]
        c.shown(row["test cases"], "{}", words.grouped(sum(map(len, members.values()))))
        c.shown(row["newest"], "{}", self.ratio(known[-1]))
        c.shown(row["95 % CI"], "{}", interval(known[-1]))
        c.shown(row["night before"], "{}", words.rate(*known[-2]) if len(known) > 1 else "–")

    def facts(self, c):
        """Recomputes the facts from which the script draws the grid, and the counts of states."""
        found = re.search(r'<script type="application/json" id="facts">(.*?)</script>', self.text, re.S)
        if not found:
            return
        facts = json.loads(found[1])
        states = dict.fromkeys(("broke", "fails", "flaky", "fixed", "steady"), 0)
        for case in facts["cases"]:
            states[case["k"]] += 1
            c.unit(f"facts, {case['at']}", self.fact, facts, case)
        section = self.sections["cases"]
        c.unit("states", self.states, section.first("p", "filters"), list(states.values()))
        for p in section.all("p", "note"):
            if p.text().startswith("The search looks at"):
                c.unit("what the search finds", self.extent, p, facts["cases"])
            elif "5 to 95 %" in p.text():
                c.unit("definitions of states", lambda c, p: (c.claim(p.texts(), "fixed"), plain(
                    c, re.sub(r"the last 14 nights|at least 95 %|5 to 95 %", "", p.text()))), p)
            elif "not drawn" in p.text():
                c.unit("test cases that are not drawn", self.undrawn, p, facts["cases"])

    def states(self, c, node, counts):
        names = ["just broke", "always fails", "flaky", "fixed", "steady"]
        c.shown(node, " · ".join(["{} {}"] * 5), *[
            x for n, name in zip(counts, names) for x in (words.grouped(n), name)])

    def extent(self, c, node, cases):
        all_ = words.counted(len(cases), "test case")
        c.claim(node.texts(), "computed")
        inputs = sum("v" in k for k in cases)
        answers = sum("g" in k or "b" in k for k in cases)
        if inputs or answers:
            c.shown(node, "The search looks at the ids, suites and tags of {}, at {}, and at the "
                    "last good and the first bad answers of {}. The reports of the nights hold the other "
                    "answers.", all_, words.counted(inputs, "input"), words.counted(answers, "test case"))

    def undrawn(self, c, node, cases):
        c.claim(node.texts(), "computed")
        telling = sum(any(self.cells(k)[n][0] < self.cells(k)[n][1] for n in range(len(self.cells(k))))
                      or not self.cells(k)[-1][1] for k in cases)
        drawn = sum(len(r.cells) > 1 for t in self.tables("cases") for r in t.rows)
        if node.text().split(" ")[0] != words.grouped(telling - drawn):
            c.fail(f"shown {node.text()}, computed {telling - drawn}")

    @staticmethod
    def cells(case):
        runs = case["n"]
        return [(runs[i], runs[i + 1]) for i in range(0, len(runs), 3) for _ in range(runs[i + 2])]

    def fact(self, c, facts, case):
        key = tuple(facts["suites"][case["s"]][1:4])
        cells = self.cells(case)
        if len(cells) != len(facts["nights"]):
            return c.fail(f"{len(cells)} nights, not {len(facts['nights'])}")
        for night, cell in zip(facts["nights"], cells):
            run = night and self.runs.get(night[0])
            slice = run.slice(key) if run and run.record["status"] == "complete" else None
            own = next((g for i, g in (slice.by_case if slice else {}).items()
                        if words.line(i) == case["id"]), [])
            if night and cell != (rows.passed(own), len(own)):
                c.fail(f"run {night[0]}: the fact is {cell}, computed {rows.passed(own)}/{len(own)}")
        change = case.get("c")
        if change:
            for part, shown in ((cells[:change[0]], change[1:3]), (cells[change[0]:], change[3:5])):
                if [sum(h for h, _ in part), sum(n for _, n in part)] != shown:
                    c.fail(f"the change has {shown}, computed from {part}")
        if case["k"] != self.state(cells, change):
            c.fail(f"the state is {case['k']}, computed {self.state(cells, change)}")

    @staticmethod
    def state(cells, change):
        first = len(cells) - WINDOW
        if change and len(change) > 5:
            if change[5] >= first:
                return "fixed"
        elif change and change[0] >= first:
            return "broke" if change[3] * change[2] < change[1] * change[4] else "fixed"
        hits, made = (sum(x) for x in zip(*cells[-WINDOW:]))
        if not made:
            return "steady"
        nights = [(h, n) for h, n in cells[-WINDOW:] if n]
        passing, failed = 0, 0
        while nights and nights[-1][0] == nights[-1][1]:
            passing += nights.pop()[1]
        while nights and not nights[-1][0]:
            failed += nights.pop()[1]
        h, n = (sum(x) for x in zip(*nights)) if nights else (0, 0)
        if h >= 0.95 * n and (failed >= 3 if passing else failed and n):
            return "fixed" if passing else "broke"
        return "fails" if not hits else "flaky" if 0.05 * made <= hits <= 0.95 * made else "steady"

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
        cases = self.common(slice, self.history) if cases is None else cases
        own = [s for s in (r.slice(slice.key) for r in runs if r.record["status"] == "complete") if s]
        return rows.passing([a for s in own for c, g in s.by_case.items() if c in cases for a in g])

    # MARK: Figures

    def figure(self, c, figure):
        caption = figure.first("figcaption")
        name, rest = caption.first("b").text(), caption.own()
        if figure.up("section").attributes.get("id") == "suites":
            slice = self.named(name, self.complete)
            share = slice.share
            c.shown(caption, "{}, {}", flat(words.line(self.name(slice))),
                    words.counted(len(slice.by_case), "test case"))
        else:
            c.claim(caption.texts(), "quoted")
            slice = self.named(re.fullmatch(r", % in (.*)", rest)[1], self.complete)
            share = self.quality(name, slice)
        drawing = figure.first("svg")
        labels = drawing.all("text")
        c.claim([x for t in labels for x in t.texts()], "computed")
        newest = [t.text() for t in labels if "label" in t.classes]
        # Near, because a half such as 2.95 may round either way.
        if len(newest) != 1 or newest[0] not in Near(lambda v: words.fixed(v, 1), 100 * share[0] / share[1]).texts:
            c.fail(f"the newest value is {newest}, computed {share}")
        self.axes(c, labels)

    def quality(self, name, slice):
        if match := re.fullmatch(r"Empty arrays (.*)", name):
            # For an array that isn't nested in another array, the page counts attempts.
            found = rows.lengths(slice.attempts, match[1])
            return found.count(0), len(found) if "[*]" in match[1] else len(slice.attempts)
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
                for r in self.history]
        places = [days.index(n) for n in runs if n in days]
        if len(places) < len(runs):
            c.fail(f"no run is from {set(runs) - set(days)}")
        # Each run has a place on the axis, and so has a night without a run.
        dates = [datetime.date.fromisoformat(r.record["startedAt"][:10]) for r in self.history]
        axis = [0]
        for earlier, later in zip(dates, dates[1:]):
            axis.append(axis[-1] + max(1, (later - earlier).days))
        places = [axis[n] for n in places]
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
        names = [str(r.number) for r in self.history]
        expected = None
        for span in row["periods"].all("span", "stretch"):
            c.claim(span.texts(), "computed")
            match = re.match(r"(\d+)(?:–(\d+))? ?(\S+(?: \S+)? %) ?\[([\d.–]+)\]", span.text())
            first, last = names.index(match[1]), names.index(match[2] or match[1])
            if expected is not None and first != expected:
                c.fail(f"{span.text()} doesn't begin right after the stretch before it")
            expected = last + 1
            share = self.pooled(slice, self.history[first:last + 1])
            if match[3] != words.rate(*share) or match[4] not in interval(share).texts:
                c.fail(f"shown {span.text()}, computed {share}")
        newest = max(n for n, r in enumerate(self.history)
                     if r in self.complete and r.slice(slice.key))
        if expected != newest + 1:
            c.fail("the last stretch does not reach the newest run that has the suite")

    def guides(self, c, table):
        effects = [self.edit(row) for row in table.rows]
        adjusted = measures.holm([measures.fisher(before, after) for before, after, _ in effects])
        for row, effect, p in zip(table.rows, effects, adjusted):
            c.unit(f"edits, {row[0].text()} {row[1].text()}", self.edit_row, row, p)

    def edit(self, row):
        slice = self.named(row["passing in"].text())
        place = self.position(row[0].text())
        own = [(r, r.slice(slice.key)) for r in self.history]
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
            known = " ".join(texts_of(self.runs.values()))
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
        keys = [{s.key[:2]: [s.variant.get(k) for k in ("schema", "instructions", "promptTemplate")]
                 for s in r.judged if s.attempts} for r in (one, other)]
        return keys[0] != keys[1]
