"""Checks the section on latency and the table of attempts on a report page."""
import json
import re

import effects
import measures
import rows
import words
from bases import first_array
from page import Node
from words import Near, flat


class Attempts:
    """The checks of times, token counts, and the data behind the attempts table."""

    def latency(self, c):
        for table in self.tables("latency"):
            for row in table.rows:
                c.unit(f"latency, {row[0].text()}", self.latency_row, row)
        for note in (self.sections.get("latency") or Node("", {}, None)).all("p", "note"):
            if note.text().startswith("The local model computed") and re.search(r"\d", note.text()):
                c.unit("latency, batches", self.batches, note)
        for drawing in (self.sections.get("latency") or Node("", {}, None)).all("svg"):
            c.unit("latency, axis", self.latency_axis, drawing)

    def batches(self, c, note):
        """Checks how many attempts were computed in a batch, and the mean size of their batches."""
        widths = [w for a in self.run.made if (w := (a.get("details") or {}).get("batchWidth")) is not None]
        shared = sum(w >= 1.05 for w in widths)
        start = note.text().partition(" A latency ")[2]
        c.shown(note, "The local model computed {} of {} in a batch with others, {} attempts at a time on "
                "average. A latency {}", words.grouped(shared), words.counted(len(widths), "attempt"),
                Near(lambda v: words.fixed(v, 1), sum(widths) / len(widths)), start)

    def latency_row(self, c, row):
        c.claim(row[0].texts(), "quoted")
        slice = self.run.named(row[0].text())
        times = rows.known(slice.attempts, "duration")
        tokens = rows.known(slice.attempts, "outputTokens")
        for name, share in (("p50", 0.5), ("p95", 0.95)):
            c.shown(row[name], "{}",
                    Near(words.duration, measures.quantile(times, share)) if times else "–")
        c.shown(row["tokens p50"], "{}", Near(
            lambda v: words.fixed(v, 0), measures.quantile(tokens, 0.5)) if tokens else "–")
        both = [a for a in slice.attempts if rows.measured(a, "outputTokens") is not None
                and rows.measured(a, "duration") is not None]
        tokens, whole = (sum(a[name] for a in both) for name in ("outputTokens", "duration"))
        c.shown(row["tok/s"], "{}", Near(
            lambda v: words.fixed(v, 0), tokens / whole) if whole else "–")
        if "p95 before" in row:
            before = self.before(slice)
            times = rows.known(before.attempts, "duration") if before else []
            c.shown(row["p95 before"], "{}", "–" if not times else Near(
                words.duration, measures.quantile(times, 0.95)))

    def latency_axis(self, c, drawing):
        ticks = [t for t in drawing.all("text") if "tick" in t.classes]
        c.claim([x for t in ticks for x in t.texts()], "fixed")
        shown = [float(t.text().split()[0].replace(",", "")) for t in ticks]
        scale = [f * 10 ** p for p in range(-1, 10) for f in (1, 3)]
        start = min(range(len(scale)), key=lambda n: abs(scale[n] - shown[0]))
        if any(abs(a - b) > 1e-9 * b for a, b in zip(shown, scale[start:])):
            c.fail(f"the axis has the ticks {shown}, which don't follow the scale 1, 3, 10, …")
        for label in drawing.all("text"):
            if "label" in label.classes:
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
                    p, "The filter needs scripts. The attempts below failed; {} passed. "
                    "Each attempt is a line of results.jsonl.",
                    words.grouped(rows.passed(self.run.made))), p)

    def attempt_row(self, c, row):
        found = [
            a for a in self.run.made if words.line(a["key"]["suite"]) == row["suite"].text()
            and words.line(a["key"]["caseID"]) == row["test case"].text()
            and str(a["key"]["repeatIndex"]) == row["repeat"].text() and a["outcome"] != "pass"]
        c.claim(row.node.texts(), "computed")
        for attempt in found:
            shown = row["tokens"].text(), row["ms"].text(), row["why"].text()
            titles = {flat(words.clipped(words.line(title), 160)[0]) for title in self.titles(attempt)}
            tokens, time = (rows.measured(attempt, name) for name in ("outputTokens", "duration"))
            wanted = ("–" if tokens is None else str(tokens),
                      "–" if time is None else words.fixed(time * 1000, 0))
            if shown[:2] == wanted \
                    and shown[2] in titles:
                return
        c.fail(f"no attempt matches the row “{row.node.text()}”")

    def titles(self, attempt):
        """Returns the two titles that a failure may have: its own, and that of its group."""
        slice = self.run.slice(rows.Run.key(attempt))
        group = rows.groups(slice)[rows.group_key(attempt)]
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
                c.fail(f"{shown['C'][case]} has {len(group)} attempts, but the data has {count}, "
                       f"with the repeats {repeats}")
            ordered += group
            for index, attempt in zip(own, group):
                tokens, time = (rows.measured(attempt, name) for name in ("outputTokens", "duration"))
                number, ms = shown["t"][index], shown["m"][index]
                if number != tokens or (ms is None) != (time is None) or time is not None and abs(
                        ms - time * 1000) > (0.05 if time < 0.01 else 0.5) + 1e-6:
                    c.fail(f"{shown['C'][case]} is shown with {number} tokens and {ms} ms, "
                           f"but the attempt has {tokens} tokens and took {time} s")
                letter = shown["v"][index]
                if {"p": "pass", "f": "fail", "v": "fail", "e": "error", "s": "skipped"}[
                        letter] != attempt["outcome"]:
                    c.fail(f"{shown['C'][case]} is shown as {letter}, but its outcome is {attempt['outcome']}")
            place += count
            self.shapes(c, shown, slice, list(zip(own, group)))
        if place != len(self.run.attempts):
            c.fail(f"the data has {place} attempts, but the run has {len(self.run.attempts)}")
        self.reasons(c, shown, ordered)
        self.answers(c, shown, ordered)
        self.names(c, shown)

    def reasons(self, c, shown, ordered):
        """Checks that each group of failures has a number, and that this number stands for the group's title."""
        if len(shown["r"]) != sum(a["outcome"] in ("fail", "error") for a in ordered):
            c.fail(f"the data has {len(shown['r'])} reasons, but "
                   "the number of failed attempts differs")
        reasons, numbers = iter(shown["r"]), {}
        for index, attempt in enumerate(ordered):
            if attempt["outcome"] in ("fail", "error"):
                number = next(reasons)
                group = rows.Run.key(attempt), rows.group_key(attempt)
                if numbers.setdefault(number, group) != group:
                    c.fail(f"attempt {index} has number {number}, the number of another group")
                if flat(shown["R"][number]) not in {
                        flat(words.clipped(words.line(t), 160)[0]) for t in self.titles(attempt)}:
                    c.fail(f"attempt {index} is shown with the reason “{shown['R'][number]}”, which is not "
                           "its reason")
        if len(set(numbers.values())) != len(numbers) or set(numbers) != set(range(len(shown["R"]))):
            c.fail("a group of failures has two numbers, or a number has no failures")

    def answers(self, c, shown, ordered):
        """Checks the answers of the attempts, and of the same attempts in the baseline."""
        if "O" not in shown:
            return
        used = set()
        # The page leaves out answers once it has 900,000 bytes of them.
        is_full = sum(len(t.encode()) for t in shown["O"]) > 890_000
        for index, attempt in enumerate(ordered):
            before = self.reference(self.run.slice(rows.Run.key(attempt)))
            key = attempt["key"]["caseID"], attempt["key"]["repeatIndex"]
            old = before and next((a for a in before.by_case.get(key[0], [])
                                   if a["key"]["repeatIndex"] == key[1]), None)
            for name, source in (("o", attempt), ("p", old)):
                number = shown[name][index] if name in shown else -1
                used.add(number)
                text = words.visible(source["output"]) if source else ""
                is_missing = text and number == -1 and name in shown and not is_full
                if is_missing or number < -1 or number >= 0 and not text:
                    c.fail(f"attempt {index} lacks its answer in {name}")
                elif number >= 0:
                    answer, cut = words.clipped(text, 2000)
                    if shown["O"][number] != answer and not (
                            cut and shown["O"][number].startswith(answer + "… [")):
                        c.fail(f"attempt {index} is shown with another answer in {name}")
                    note = re.search(r"… \[(.*)\]$", shown["O"][number]) if cut else None
                    sizes = {f"{2000:,}", f"{len(answer.encode()):,}", f"{len(text.encode()):,}"}
                    if note and not set(words.NUMBER.findall(note[1])) <= sizes:
                        c.fail(f"attempt {index} has a note with wrong sizes: {note[1]}")
        if not set(range(len(shown["O"]))) <= used:
            c.fail("the data has an answer that belongs to no attempt")

    def names(self, c, shown):
        """Checks the variants, models, tags and commands of the slices, and the test cases' tags."""
        slices = [self.run.named(name) for name in shown["S"]]
        backends = {b["id"]: b for b in self.run.record["backends"]}
        line = words.line
        for name, wanted in {
                "V": [line(s.key[1]) for s in slices],
                "M": [line(f"{s.key[2]} {backends[s.key[2]]['model']}") for s in slices],
                "W": [line(" ".join(s.suite.get("tags") or [])) for s in slices]}.items():
            if shown[name] != wanted:
                c.fail(f"{name} has {shown[name]}, computed {wanted}")
        for slice, (suite, options) in zip(slices, shown["Q"]):
            start = (f"--variant {slice.key[1]} " if len(slice.suite["variants"]) > 1 else "") + (
                f"--backend {slice.key[2]} " if len(backends) > 1 else "") + f"--run {self.run.number}"
            if suite != line(slice.key[0]) or not re.match(re.escape(line(start)) + r"( --reports |$)", options):
                c.fail(f"the command of {suite} is {options}, computed {start}")
        if shown["N"] != self.run.number or shown["B"] != [line(s.key[2]) for s in slices]:
            c.fail(f"the data is of run {shown['N']}, with the backends {shown['B']}")
        known = {(s.key[0], line(k["id"])): k for s in slices for k in s.suite["cases"]}
        suites = {block[1]: slices[block[0]].key[0] for block in shown["b"]}
        for number, case in enumerate(shown["C"]):
            record = known.get((suites.get(number), case))
            if record is None:
                c.fail(f"the test case {case} has no attempts, or no suite has it")
                continue
            if line(" ".join(record["tags"])) != shown["T"][number]:
                c.fail(f"the tags of {case} differ")
            self.case_input(c, shown, number, record)
        if len({(suites.get(n), case) for n, case in enumerate(shown["C"])}) < len(shown["C"]):
            c.fail("the data lists a test case twice")
        for (slice, case, _, *_), letter in zip(shown["b"], shown.get("D", "")):
            wanted = self.direction(slices[slice], shown["C"][case])
            if letter != wanted:
                c.fail(f"{shown['C'][case]} changed like {letter}, computed {wanted}")
        if "G" in shown and set(range(len(shown["G"]))) - set(shown["g"]):
            c.fail("a pair of branches belongs to no attempt")

    def case_input(self, c, shown, number, record):
        """Checks the input of a test case, and its variables."""
        members = {k: v for k, v in (record["variables"] or {}).items() if not k.startswith("env.")}
        text = rows.case_input(record)
        shown_input = shown["I"][number]
        if shown_input and shown_input != words.clipped(words.line(text), 600)[0]:
            c.fail(f"{record['id']} is shown with the input “{shown_input[:80]}”")
        own = shown["X"][number]
        if isinstance(own, int) and not isinstance(own, bool):
            own = {shown["K"][own]: shown_input}
        if isinstance(own, dict) and own != members:
            c.fail(f"{record['id']} is shown with other variables: {own}")

    def direction(self, slice, case):
        """The letter for the change of a test case since the baseline."""
        before = self.before(slice)
        old = {a["key"]["repeatIndex"]: a for a in before.attempts
               if words.line(a["key"]["caseID"]) == case} if before else {}
        end = min(end for _, end in effects.compared_repeats(before, slice)) if before else 0
        pairs = [(old[a["key"]["repeatIndex"]], a) for a in slice.attempts
                 if words.line(a["key"]["caseID"]) == case and a["key"]["repeatIndex"] in old
                 and a["key"]["repeatIndex"] < end]
        if not pairs:
            return "-"
        change = sum((b["outcome"] == "pass") - (a["outcome"] == "pass") for a, b in pairs)
        return "b" if change < 0 else "f" if change > 0 else "s"

    def shapes(self, c, shown, slice, attempts):
        """Checks, in the data of the table, each answer's branch and the length of its first array."""
        path = first_array(slice.variant["schema"])
        branches = list(dict.fromkeys(
            e["path"] for k in slice.suite["cases"] for e in k["expectedBranches"]))
        for index, attempt in attempts:
            value = rows.decoded(attempt["output"]) if rows.has_value(attempt) else None
            if "l" in shown and path is not None:
                found = [n for p, n in rows.arrays(value) if p == path] if value is not None else []
                if shown["l"][index] != (found[0] if found else -1):
                    c.fail(f"attempt {index} is shown with length {shown['l'][index]}, "
                           f"but its arrays have the lengths {found}")
            elif "l" in shown and shown["l"][index] != -1:
                c.fail(f"attempt {index} has no array")
            is_judged = attempt["outcome"] != "skipped" and not rows.is_backend_error(attempt)
            expected = branches and is_judged and rows.expectations(
                slice.suite, branches[0]).get(attempt["key"]["caseID"])
            if "g" in shown:
                number = shown["g"][index]
                pair = f"{expected}>{rows.branch(value, branches[0]) or '–'}" if expected else None
                if (shown["G"][number] if number != -1 else None) != pair:
                    c.fail(f"attempt {index} is shown with branch pair number {number}, but its pair is {pair}")
