"""Checks the facts that a page holds as JSON: against the rows, and against every cell of its tables."""
import collections
import json
import math

import rows
import words
from page import Table
from steps import before_cause, told_causes
from words import Near, flat


def shown(value):
    """The texts by which a cell may show a fact; the parts of a cell are joined without spaces."""
    if value is None:
        return {"–"}
    if isinstance(value, (int, float)):
        return None
    if isinstance(value, str):
        return {flat(value)}
    if "verdict" in value:
        return {{"regressed": "worse", "improved": "better", "ok": "no change", "broken": "broken",
                 "inconclusive": "too few to tell", "notComparable": "not comparable"}[value["verdict"]]}
    if "p" in value:
        return {"–"} if value["p"] is None else Near(words.p_value, value["p"]).texts
    if "seconds" in value:
        return {"–"} if value["seconds"] is None else Near(words.duration, value["seconds"]).texts
    if "value" in value:
        hits, count = value["hits"], value["count"]
        if hits is not None:
            return {f"{words.rate(hits, count)}{words.grouped(hits)} of {words.grouped(count)}"}
        return {t + f"over {words.counted(count, 'test case')}"
                for t in Near(words.percent, value["value"]).texts}
    for name in ("points", "percent"):
        if name in value:
            ends = () if value["low"] is None else (value["low"], value["high"])
            return Near(lambda change, *ends: words.signed(change, 1) + (
                f" [{', '.join(words.signed(end, 1) for end in ends)}]" if ends else ""),
                value[name], *ends).texts
    if "hits" in value:
        hits, count = value["hits"], value["count"]
        return {f"{words.rate(hits, count)} {words.grouped(hits)}/{words.grouped(count)}"}
    if "low" in value:
        return Near(words.interval, value["low"], value["high"]).texts
    raise ValueError(f"not understood: {value}")


def digits(value):
    """The numbers of a fact that a cell rounds; its counts are shown in full."""
    if isinstance(value, float):
        return [value]
    scale = 0.01 if isinstance(value, dict) and {"points", "percent"} & set(value) else 1
    names = ("value", "points", "percent", "p", "seconds", "low", "high")
    known = value if isinstance(value, dict) else {}
    return [scale * known[n] for n in names if known.get(n) is not None]


def is_near(shown, computed, fact):
    """Whether two numbers differ only by rounding; that of small p-values is larger."""
    if isinstance(fact, dict) and "p" in fact:
        return math.isclose(shown, computed, rel_tol=1e-11)
    return math.isclose(shown, computed, rel_tol=1e-13, abs_tol=1e-15)


