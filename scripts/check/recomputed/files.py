"""Recomputes the numbers in junit.xml and summary.md."""
import html
import re
import xml.etree.ElementTree as ElementTree

import effects
import measures
import rows
import words
from others import Head, check_sentence, next_step, texts_of
from page import Node, Text
from bases import address, asked, case_interval, interval, p_value
from steps import Tree, step
from words import Near, flat


def tree(text):
    """Returns an XML document as a tree, in which attributes are nodes, so that checks cover them."""
    def made(element, parent):
        node = Node(element.tag, {}, parent)
        for name, value in element.attrib.items():
            attribute = Node("@" + name, {}, node)
            attribute.children.append(Text(value, attribute))
            node.children.append(attribute)
        if element.text and element.text.strip():
            node.children.append(Text(element.text, node))
        for child in element:
            node.children.append(made(child, node))
        return node
    return made(ElementTree.fromstring(text), None)


# The names of the entries about a suite or a run as a whole.
ENTRIES = ("[gate]", "[comparison]", "[run]")


class JUnit:
    def __init__(self, text, report):
        self.root, self.report, self.run = tree(text), report, report.run

    def check(self, c):
        if self.report.lab:
            return self.report.lab.junit(c, self.root, attribute)
        suites = self.root.all("testsuite") or [self.root]
        for name in ("tests", "failures", "errors"):
            if node := attribute(self.root, name):
                c.unit(f"junit.xml, {name}", lambda c, n, name: c.shown(n, "{}", sum(
                    int(attribute(s, name).text()) for s in suites)), node, name)
        total = attribute(self.root, "time")
        if total and suites[0] is not self.root:
            c.unit("junit.xml, time", self.time, total, self.run.made)
        for suite in suites:
            self.suite(c, suite)

    def property(self, c, node, prefix, known):
        """Checks that the digits in the name of a property are in its suite's name, or in a known name."""
        c.claim(node.texts(), "fixed")
        name = re.sub(rf"^{re.escape(prefix)}(#\d+)?/", "", node.text())
        if re.search(r"\d", name) and name not in known and not re.fullmatch(
                r"gate\.guardrail\.\d", name):
            c.fail(f"no property is called {node.text()}")

    def class_name(self, slice):
        """The name of a slice's suite in junit.xml, which is also the class name of its test cases."""
        suite, variant, backend = slice.key
        several = [len({s.key[n] for s in self.run.slices if n == 2 or s.key[0] == suite}) > 1
                   for n in (1, 2)]
        return "evals." + suite + f".{variant}" * several[0] + f".{backend}" * several[1]

    def time(self, c, node, attempts):
        c.shown(node, "{}", Near(lambda v: f"{v:.3f}", sum(a["duration"] for a in attempts), slack=1e-7))

    def suite(self, c, suite):
        # In a file with several suites, a property's name begins with its suite's name: `evals.quiz/pass.rate`.
        prefix = attribute(suite, "name").text()
        names = [re.sub(rf"^{re.escape(prefix)}(#\d+)?/", "", attribute(p, "name").text())
                 for p in suite.all("property")]
        properties = dict(zip(names, (attribute(p, "value") for p in suite.all("property"))))
        slice = self.run.slice(tuple(
            properties[k].text() for k in ("suite", "variant", "backend")))
        where = f"junit.xml, {self.run.name(slice)}"
        hits, count = slice.share
        record = next(b for b in self.run.record["backends"] if b["id"] == slice.key[2])
        low, high = measures.clustered(slice.share.cases.values())
        four = lambda v: words.fixed(v, 4)
        wanted = {
            "run": self.run.number, "repeats": slice.suite["repeats"], "attempts": count,
            "attempts.passed": hits, "seed": slice.suite["seed"],
            "attempts.errors": sum(a["outcome"] == "error" for a in slice.attempts),
            "attempts.cached": sum(bool(a.get("details", {}).get("isCached")) for a in slice.attempts),
            "pass.rate": Near(four, hits / max(1, count)), "pass.rate.low": Near(four, low),
            "pass.rate.high": Near(four, high), "model.parameters": record.get("parameterCount"),
            "model.sha256": record.get("modelDigest"), "model": record["model"],
            "gate.needed": four(Head.needed(slice)) if slice.suite.get("gate") else None}
        causes = 0
        for name, node in zip(names, (attribute(p, "name") for p in suite.all("property"))):
            causes += name.startswith("cause.")
            c.unit(f"{where}, property {name}", self.property, node, prefix, {*wanted, f"cause.{causes}"})
        for name, node in properties.items():
            if name in wanted:
                c.unit(f"{where}, {name}", lambda c, n, v: c.shown(n, "{}", v), node, wanted[name])
            elif name == "verdict":
                c.unit(f"{where}, verdict", self.verdict, node)
            elif name == "gate.guardrail":
                c.unit(f"{where}, guardrail", self.guardrail, node, slice)
            elif name == "next":
                c.unit(f"{where}, next", self.next, node, slice)
            elif name.startswith("cause."):
                c.unit(f"{where}, {name}", self.cause, node, slice)
            elif name == "model.toy" or name.startswith("gate"):
                c.unit(f"{where}, {name}", lambda c, n: c.claim(n.texts(), "fixed"), node)
            elif name in ("suite", "variant", "backend"):
                c.unit(f"{where}, {name}", lambda c, n: (
                    c.claim(n.texts(), "quoted"),
                    n.text() in map(str, [x for s in self.run.slices for x in s.key]) or c.fail(
                        f"the run has no suite, variant or backend {n.text()}")), node)
        cases = [n for n in suite.all("testcase")]
        for name, kind in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            c.unit(f"{where}, {name}", lambda c, n, v: c.shown(n, "{}", v), attribute(suite, name),
                   sum(n.first(kind) is not None for n in cases))
        # A missed gate, a comparison and a failed run have entries of their own.
        extra = sum(attribute(t, "name").text() in ENTRIES for t in suite.all("testcase"))
        c.unit(f"{where}, tests", lambda c, n: c.shown(n, "{}", len(slice.suite["cases"]) + extra),
               attribute(suite, "tests"))
        c.unit(f"{where}, time", self.time, attribute(suite, "time"), slice.attempts)
        if stamp := attribute(suite, "timestamp"):
            c.unit(f"{where}, timestamp", lambda c, n: c.shown(
                n, "{}", self.run.record["startedAt"][:19]), stamp)
        c.unit(f"{where}, name", lambda c, n: c.equal(n, words.line(self.class_name(slice))),
               attribute(suite, "name"))
        names = [words.line(k["id"]) for k in slice.suite["cases"]]
        for place, case in enumerate(cases):
            self.case(c, case, slice, where, names[place] if place < len(names) else None)

    def cause(self, c, node, slice):
        """Checks a cause of the failures of a slice, and its next step."""
        c.claim(node.texts(), "computed")
        match = re.match(r"([\d,]+) of ([\d,]+) attempts? .+?(?:\. (?:Do next|Fix): (.*))?$", node.text())
        fits = [own for own in rows.causes_in(slice).values() if match
                and [len(own), len(slice.attempts)] == [int(n.replace(",", "")) for n in match.groups()[:2]]]
        if not fits:
            return c.fail(f"no cause has the counts of “{node.text()[:90]}”")
        if "[cut: " not in node.text():
            for what in step(self.run, match[3] or "", sum(fits, [])):
                c.fail(f"“{node.text()[:110]}”: {what}")

    def guardrail(self, c, node, slice):
        name, _, count = node.text().rpartition(": failed ")
        hits = sum(any(flat(v["assertion"]) == name and v["verdict"] == "fail" for v in a["verdicts"])
                   for a in slice.attempts)
        c.shown(node, "{}: failed {}", name, hits)

    def verdict(self, c, node):
        c.claim(node.texts(), "computed")
        for what in check_sentence(node.text(), self.report):
            c.fail(what)

    def case(self, c, case, slice, where, wanted):
        name = attribute(case, "name")
        group = next((g for i, g in slice.by_case.items() if words.line(i) == name.text()), None)
        where = f"{where}, {name.text()}"
        c.unit(f"{where}, name", lambda c, n: (
            c.equal(n, wanted) if wanted else c.claim(n.texts(), "quoted") or n.text() in ENTRIES or c.fail(
                f"there is no test case {n.text()}")), name)
        c.unit(f"{where}, class", lambda c, n: c.equal(n, words.line(self.class_name(slice))),
               attribute(case, "classname"))
        if group is None:
            c.unit(f"{where}, time", self.time, attribute(case, "time"), [])
            check = {"[comparison]": self.compared, "[gate]": self.gate}.get(name.text(), self.whole)
            for node in [x for n in case.all("failure") for x in (attribute(n, "message"), n)]:
                c.unit(f"{where}, {name.text()}", check, node, slice)
            return
        c.unit(f"{where}, time", self.time, attribute(case, "time"), group)
        bad = [a for a in group if a["outcome"] in ("fail", "error")]
        for kind in ("failure", "error"):
            node = case.first(kind)
            if node is None:
                continue
            worst = next((a for a in bad if a["outcome"] == "fail"), bad[0])
            repeats = "" if len(group) == 1 else \
                f" ({len(bad)} of {len(group)} repeats failed)"
            message = words.line(self.reason(worst))
            if len(message.encode()) <= 400:
                c.unit(f"{where}, message", lambda c, n, m: c.shown(n, "{}", flat(m)),
                       attribute(node, "message"), message + repeats)
            c.unit(f"{where}, type", lambda c, n: c.claim(n.texts(), "quoted"), attribute(node, "type"))
            for text in [t for t in node.children if isinstance(t, Text)]:
                c.unit(f"{where}, text", self.body, text, group, bad, message + repeats)
        output = case.first("system-out")
        for text in output.children if output else []:
            worst = next((a for a in bad if a["outcome"] == "fail"), bad[0])
            c.unit(f"{where}, output", self.output, text, worst)

    def compared(self, c, node, slice):
        """Checks the rates in the message about a comparison, such as `worse; pass rate: 9 % → 4 %`."""
        texts = [t for t in node.children if isinstance(t, Text)]
        c.claim(texts, "computed")
        shown = flat("".join(t.value for t in texts)).split("; ")[1:]
        rates = {}
        for effect in self.report.effects_on(slice):
            shares = effect.means or [h / n for h, n in effect.counts]
            rates[flat(words.line(effect.title))] = [Near(words.percent, v).texts for v in shares]
        for part in shown:
            title, _, pair = part.rpartition(": ")
            before, _, after = pair.partition(" → ")
            if title not in rates or before not in rates[title][0] or after not in rates[title][1]:
                c.fail(f"no effect matches “{part}”")

    def gate(self, c, node, slice):
        """Checks the counts and the rate in the message about a missed gate."""
        texts = [t for t in node.children if isinstance(t, Text)]
        c.claim(texts, "computed")
        shown = flat("".join(t.value for t in texts))
        hits, count = slice.share
        noun = "attempt" if count == 1 else "attempts"
        if not shown.startswith(flat(f"{hits:,} of {count:,} {noun} ")):
            c.fail(f"the gate of {hits} of {count}: {shown[:80]}")
        needed = flat(words.percent(Head.needed(slice)))
        if needed.rstrip("%").rstrip().rstrip("0").rstrip(".") not in shown:
            c.fail(f"the gate needs {needed}: {shown[:80]}")

    def whole(self, c, node, slice):
        """Checks the entry about a whole run, which repeats the headline."""
        texts = [t for t in node.children if isinstance(t, Text)]
        c.claim(texts, "computed")
        for what in check_sentence(flat("".join(t.value for t in texts)), self.report):
            c.fail(what)

    def next(self, c, node, slice):
        """Checks advice on what to do next: its count of edits, and the run number."""
        c.claim(node.texts(), "computed")
        for what in next_step(node.text(), self.report):
            c.fail(what)

    def reason(self, attempt):
        failing = [v for v in attempt["verdicts"] if v["verdict"] == "fail"]
        if "failure" in attempt:
            return self.failed(attempt["failure"])
        if attempt["outcome"] == "fail" and failing:
            return "{assertion}: {actual}, expected {expected}".format(**failing[0])
        return "every assertion was vacuous" if attempt["outcome"] == "fail" else "no value"

    @staticmethod
    def failed(failure):
        name, message = rows.FAILURES.get(failure["kind"], failure["kind"]), failure["message"]
        return message if message.startswith((name, "not JSON")) else f"{name}: {message}"

    def output(self, c, text, attempt):
        c.claim([text], "quoted")
        slice = self.run.slice(rows.Run.key(attempt))
        case = next(k for k in slice.suite["cases"] if k["id"] == attempt["key"]["caseID"])
        given = words.visible(rows.case_input(case))
        start, found, shown = text.value.partition(f"output of repeat {attempt['key']['repeatIndex']}:\n")
        start = start.removeprefix("input:\n").rstrip("\n")
        if start != given.rstrip("\n") and not (
                "bytes" in start[-80:] and given.startswith(start[:900]) and len(given.encode()) > 1000):
            c.fail(f"the input is not the test case's: {start[:100]}")
        wanted = words.visible(attempt["output"])
        if "bytes" in text.value[-80:] and len(wanted.encode()) > 4000:
            wanted = wanted[:2000]
            if not shown.startswith(wanted):
                c.fail("the output is not the attempt's")
        elif not found or shown != wanted:
            c.fail(f"shown {text.value[:100]}, recorded {wanted[:100]}")

    def body(self, c, text, group, bad, message):
        c.claim([text], "computed")
        hits, count = rows.passed(group), len(group)
        lines = [message, None]
        # The text describes five repeats, and lists at most 50 others.
        for attempt in bad[:5]:
            lines.append(f"repeat {attempt['key']['repeatIndex']}, seed {attempt['seed']}:")
            for verdict in attempt["verdicts"]:
                if verdict["verdict"] != "pass":
                    lines.append("  {verdict}  {assertion}: {actual}, expected {expected}".format(
                        **verdict))
            if "failure" in attempt:
                lines.append(f"  {attempt['outcome']}  {self.failed(attempt['failure'])}")
        if others := [str(a["key"]["repeatIndex"]) for a in bad[5:]]:
            lines.append(f"and {len(others)} more: repeats {', '.join(others[:50])}" + (
                ", …" if len(others) > 50 else ""))
        wanted = [None if line is None else flat(words.visible(line)) for line in lines]
        shown = [flat(line) for line in text.value.split("\n")]
        share = words.pattern("{} of {} ({}, 95 % interval {})", words.grouped(hits),
                              words.passing(count, "repeat"), words.rate(hits, count),
                              case_interval(self.run.slice(rows.Run.key(group[0])), group))
        if len(shown) < 2 or not re.fullmatch(share, shown[1]):
            c.fail(f"shown {shown[1:2]}, computed {hits} of {count}")
        joined = " ".join(l for l in wanted if l is not None)
        rest = " ".join(l for n, l in enumerate(shown) if n != 1)
        # The program cuts a line after 1,000 bytes.
        is_cut = any(len(line.encode()) > 900 for line in lines if line)
        if flat(rest) != flat(joined) and not is_cut and len(joined.encode()) < 11_000:
            c.fail(f"shown {rest[:120]}, computed {joined[:120]}")


