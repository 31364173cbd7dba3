"""Recomputes what a lab found: the mutations that survived, or the edits to blame for a change."""
import re

import rows
import words
from bases import p_value
from page import Table
from words import Near, flat


class Lab:
    """The trials of a lab, each compared with the lab's base variant."""

    def __init__(self, report):
        self.report, self.run = report, report.run
        self.record = self.run.record["details"]["lab"]
        self.compared = self.run.record["comparison"]
        self.found = {after.variant: found for (_, after), by in report.by_effect.items()
                      for found in by.values()}
        self.together = self.found.get(self.record.get("together"))
        self.trials = [(flat(words.line(t["title"])), self.found.get(t.get("alone")),
                        self.found.get(t.get("without")), t) for t in self.record["trials"]]
        self.fates = {title: self.fate(*rest) for title, *rest in self.trials}

    @property
    def asks_survivors(self):
        return self.record["question"] == "survivors"

    @staticmethod
    def verdict(found):
        """The verdict of a comparison: the most important verdict of its gating effects."""
        gating = [e for e in found.values() if e.is_gating]
        verdicts = {e.verdict for e in gating}
        improved = "improved" in verdicts
        unsure = any(e.verdict == "inconclusive" and e.reference == "baseline"
                     and (not improved or e.worsening > 0) for e in gating)
        return "regressed" if "regressed" in verdicts else "inconclusive" if unsure else \
            "improved" if improved else "ok"

    def causes(self, found):
        """Whether a comparison shows the same change as the comparison of all edits together.

        The verdicts must be equal, and at least one quantity must have this verdict in both."""
        verdict = self.verdict(self.together)
        decided = [{t for t, e in f.items() if e.is_gating and e.verdict == verdict}
                   for f in (found, self.together)]
        return self.verdict(found) == verdict and bool(decided[0] & decided[1])

    def fate(self, alone, without, _):
        """The lab's conclusion about a mutation or an edit."""
        if alone is None:
            return "not tried"
        verdict = self.verdict(alone)
        change = alone["pass rate"].change if "pass rate" in alone else 0
        unnoticed = verdict in ("ok", "improved") or verdict == "inconclusive" and \
            change >= -self.compared["margin"]
        if self.asks_survivors:
            return "survived" if unnoticed else "noticed" if verdict == "regressed" else "undecided"
        if self.together and self.verdict(self.together) in ("regressed", "improved"):
            culprits = [t for t, one, *_ in self.trials if one and self.causes(one)]
            if self.causes(alone) or not culprits and without and not self.causes(without):
                return "to blame"
        return "not to blame" if unnoticed or verdict == "regressed" else "undecided"

    def count(self, fate):
        return list(self.fates.values()).count(fate)

    # MARK: Texts

    def words(self, variant):
        """What a variant of the lab tries: `only the guide of Slip`, `all edits except …`, or None."""
        if variant == self.record.get("together"):
            return "all edits together"
        for title, _, _, trial in self.trials:
            if variant == trial.get("alone"):
                return title if self.asks_survivors else f"only the {title}"
            if variant == trial.get("without"):
                return f"all edits except the {title}"
        return None

    def sentence(self, text):
        """Removes the parts about the lab from a text. Returns the rest, and the removed parts that are wrong."""
        wrong, tried = [], len(self.trials) - self.count("not tried")
        for pattern, fate in ((r"(\d+) of (\d+) mutations? survived", "survived"),
                              (r"(\d+) of (\d+) mutations? made more attempts fail", "undecided")):
            for match in re.finditer(pattern, text):
                if (int(match[1]), int(match[2])) != (self.count(fate), tried):
                    wrong.append(f"“{match[0]}”, computed {self.count(fate)} of {tried}")
            text = re.sub(pattern, "", text)
        for title, *_ in sorted(self.trials, reverse=True):
            text = text.replace(title, "")
        if self.together:
            def together(match):
                others = re.split(", | and ", match[2] or "")
                worse = {t for t, e in self.together.items() if e.is_gating and e.verdict == "regressed"}
                if not self.telling(match[1], self.together) or match[2] and not worse.issuperset(others):
                    wrong.append(f"“{match[0]}”")
                return ""
            text = re.sub(r"With all edits together: (.*?)(?: \(also worse: (.*?)\))?(?=\. |\.?$)", together, text)
        return text, wrong

    def telling(self, text, found):
        """Whether a text states one of a comparison's effects with the right numbers.

        An example of such a text: `P(empty) at $.cards 0.1 % → 0.3 %, p = 0.034`."""
        share = r"((?:[<>] )?[\d.]+ %)"
        for title, effect in found.items():
            match = re.search(rf"(?:^| ){re.escape(title)} {share} → {share}(?:, p (?:= )?(< \S+|\S+))?$",
                              text)
            if match:
                break
        else:
            return False
        shares = effect.means or [h / n for h, n in effect.counts]
        shown = match[3] or ""
        wanted = p_value(effect, True, shown)
        return all(match[n + 1] in Near(words.percent, v).texts for n, v in enumerate(shares)) and (
            shown in getattr(wanted, "texts", {wanted}) if shown else effect.p(True) is None)

    def noticed(self, text, found, variant):
        """Whether a text names the change of a quantity, and the test case whose pass rate fell most."""
        parts = text.split("; most in ")
        ok = not parts[0] or self.telling(parts[0], found)
        if len(parts) > 1:
            base, own = [next(s for s in self.run.slices if s.key[1] == v) for v in (
                self.compared["baseline"], variant)]
            shares = {words.line(case): [(rows.passed(s.by_case[case]), len(s.by_case[case]))
                                         for s in (base, own)]
                      for case in base.by_case if case in own.by_case}
            falls = {case: old[0] / old[1] - new[0] / new[1] for case, (old, new) in shares.items()}
            match = re.fullmatch(
                r"(.+): (\d+) of (\d+) passed before, (\d+) of (\d+) after", parts[1])
            ok = ok and match and [pair for pair in shares.get(match[1], ())] == [
                (int(match[2]), int(match[3])), (int(match[4]), int(match[5]))] \
                and falls[match[1]] == max(falls.values()) > 0
        return bool(ok)

    def row(self, c, cells):
        """Checks a row of the lab's table on a page or in a summary."""
        title = cells[0].text()
        found, without, variant = self.together, None, self.record.get("together")
        for name, alone, other, trial in self.trials:
            if name[:110] == title[:110]:
                found, without, variant = alone, other, trial.get("alone")
        c.claim([t for cell in cells for t in cell.texts()], "computed")
        if title not in [*(t[:len(title)] for t in self.fates), "all edits together"]:
            c.fail(f"the lab has no trial “{title}”")
        fate = self.fates.get(title)
        shown = cells[1].text()
        if fate and not (re.search("too few", shown) if fate == "undecided" else fate in shown):
            c.fail(f"shown {shown}, computed {fate}")
        effect = (found or {}).get("pass rate")
        c.shown(cells[2], "{}", "–") if effect is None else self.report.moved(c, cells[2], effect)
        for cell, of in ((cells[3], found), *((cell, without) for cell in cells[4:5])):
            text = cell.text()
            if re.search(r"\d", text) and not (of and self.noticed(text, of, variant)):
                c.fail(f"no effect matches “{text}”")

    # MARK: Files

    def page(self, c):
        """Checks the section on the lab in report.html."""
        node = self.report.sections.get("lab")
        for table in map(Table, node.all("table")):
            for row in table.rows:
                c.unit(f"lab, {row[0].text()}", self.row, row.cells)
        for details in node.all("details"):
            c.unit("lab, edits", self.titled, details.first("summary"))
        for note in node.all("p", "note"):
            c.unit("lab, note", self.note, note)

    def titled(self, c, node):
        """Checks that a node begins with the title of a trial."""
        c.claim(node.texts(), "quoted")
        title = node.first("b") or node
        if title.text() not in self.fates:
            c.fail(f"the lab has no trial “{title.text()}”")

    def note(self, c, node):
        alpha, margin = self.compared["alpha"], self.compared["margin"]
        together = self.record.get("togetherAlpha", alpha)
        level = f"at α = {round(alpha, 5)}"
        if together != alpha and self.together:
            level = f"all edits together at α = {round(together, 5)}, the others {level}"
        c.shown(node, "Each row is compared with {}:{} on the same test cases and seeds, {}. Changes up "
                "to {} pp don’t count.", self.record["suite"], self.compared["baseline"], level,
                words.fixed(100 * margin, 0))

    def junit(self, c, root, attribute):
        """Checks junit.xml, in which each mutation or edit is a test case."""
        fails = self.record.get("failsSurvivors") and self.asks_survivors
        failed = self.count("survived") if fails else 0
        skipped = self.count("undecided") + self.count("not tried") + (
            self.count("survived") if self.asks_survivors and not fails else 0)
        wanted = {"tests": len(self.trials), "failures": failed, "errors": 0, "skipped": skipped,
                  "time": "0.000"}
        for node in [root, *root.all("testsuites"), *root.all("testsuite"), *root.all("testcase")]:
            for name, value in wanted.items():
                if part := attribute(node, name):
                    c.unit(f"junit.xml, {name}", lambda c, n, v: c.shown(n, "{}", v), part, value)
        for case in root.all("testcase"):
            c.unit("junit.xml, name", self.titled, attribute(case, "name"))
        for node in root.all("property"):
            c.unit("junit.xml, lab", self.conclusion, attribute(node, "value"))

    def conclusion(self, c, node):
        c.claim(node.texts(), "computed")
        rest, wrong = self.sentence(node.text())
        for what in wrong + ([f"not understood: “{rest}”"] if re.search(r"\d", rest) else []):
            c.fail(what)