class Facts:
    """The facts of a page, which its tables and its first screen show."""

    def __init__(self, report):
        self.report, self.run = report, report.run
        self.script = next((s for s in report.page.all("script") if s.attributes.get("id") == "facts"), None)

    def check(self, c):
        if self.script is not None:
            self.tables = {}
            for node in self.report.page.all("table"):
                table = Table(node)
                self.tables.setdefault(table.caption, []).append(table)
            c.unit("facts", self.all, self.script)

    def all(self, c, script):
        c.claim(script.children, "computed")
        c.not_recomputed.clear()
        facts = json.loads(script.raw())
        self.counts(c, facts)
        for fact in facts["tables"]:
            self.table(c, fact)

    def counts(self, c, facts):
        made = self.run.made
        wanted = {
            "run": self.run.number, "attempts": len(made), "passed": rows.passed(made),
            "failed": sum(a["outcome"] == "fail" for a in made),
            "errors": sum(a["outcome"] == "error" for a in made)}
        for name, value in wanted.items():
            if facts[name] != value:
                c.fail(f"{name} is {facts[name]}, computed {value}")
        head = self.report.page.first("p", "verdict")
        if head is not None and flat(facts["sentence"]) not in head.text():
            c.fail(f"the first sentence differs from the fact “{facts['sentence'][:100]}”")
        found = [p.text() for p in self.report.page.all("p", "found")]
        if facts["details"] and flat(facts["details"]) not in found:
            c.fail(f"no line says the details “{facts['details'][:100]}”")
        told = told_causes(self.report)[0]
        causes = {flat(words.line(name)): sum(map(len, of.values())) for name, of in told.items()}
        listed = [i.text() for items in self.report.page.all("ul", "causes") for i in items.all("li")]
        for cause in facts["causes"]:
            if cause["failed"] > causes.get(flat(cause["title"]), -1):
                c.fail(f"the cause {cause['title']} has {cause['failed']} failures, computed {causes}")
            before = before_cause(self.report, cause["title"], told.get(cause["title"], {}))
            old = cause["before"]
            if old and f"{words.grouped(old)} in the baseline" not in before:
                c.fail(f"the cause {cause['title']} had {old} failures, computed {before}")
            start = f"{words.grouped(cause['failed'])} of {words.grouped(cause['attempts'])} attempt"
            if not any(text.startswith(start) for text in listed):
                c.fail(f"no line of the first screen says “{start}…”")

    def table(self, c, fact):
        """Compares each cell of a table with its fact; a note below a cell is no part of the fact."""
        fits = [t for t in self.tables.get(flat(fact["caption"]), [])
                if len(t.rows) == len(fact["rows"])]
        wrong = [f"no table has the {len(fact['rows'])} rows"]
        for table in fits:
            unknown = collections.Counter()
            wrong = self.wrong(table, fact, unknown)
            if not wrong:
                c.not_recomputed.update(unknown)
                return
        for what in wrong[:3]:
            c.fail(f"{fact['caption']}: {what}")

    def wrong(self, table, fact, unknown):
        pictures = [n for n, head in enumerate(table.head) if head not in map(flat, fact["columns"])]
        found = []
        if [h for n, h in enumerate(table.head) if n not in pictures] != list(map(flat, fact["columns"])):
            return [f"the columns are {table.head}, in the facts {fact['columns']}"]
        for row, values in zip(table.rows, fact["rows"]):
            cells = [cell for n, cell in enumerate(row.cells) if n not in pictures]
            for name, cell, value in zip(fact["columns"], cells, values):
                numbers = digits(value)
                if numbers and len(numbers) != len(cell.computed):
                    unknown[f"{name} in {table.caption}"] += len(numbers)
                elif not all(is_near(a, b, value) for a, b in zip(numbers, cell.computed)):
                    found.append(f"{row[0].text()[:40]}, {name}: in the facts {numbers}, "
                                 f"computed {cell.computed}")
                if not self.fits(cell, value):
                    found.append(f"{row[0].text()[:40]}, {name}: shown “{cell.text()[:60]}”, in the facts {value}")
        return found

    @staticmethod
    def fits(cell, value):
        text, wanted = cell.text(), shown(value)
        # A drawing stands for a text that only other reports show. One night alone isn't drawn.
        if not text and isinstance(value, str) and (
                cell.first("svg") is not None or len(value.replace("·", "")) == 1):
            return True
        if wanted is None:
            digits = text.replace(",", "").replace("−", "-").split(" ")[0].rstrip("%") or "nan"
            unit = {"ms": 0.001, "min": None}.get(text.split(" ")[1] if " " in text else "", 1)
            try:
                number = float(digits) * (unit or 1)
            except ValueError:
                return text == "–"
            scale = 100 if text.endswith("%") else 1
            last = 10 ** -len(digits.partition(".")[2]) * (unit or 1)
            return unit is None or abs(number - scale * value) <= max(
                0.0051 * max(1, abs(scale * value)), 0.51 * last)
        notes = "".join(n.text() for n in cell.all("span", "below"))
        plain = {text, text.removesuffix(notes).strip()}
        joined = "; ".join([cell.own() or "", *(n.text() for n in cell.all("span"))]).strip("; ")
        link = cell.first("a")
        return bool(wanted & {*plain, joined, *([link.text()] if link else [])})
