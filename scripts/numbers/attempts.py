"""Checks the section on latency and the table of attempts on a report page."""
import json

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
        whole = sum(times)
        c.shown(row["tok/s"], "{}", Near(
            lambda v: words.fixed(v, 0), sum(tokens) / whole) if whole else "–")
        if "p95 before" in row:
            before = self.before(slice)
            c.shown(row["p95 before"], "{}", "–" if not before else Near(
                words.duration, measures.quantile([a["duration"] for a in before.attempts], 0.95)))

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
            if shown[:2] == (str(attempt["outputTokens"]), words.fixed(attempt["duration"] * 1000, 0)) \
                    and shown[2] in titles:
                return
        c.fail(f"no attempt matches the row “{row.node.text()}”")

    def titles(self, attempt):
        """Returns the two possible titles of a failure: its own, and that of its group."""
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
                time = attempt["duration"] * 1000
                if shown["t"][index] != attempt["outputTokens"] or abs(
                        shown["m"][index] - time) > (0.05 if time < 10 else 0.5) + 1e-6:
                    c.fail(f"{shown['C'][case]} is shown with {shown['t'][index]} tokens and {shown['m'][index]} ms, "
                           f"but the attempt has {attempt['outputTokens']} tokens and {time:.1f} ms")
                letter = shown["v"][index]
                if {"p": "pass", "f": "fail", "v": "fail", "e": "error", "s": "skipped"}[
                        letter] != attempt["outcome"]:
                    c.fail(f"{shown['C'][case]} is shown as {letter}, but its outcome is {attempt['outcome']}")
            place += count
            self.shapes(c, shown, slice, list(zip(own, group)))
        if place != len(self.run.attempts):
            c.fail(f"the data has {place} attempts, but the run has {len(self.run.attempts)}")
        reasons = iter(shown["r"])
        for index, attempt in enumerate(ordered):
            if attempt["outcome"] in ("fail", "error"):
                number = next(reasons)
                if flat(shown["R"][number]) not in {
                        flat(words.clipped(words.line(t), 160)[0]) for t in self.titles(attempt)}:
                    c.fail(f"attempt {index} is shown with the reason “{shown['R'][number]}”, which is not "
                           "its reason")

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
            expected = branches and rows.expectations(slice.suite, branches[0]).get(
                attempt["key"]["caseID"])
            if "g" in shown:
                number = shown["g"][index]
                pair = f"{expected}>{rows.branch(value, branches[0]) or '–'}" if expected else None
                if (shown["G"][number] if number >= 0 else None) != pair:
                    c.fail(f"attempt {index} is shown with branch pair number {number}, but its pair is {pair}")