def attribute(node, name):
    return next((n for n in node.children if isinstance(n, Node) and n.tag == "@" + name), None)


class Markdown:
    """The summary as a tree with a node for each line and for each cell of a table."""

    def __init__(self, text, report):
        self.report, self.run = report, report.run
        self.root, self.lines = Node("markdown", {}, None), []
        is_fenced, head = False, None
        for line in text.splitlines():
            if re.match(r"`{3,}", line):
                is_fenced = not is_fenced
                continue
            node = Node("fence" if is_fenced else "line", {}, self.root)
            self.root.children.append(node)
            if not is_fenced and line.startswith("|"):
                cells = [plain_text(cell) for cell in line[1:-1].split(" | ")]
                if set(line) <= set("|:- ") and (head or "-" in line):
                    continue
                node.tag = "row" if head else "head"
                for cell in cells:
                    part = Node("cell", {}, node)
                    part.children.append(Text(cell, part))
                    node.children.append(part)
                head = head or [cell.strip() for cell in cells]
                node.attributes["head"] = head
            else:
                head = None
                node.children.append(Text(line if is_fenced else plain_text(line), node))
            self.lines.append(node)

    def check(self, c):
        heading, listed = "", []
        for node in self.lines:
            text = node.text()
            if self.example(c, node):
                continue
            if node.tag == "head":
                c.unit("summary.md, headings", self.headings, node)
            elif node.tag == "row":
                self.row(c, node, heading)
            elif node.tag == "fence":
                c.unit("summary.md, edits", self.fence, node)
            elif text.startswith("#### "):
                heading = text[5:]
                c.unit("summary.md, " + heading, self.heading, node)
            elif re.match(r"<sub>|run \d+ · ", text):
                c.unit("summary.md, provenance", self.provenance, node)
            elif "attempts failed, in" in text:
                c.unit("summary.md, failures", self.failures, node)
            elif text.endswith("more: see the full report."):
                c.unit("summary.md, smaller groups", self.smaller, node)
            elif text.endswith(", none clearly changed"):
                c.unit("summary.md, quantities without a change", self.quiet, node)
            elif "guide edit" in text:
                c.unit("summary.md, edits", self.edits, node)
            elif text.startswith("> Toy model"):
                c.unit("summary.md, toy", self.toy, node)
            elif re.match(r"\s*- ", text):
                c.unit("summary.md, failures", self.tree, node, list(listed))
                listed.append(node)
            elif re.search(r"\d", text):
                c.unit("summary.md, verdict", JUnit.verdict.__get__(self), node)

    def example(self, c, node):
        """Checks an example of an input that broke, and returns whether a line belongs to one."""
        text = node.text()
        if re.search(r"^(?:<details open>)?\d+ inputs? broke", text):
            c.unit("summary.md, inputs that broke", self.broken, node)
        elif match := re.match(r"(\S.*)/([^/]+), repeat (\d+): ", text):
            slice = self.run.named(match[1])
            found = [a for i, g in slice.by_case.items() if words.line(i) == match[2] for a in g
                     if a["key"]["repeatIndex"] == int(match[3])] if slice else []
            if not found:
                return False
            self.shown_example = slice, found[0]
            c.unit("summary.md, " + match[2], lambda c, n, a: c.shown(
                n, "{}", text[:match.end()] + flat(words.line(JUnit.reason(JUnit, a))), kind="quoted"), node, found[0])
        elif node.tag == "row" and node.attributes["head"][0] == "":
            c.unit("summary.md, an example", self.answer, node.children)
        else:
            return False
        return True

    def broken(self, c, node):
        broken, shown = 0, sum(
            line.tag == "head" and line.attributes["head"][0] == "" for line in self.lines)
        for slice in self.run.slices:
            before = self.report.before(slice)
            end = min(end for _, end in effects.compared_repeats(before, slice)) if before else 0
            for case, group in slice.by_case.items() if before else []:
                own = {a["key"]["repeatIndex"]: a["outcome"] for a in before.by_case.get(case, [])}
                pairs = [(own[n], a["outcome"]) for a in group
                         if (n := a["key"]["repeatIndex"]) in own and n < end]
                broken += sum(b == "pass" for b, _ in pairs) > sum(a == "pass" for _, a in pairs)
        c.shown(node, "{}{} broke{}", "<details open>" if "<" in node.text() else "",
                words.counted(broken, "input"),
                "" if shown == broken else f"; {'one' if shown == 1 else shown} of them")

    def answer(self, c, cells):
        slice, attempt = self.shown_example
        c.claim([t for n in cells for t in n.texts()], "quoted")
        name = cells[0].text()
        key = attempt["key"]
        if name == "input":
            wanted = rows.case_input(next(k for k in slice.suite["cases"] if k["id"] == key["caseID"]))
        else:
            side = self.report.before(slice).by_case[key["caseID"]] if name == "baseline" else [attempt]
            wanted = next(a["output"] for a in side if a["key"]["repeatIndex"] == key["repeatIndex"])
        wanted, shown = flat(words.line(wanted)), cells[1].text()
        if shown not in (wanted, wanted or "–") and not (
                "…" in shown and wanted.startswith(shown.partition("…")[0].rstrip())):
            c.fail(f"{name}: shown {shown[:120]}, recorded {wanted[:120]}")

    def headings(self, c, node):
        c.claim(node.texts(), "fixed")
        known = {"95 % CI", "p95", words.counted(min(30, len(self.report.history)), "night")}
        for cell in node.children:
            if re.search(r"\d", cell.text()) and cell.text() not in known:
                c.fail(f"no column is called {cell.text()}")

    def quiet(self, c, node):
        """Checks the number of quantities in the table after a line."""
        tags = [line.tag for line in self.lines[self.lines.index(node) + 1:] if line.text()]
        count = tags.index("line", 2) - 1 if "line" in tags[2:] else len(tags) - 1
        c.shown(node, "{}{}, none clearly changed", "<details>" if "<" in node.text() else "",
                words.counted(count, "quantity", "quantities"))

    def toy(self, c, node):
        Head(self.report).toy(c, node)

    def edits(self, c, node):
        """Checks the number of edits that follow: one for each place that a `diff` block names."""
        c.claim(node.texts(), "computed")
        following = self.lines[self.lines.index(node) + 1:]
        places = 0
        for line in following:
            if line.tag != "fence":
                if places:
                    break
                continue
            places += line.raw().startswith("  ")
        rest = re.search(r"([\d,]+) more", " ".join(l.text() for l in following[:80] if "edit" in l.text()))
        total = places + (int(rest[1].replace(",", "")) if rest else 0)
        if node.text() != words.counted(total, "guide edit"):
            c.fail(f"shown {node.text()}, computed {total}")

    def heading(self, c, node):
        c.claim(node.texts(), "quoted")
        names = {f"{b.title} → {a.title}" for b, a in self.report.by_effect}
        if node.text()[5:] not in names and re.search(r"in run \d", node.text()):
            c.fail(f"no comparison is called {node.text()}")

    def fence(self, c, node):
        c.claim(node.texts(), "quoted")
        text = flat(node.text().lstrip("+- "))
        if re.search(r"\d", text) and not any(text in t for t in texts_of(self.report.known)):
            c.fail(f"no schema, instructions or prompt contains {text[:80]}")

    def provenance(self, c, node):
        c.claim(node.texts(), "quoted")
        record = self.run.record
        wanted = [f"run {self.run.number}", record["startedAt"], "assay " + record["toolVersion"]]
        wanted += ["commit " + record["commit"]] if record.get("commit") else []
        wanted += [f"{b['id']}: {b['model']}, {b['engine']}" for b in record["backends"]]
        text = re.sub(r"</?sub>", "", node.text())
        shown = text.split(" · ")
        # Long facts are cut.
        if shown[-1] != "95 % intervals over test cases" or len(shown) != len(wanted) + 1 or any(
                s != w and not (s.endswith("…") and w.startswith(s[:-1].rstrip()) and len(s) > 90)
                for s, w in zip(shown, map(flat, wanted))):
            c.fail(f"shown {text}")

    def all_groups(self):
        return [g for s in self.run.slices for g in rows.groups(s).values()]

    def failures(self, c, node):
        groups = self.all_groups()
        c.claim(node.texts(), "computed")
        wanted = f"{words.grouped(sum(map(len, groups)))} of {words.grouped(len(self.run.made))} " \
            f"attempts failed, in {words.counted(len(groups), 'group')} of similar failures"
        if wanted not in node.text():
            c.fail(f"shown {node.text()}, computed {wanted}")

    def tree(self, c, node, before):
        """Checks a line in the list of causes or in the tree of failures, given the lines before it."""
        c.claim(node.texts(), "computed")
        tree = Tree(self.report)
        for line in before:
            tree.wrong(line.text())
        for what in tree.wrong(node.text()):
            c.fail(f"“{node.text()[:110]}”: {what}")

    def smaller(self, c, node):
        sizes = sorted(map(len, self.all_groups()), reverse=True)[12:]
        c.shown(node, "{} in {} more: see the full report.", words.counted(sum(sizes), "attempt"),
                words.counted(len(sizes), "smaller group"))

    def row(self, c, node, heading):
        head = node.attributes["head"]
        cells = dict(zip(head, node.children))
        where = "summary.md, " + node.children[0].text()
        if head[0] == "suite":
            c.unit(where, self.suite, cells)
        elif head[0] == "quantity":
            c.unit(f"{where}, {heading}", self.effect, cells, heading)
        elif head[0] in ("mutation", "edit"):
            c.unit(f"{where}, lab", self.report.lab.row, node.children)
        elif head[0] == "attempts":
            c.unit("summary.md, " + cells["what"].text(), self.group, cells)

    def suite(self, c, cells):
        if effect := self.report.effect_called(cells["suite"].text()):
            return self.suite_part(c, cells, effect)
        slice = self.run.named(cells["suite"].text())
        c.claim([t for n in cells.values() for t in n.texts()], "computed")
        hits, count = slice.share
        c.shown(cells["passing"], "{} of {} ({})", words.grouped(hits), words.grouped(count),
                words.rate(hits, count))
        c.shown(cells["95 % CI"], "{}", interval(slice.share))
        if "baseline" in cells:
            effect = self.report.pass_rates.get(slice.key)
            if effect is None:
                for name in ("baseline", "change, pp", "p (Holm)"):
                    c.shown(cells[name], "–")
            else:
                is_part = effect.counts[1] != (hits, count)
                for name, side in (("baseline", 0), ("compared", 1)):
                    if name in cells:
                        rate = words.rate(*effect.counts[side])
                        c.shown(cells[name], "{}", "{} of {} ({})".format(
                            *map(words.grouped, effect.counts[side]), rate) if is_part else rate)
                c.shown(cells["change, pp"], "{} [{}, {}]", *(
                    Near(words.points, v) for v in (effect.change, effect.low, effect.high)))
                c.shown(cells["p (Holm)"], "{}", p_value(effect, True, cells["p (Holm)"].text()))
        if slice.suite.get("gate") and cells["gate"].text() != "–" and \
                "guardrail" not in cells["gate"].text():
            needed = asked(Head.needed(slice)) if Head.needed(slice) else "no rate"
            if needed not in cells["gate"].text():
                c.fail(f"the gate doesn't state the required rate: {cells['gate'].text()}")
        c.shown(cells["p95"], "{}", Near(words.duration, measures.quantile(
            times, 0.95)) if (times := rows.known(slice.attempts, "duration")) else "–")

    def suite_part(self, c, cells, effect):
        """Checks the row of another effect than the pass rate, which decided the verdict on a suite."""
        c.claim([t for n in cells.values() for t in n.texts()], "computed")
        sides = self.report.sides_of_effect(effect)
        for name, side in (("baseline", sides[0]), ("compared", sides[1])):
            if name in cells:
                c.shown(cells[name], "{}", side)
        self.report.moved(c, cells["change, pp"], effect)
        c.shown(cells["p (Holm)"], "{}", p_value(effect, True, cells["p (Holm)"].text()))

    def effect(self, c, cells, heading):
        c.claim([t for n in cells.values() for t in n.texts()], "computed")
        for (before, after), backends in self.report.by_effect.items():
            if heading == f"{before.title} → {after.title}":
                for found in backends.values():
                    effect = found[cells["quantity"].text()]
                    break
        for name, number in (("baseline", 0), ("candidate", 1)):
            if effect.counts and effect.counts[number]:
                c.shown(cells[name], "{} of {}", *map(words.grouped, effect.counts[number]))
            else:
                c.shown(cells[name], "{} ({})", Near(words.percent, effect.means[number]),
                        words.counted(effect.cases, "case"))
        self.report.moved(c, cells["change, pp"], effect)
        shown = cells["p (adjusted)"]
        c.shown(shown, "{}", p_value(effect, True, shown.text()))

    def group(self, c, cells):
        c.claim([t for n in cells.values() for t in n.texts()], "computed")
        for slice in self.run.slices:
            for key, attempts in rows.groups(slice).items():
                title = flat(words.line(rows.title(attempts[0], len(attempts) > 1)))
                cases = len({a["key"]["caseID"] for a in attempts})
                if title != cells["what"].text() or cells["where"].text() != flat(
                        f"{self.run.name(slice)}, {words.counted(cases, 'case')}"):
                    continue
                c.shown(cells["attempts"], "{}", words.grouped(len(attempts)))
                before = self.report.before(slice)
                if "baseline" in cells:
                    old = before and sum(rows.reason(a) == key[:4] for a in before.attempts
                                         if a["outcome"] != "pass")
                    c.shown(cells["baseline"], "{}", "–" if old is None else words.grouped(old))
                if not cells["see one"].text().startswith("assay show " + flat(
                        words.line(address(attempts[0])))) or not re.search(
                        rf"--run {self.run.number}$", cells["see one"].text()):
                    c.fail(f"the command doesn't show an attempt of the group: {cells['see one'].text()}")
                return
        c.fail(f"no group matches {cells['what'].text()}, {cells['where'].text()}")


def plain_text(text):
    return html.unescape(re.sub(r"</?(?:code|details|summary|sub)>|\*\*|\\(?=[^A-Za-z0-9\s])", "", text))
