"""Checks the groups of failures, and the attempts that a page shows in full."""
import collections
import json
import math
import re

import measures
import rows
import words
from bases import address
from page import Node, Table, Text
from steps import Tree, before_group, step
from words import Near, flat


class Failures:
    """A report's section on failures."""

    def __init__(self, report):
        self.report, self.run = report, report.run
        self.groups = collections.defaultdict(list)
        for slice in self.run.slices:
            for key, attempts in rows.groups(slice).items():
                self.groups[self.run.name(slice)].append((slice, key, attempts))

    def check(self, c):
        for items in self.report.page.all("ul", "causes"):
            # The causes that are no news are in a list of their own, inside an item.
            lines = [i.first("summary") or i for i in items.children if isinstance(i, Node)]
            for place, line in enumerate(lines):
                c.unit("causes", self.told, line, [] if items.inside("li") else lines[:place])
        node = self.report.sections.get("failures")
        if node is None:
            return
        for lede in node.all("p", "lede"):
            c.unit("failures", self.total, lede)
        for details in node.all("details"):
            summary, id = details.first("summary"), details.attributes.get("id", "")
            where = "failures, " + summary.text()
            if id.startswith("f-"):
                c.unit(where, self.group, details, summary)
            elif id.startswith("k-") and "-in-" in id:
                c.unit(where, self.place, details, summary)
            elif id.startswith("k-"):
                c.unit(where, self.cause, summary)
            elif summary.text().startswith("Another: "):
                c.unit(where, self.another, details, summary)
            elif "smaller group" in summary.text():
                c.unit("failures, smaller groups", self.smaller, node, details, summary)
            elif "smaller cause" in summary.text():
                c.unit("failures, smaller causes", self.smaller_causes, details, summary)
        for drill in node.all("div", "drill"):
            if drill.attributes.get("id", "").startswith("a-"):
                self.attempt(c, drill)
        for note in node.all("p", "note"):
            if note.text().startswith("Not shown in full"):
                c.unit("failures, attempts that are not shown", self.hidden, note)
        for next_ in node.all("p", "advice"):
            c.unit("failures, next steps", self.advice, next_)

    def total(self, c, lede):
        failed = sum(a["outcome"] in ("fail", "error") for a in self.run.made)
        groups = sum(len(rows.groups(s)) for s in self.run.slices)
        c.shown(
            lede, "Across all suites and variants, {} of {} attempts failed ({}), in {} of similar "
            "failures. The tree lists the cause, then the suite and variant, then the group.",
            words.grouped(failed), words.grouped(len(self.run.made)), words.rate(failed, len(self.run.made)),
            words.counted(groups, "group"))

    def told(self, c, item, before):
        """Checks the counts of a cause on the first screen, its next step and its command."""
        c.claim(item.texts(), "computed")
        tree = Tree(self.report)
        for line in before:
            tree.wrong(line.text())
        for what in tree.wrong(item.text()):
            c.fail(f"“{item.text()[:90]}”: {what}")

    def advice(self, c, node):
        """Checks the next step for a cause, whose name and count are above it."""
        c.claim(node.texts(), "computed")
        title = node.up("details").first("summary").text()
        fits = [of for name, of in rows.causes(self.run.slices).items()
                if title.startswith(f"{words.grouped(sum(map(len, of.values())))}{flat(words.line(name))}")]
        for what in step(self.run, node.text(), [a for of in fits for own in of.values() for a in own]):
            c.fail(f"“{node.text()[:110]}”: {what}")

    def cause(self, c, summary):
        c.claim(summary.texts(), "computed")
        text = summary.text()
        for name, of in rows.causes(self.run.slices).items():
            count = sum(map(len, of.values()))
            start = f"{words.grouped(count)}{flat(words.line(name))} "
            if not text.startswith(start):
                continue
            if len(of) > 1:
                wanted = f"in {len(of)} suites and variants"
            else:
                slice = self.run.slice(next(iter(of)))
                wanted = f"{flat(words.line(self.run.name(slice)))}, {self.share(slice, of[slice.key])}"
            if flat(text[len(start):]) == flat(wanted):
                return
        c.fail(f"no cause matches “{text}”")

    def share(self, slice, attempts):
        cases = len({a["key"]["caseID"] for a in attempts})
        return (f"{words.grouped(len(attempts))} of {words.grouped(len(slice.attempts))} attempts "
                f"({words.rate(len(attempts), len(slice.attempts))}), {words.counted(cases, 'test case')}")

    def place(self, c, details, summary):
        c.claim(summary.texts(), "computed")
        for of in rows.causes(self.run.slices).values():
            for key, attempts in of.items():
                slice = self.run.slice(key)
                wanted = f"{words.grouped(len(attempts))}{words.line(self.run.name(slice))} " \
                    f"{self.share(slice, attempts)}"
                if flat(summary.text()) == flat(wanted):
                    return
        c.fail(f"no cause matches “{summary.text()}”")

    def smaller_causes(self, c, details, summary):
        inner = [d.first("summary").text() for d in details.all("details")
                 if re.fullmatch(r"k-[a-zA-Z]+(-\d+)?", d.attributes.get("id", ""))]
        total = sum(int(re.match(r"[\d,]+", t)[0].replace(",", "")) for t in inner)
        c.shown(summary, "{}{}", words.grouped(total), words.counted(len(inner), "smaller cause"))

    def found(self, details):
        """The group in an element, found by the element's summary and the names around it."""
        text, around = details.first("summary").text(), []
        while details := details.up("details"):
            around.append(f" {details.first('summary').own()} ")
        for name in sorted(self.groups, key=len, reverse=True):
            known = [a for a in around if flat(words.line(name)) in a]
            if around and not known and len(self.groups) > 1:
                continue
            for slice, key, attempts in self.groups[name]:
                wanted = flat(words.line(rows.title(attempts[0], len(attempts) > 1)))
                cases = len({a["key"]["caseID"] for a in attempts})
                middle = f" {words.counted(cases, 'test case')}"
                if text.startswith(f"{words.grouped(len(attempts))}{wanted}"):
                    rest = text[len(f"{words.grouped(len(attempts))}{wanted}"):]
                    if rest == middle or rest.startswith(middle + " · "):
                        return slice, key, attempts, rest[len(middle):]
        return None

    def group(self, c, details, summary):
        c.claim(summary.texts(), "computed")
        found = self.found(details)
        if not found:
            return c.fail(f"there is no group “{summary.text()}”")
        slice, key, attempts, rest = found
        was = before_group(self.report.before(slice), slice, key, attempts)
        wanted = f" · {was}" if was else ""
        if rest != wanted:
            c.fail(f"shown “{rest}”, computed “{wanted}”")

    def smaller(self, c, node, details, summary):
        inner = [d for d in details.all("details") if d.attributes.get("id", "").startswith("f-")]
        found = [self.found(d) for d in inner]
        c.shown(summary, "{}{}", words.grouped(sum(len(f[2]) for f in found if f)),
                words.counted(len(inner), "smaller group"))

    def another(self, c, details, summary):
        c.shown(summary, "Another: {}", self.header(details.first("div", "drill")))

    def hidden(self, c, note):
        c.claim(note.texts(), "computed")
        names = re.findall(r"(\S+/\S+#\d+)", note.text())
        known = {words.line(address(a)): a for a in self.run.made}
        for name in names:
            if name not in known:
                c.fail(f"there is no attempt {name}")
        shown = {self.header(d) for d in self.report.page.all("div", "drill")
                 if d.attributes.get("id", "").startswith("a-")}
        details = note.parent
        found = self.found(details)
        hidden = [a for a in found[2] if address(a) not in shown] if found else []
        more = re.search(r" and (\S+) more", note.text())
        if found and len({rows.Run.key(a) for a in found[2]}) == 1 and len(self.run.slices) == len(
                {s.key[0] for s in self.run.slices}):
            # The last name is the example in the command.
            if len(set(names[:-1])) < len(names) - 1 or not set(names) <= {
                    words.line(address(a)) for a in hidden}:
                c.fail("the note names an attempt twice, or one that is shown or of another group")
            if len(hidden) != min(len(hidden), 12) + (int(more[1].replace(",", "")) if more else 0):
                c.fail(f"{len(hidden)} attempts are not shown, but after 12 names the note counts "
                       f"{more and more[1]} more")
        run = re.search(r"--run (\d+)", note.text())
        if run and int(run[1]) != self.run.number:
            c.fail(f"the note names run {run[1]}, but the page shows run {self.run.number}")

    def header(self, drill):
        return drill.first("h3").own()

    # MARK: One attempt

    def attempt(self, c, drill):
        heading, note = drill.first("h3"), drill.first("p", "note")
        where = "attempt " + heading.own()
        c.unit(where, self.heading, heading, note)
        attempt = self.find(heading, note)
        if attempt is None:
            return
        slice = self.run.slice(rows.Run.key(attempt))
        before = self.report.before(slice)
        old = before and next(
            (a for a in before.attempts if a["key"]["caseID"] == attempt["key"]["caseID"]
             and a["key"]["repeatIndex"] == attempt["key"]["repeatIndex"]), None)
        label = None
        for child in blocks(drill):
            text = child.text()
            if child.tag == "h4":
                label = text
                if text.startswith("Pressure along the answer"):
                    c.unit(f"{where}, pressure", self.pressure, child, attempt)
            elif child.tag == "pre":
                c.unit(f"{where}, {label or child.up('details').first('summary').text()}",
                       self.quoted, child, attempt, old, slice, label)
            elif child.tag == "ul" and "tree" in child.classes and not child.inside("ul"):
                c.unit(f"{where}, decoded", self.tree, child, attempt, slice)
            elif child.tag == "summary":
                c.unit(f"{where}, {text}", lambda c, n: c.claim(n.texts(), "quoted"), child)
            elif child.tag == "table":
                table = Table(child)
                if table.caption.startswith("Assertions"):
                    for number, row in enumerate(table.rows):
                        c.unit(f"{where}, assertion {number + 1}", self.verdict, row,
                               attempt["verdicts"][number])
                elif table.caption.startswith("Decisions"):
                    self.decisions(c, where, table, attempt, old)
                elif table.caption.startswith("Decode trace"):
                    for row, previous, following in zip(
                            table.rows, [None, *table.rows], [*table.rows[1:], None]):
                        c.unit(f"{where}, step {row[0].text()}", self.step, row, previous, following,
                               attempt)
            elif child.tag == "svg":
                figure = child.up("figure")
                if figure is not None and figure.first("figcaption"):
                    caption = figure.first("figcaption")
                    c.unit(f"{where}, {caption.text()}", self.slope, child, caption, attempt, old)
                else:
                    c.unit(f"{where}, strip", self.strip, child, attempt)
            elif child.tag == "p" and child.first("span", "marked"):
                c.unit(f"{where}, failure", self.message, child, attempt)
            elif child.tag == "p" and "note" in child.classes and child is not note:
                c.unit(f"{where}, note", self.note, child, attempt, drill, old)

    def find(self, heading, note):
        text = heading.text()
        for attempt in self.run.made:
            own = flat(f"{words.line(address(attempt))} seed {attempt['seed']}")
            if (text + ",").startswith(own + ",") and note.text().startswith(
                    flat(f"Variant {attempt['key']['variant']} on {attempt['key']['backend']}.")):
                return attempt
        return None

    def heading(self, c, heading, note):
        c.claim([*heading.texts(), *note.texts()], "computed")
        attempt = self.find(heading, note)
        if attempt is None:
            return c.fail(f"there is no attempt {heading.text()}")
        width = attempt.get("details", {}).get("batchWidth")
        batch = "" if width is None else ", computed alone" if width < 1.05 else \
            f" in a batch of {words.fixed(width, 1)}"
        tokens, time = (rows.measured(attempt, name) for name in ("outputTokens", "duration"))
        known = ([] if tokens is None else [words.counted(tokens, "token")]) + (
            [] if time is None else [Near(words.duration, time)])
        c.shown(heading, "{} seed {}" + ", {}" * len(known) + batch, words.line(address(attempt)),
                attempt["seed"], *known)
        command = "assay show " + address(attempt)
        if not note.text().split("Inspect: ")[-1].startswith(flat(words.line(command))) or not \
                re.search(rf"--run {self.run.number}\b", note.text()):
            c.fail(f"the command doesn't show this attempt: {note.text()}")

    def pressure(self, c, node, attempt):
        """Checks how much probability the mask removed: for format, and for content."""
        found = attempt["details"]["pressure"]
        one = lambda v: words.fixed(v, 1)
        c.shown(node, "Pressure along the answer, nats: format {}, content {}", Near(
            one, found["whitespace"] + found["segmentation"] + found["preface"]), Near(one, found["content"]))

    def quoted(self, c, node, attempt, old, slice, label):
        source = {"Prompt as sent": attempt["renderedPrompt"], "Raw output": attempt["output"]}
        details = node.up("details")
        summary = details.first("summary").text() if details and details.inside("div") else ""
        if summary.startswith("The same test case and repeat in the baseline"):
            text, limit = old["output"], 1500
        elif summary == "Schema as sent":
            c.claim(node.texts(), "quoted")
            # The page writes out invisible characters, for example `\u{200D}`.
            shown = re.sub(r"\\u\{([0-9A-F]{4})\}", r"\\u\1", node.raw())
            if json.loads(shown) != json.loads(slice.variant["schema"]):
                c.fail("the schema is not the variant's")
            return
        else:
            text, limit = source[label], 4000
        c.equal(node, words.visible(words.clipped(text, limit)[0]))

    def tree(self, c, node, attempt, slice):
        wanted = []

        def add(value, name):
            kind = {dict: "object", list: "array", str: "string", bool: "boolean", int: "number",
                    float: "number", type(None): "null"}[type(value)]
            text = ""
            if isinstance(value, list):
                text = words.counted(len(value), "element")
            elif isinstance(value, str):
                text = "“" + words.clipped(words.line(value), 160)[0] + "”" if value else "empty"
            elif isinstance(value, bool):
                text = str(value).lower()
            elif value is not None and not isinstance(value, dict):
                text = None
            wanted.append((words.line(name), kind, text, value))
            for child_name, child in (
                    enumerate(value) if isinstance(value, list) else
                    value.items() if isinstance(value, dict) else ()):
                add(child, str(child_name))
        add(rows.decoded(attempt["output"]), slice.suite["schemaName"] or "value")
        c.claim(node.texts(), "quoted")
        items = [n for n in node.all("li")]
        for item, (name, kind, text, value) in zip(items, wanted):
            shown = flat("".join(
                t.value for child in item.children if not (isinstance(child, Node) and child.tag == "ul")
                for t in ([child] if isinstance(child, Text) else child.texts())))
            if text is None:
                number = shown.split()[-1]
                if not shown.startswith(f"{name} ") or float(number) != float(value):
                    c.fail(f"shown “{shown}”, decoded {name} {value}")
            elif not re.fullmatch(re.escape(flat(f"{name} ")) + r" ?\w+ ?" + re.escape(flat(text)), shown):
                c.fail(f"shown “{shown}”, decoded “{name} {text}”")
        if len(items) < min(len(wanted), 200):
            c.fail(f"{len(items)} nodes are shown, but the value has {len(wanted)}")

    def verdict(self, c, row, verdict):
        cut = lambda text: flat(words.clipped(words.line(text), 200)[0])
        # Names between backticks are set in code type; a single backtick stays as it is.
        plain = lambda text: text.replace("`", "") if text.count("`") % 2 == 0 else text
        c.shown(row[0], "{}{}", plain(cut(verdict["assertion"])), cut(verdict["path"]), kind="quoted")
        c.shown(row["expected"], "{}", plain(cut(verdict["expected"])), kind="quoted")
        c.shown(row["got"], "{}", plain(cut(verdict["actual"])), kind="quoted")

    def decisions(self, c, where, table, attempt, old):
        number = -1
        for row in table.rows:
            if row[0].tag == "th":
                number, option = number + 1, 0
            decision = attempt["decisions"][number]
            c.unit(f"{where}, decision {number + 1}", self.decision, row, decision, option, old)
            option += 1

    def decision(self, c, row, decision, number, old):
        option = decision["options"][number]
        if row[0].tag == "th":
            suffix = ""
            if decision["kind"] == "array":
                suffix = ", empty or not" if decision["index"] == 0 else \
                    f", after {words.grouped(decision['index'])}"
            if not measures.is_resolved(decision):
                suffix += f", {words.percent(decision['unresolved'] or math.nan)} unresolved"
            # This remark has no number to check, so accept the text with or without it.
            remark = ", under format pressure" * row[0].text().endswith(", under format pressure")
            c.shown(row[0], "{}", flat(words.line(decision["path"]) + suffix + remark))
        c.shown(row["option"], "{}", flat(words.clipped(words.line(option["name"]), 80)[0]),
                kind="quoted")
        for kind, column in (("raw", "before the mask"), ("masked", "after the mask"),
                             ("sampled", "after temperature")):
            c.shown(row[column], "{}", Near(words.percent, option[kind]))
        if "baseline" in row:
            same = next((d for d in old["decisions"] if all(
                d[k] == decision[k] for k in ("kind", "path", "index"))), None)
            value = same and next(
                (o["sampled"] for o in same["options"] if o["name"] == option["name"]), None)
            c.shown(row["baseline"], "{}", "–" if value is None else Near(
                words.percent, value))

    # MARK: Trace

    def step(self, c, row, previous, following, attempt):
        c.claim(row.node.texts(), "computed")
        first, _, last = row["step"].text().partition("–")
        if previous and int(first) != int(previous["step"].text().split("–")[-1]) + 1:
            c.fail(f"step {first} follows step {previous['step'].text()}")
        if following and int(following["step"].text().split("–")[0]) != int(last or first) + 1:
            c.fail(f"step {following['step'].text()} follows step {last or first}")
        steps = attempt["trace"][int(first) - 1:int(last or first)]
        removed = max(taken(s) for s in steps)
        c.shown(row["mass removed"], "{}", Near(lambda v: words.fixed(v, 2), removed))
        if last:
            text = words.line("".join(s["text"] for s in steps))
            cut, is_cut = words.clipped(edges(text), 28)
            c.shown(row["token"], "{}", flat(cut + ("…" if is_cut else "")), kind="quoted")
            c.shown(next(x for x in row.cells if x.text().startswith("each")),
                    "each at least 0.95, before and after the mask", kind="fixed")
            if int(last) > len(attempt["trace"]):
                c.fail(f"step {last} is shown, but the trace has {len(attempt['trace'])} steps")
            if any(taken(s) >= 0.005 or not s["isForced"] and min(
                    chosen(s)["raw"], chosen(s)["sampled"]) < 0.95 for s in steps):
                c.fail("in one of these steps, the mask removed probability, or the token's "
                       "probability was below 0.95")
            return
        step = steps[0]
        c.shown(row["token"], "{}", flat(token(step["text"])), kind="quoted")
        c.shown(row["path"], "{}", flat(words.clipped(words.line(step["path"]), 60)[0]), kind="quoted")
        c.shown(row["legal"], "{}", words.grouped(step["legalCount"]))
        if "entropy, bits" in row and step.get("rawEntropy") is not None:
            c.shown(row["entropy, bits"], "{} → {}", *(
                Near(lambda v: words.fixed(v, 2), step[k], slack=1e-7)
                for k in ("rawEntropy", "maskedEntropy")))
        elif "surprise, bits" in row:
            own = chosen(step)
            c.shown(row["surprise, bits"], "{}", "–" if not own or not 0 < own["raw"] <= 1 else Near(
                lambda v: words.fixed(v, 2), -math.log2(own["raw"]) + 0.0))
        shown = [k for k in step["candidates"] if k["raw"] >= 0.005 or k["sampled"] >= 0.005
                 or k["text"] == step["text"]][:6]
        cell = next(x for x in row.cells if "candidates" in x.classes)
        options = cell.all("span", "option")
        if len(options) != len(shown):
            c.fail(f"{len(options)} candidates are shown, but {len(shown)} are expected")
        for option, candidate in zip(options, shown):
            two = lambda v: words.fixed(v, 2)
            name = flat(token(candidate["text"]))
            if candidate["isAllowed"]:
                c.shown(option, "{} {} → {}", name, Near(two, candidate["raw"]),
                        Near(two, candidate["sampled"]))
            else:
                c.shown(option, "{} (forbidden) {} → 0", name, Near(two, candidate["raw"]))
        self.entropy(c, step)

    def entropy(self, c, step):
        """Checks that the entropy after the mask is at most that of equally likely legal tokens.

        If the candidates include every legal token, computes the entropy from them, too."""
        if step.get("maskedEntropy") is None:
            return
        if step["maskedEntropy"] > math.log2(max(1, step["legalCount"])) + 1e-9:
            c.fail(f"{step['maskedEntropy']} bits of entropy are too much for {step['legalCount']} tokens")
        legal = [k["raw"] for k in step["candidates"] if k["isAllowed"]]
        if len(legal) == step["legalCount"] and step["keptMass"] > 0:
            shares = [p / sum(legal) for p in legal if p > 0]
            own = -sum(p * math.log2(p) for p in shares)
            if abs(own - step["maskedEntropy"]) > 1e-6:
                c.fail(f"{step['maskedEntropy']} bits recorded, but {own} computed from the candidates")

    def strip(self, c, drawing, attempt):
        labels = drawing.all("text")
        c.claim([x for t in labels for x in t.texts()], "computed")
        masses = [t.text() for t in labels if "tick" in t.classes]
        tokens = [t.text() for t in labels if "label-token" in t.classes]
        trace = attempt["trace"]
        known = [(flat(token(s["text"])), words.fixed(taken(s), 2)) for s in trace]
        shown = list(zip(tokens, masses))
        if not any(known[n:n + len(shown)] == shown for n in range(len(known))):
            c.fail(f"no consecutive steps match {shown[:4]}…")

    def slope(self, c, drawing, caption, attempt, old):
        match = re.fullmatch(r"Step (\d+)(, baseline)?", caption.text())
        c.claim([*caption.texts(), *(x for t in drawing.all("text") for x in t.texts())], "computed")
        step = (old if match[2] else attempt)["trace"][int(match[1]) - 1]
        two = lambda v: words.fixed(v, 2)
        wanted = set()
        for candidate in step["candidates"][:6]:
            name = flat(token(candidate["text"]))
            wanted |= {flat(f"{name} {t}") for t in Near(two, candidate["raw"]).texts}
            wanted |= {flat(f"{t} {name}") for t in Near(two, candidate["sampled"]).texts}
        for label in drawing.all("text"):
            if "label-token" in label.classes and label.text() not in wanted:
                c.fail(f"no candidate matches “{label.text()}”")

    def message(self, c, node, attempt):
        failure = attempt["failure"]
        c.shown(node, "{} {}", failure["kind"], flat(words.clipped(
            words.visible(failure["message"]), 1000)[0]), kind="quoted")

    def note(self, c, note, attempt, drill, old):
        text = note.text()
        if re.fullmatch(r"(\S+) more steps? not shown\.", text):
            table = next(t for t in map(Table, drill.all("table"))
                         if t.caption.startswith("Decode trace"))
            shown = 0
            for row in table.rows:
                first, _, last = row["step"].text().partition("–")
                shown += int(last or first) - int(first) + 1
            c.shown(note, "{} not shown.", words.counted(len(attempt["trace"]) - shown, "more step"))
        elif re.fullmatch(r"(\S+) more decisions? not shown\.", text):
            c.shown(note, "{} not shown.", words.counted(
                len(attempt["decisions"]) - 24, "more decision"))
        elif text.startswith("Cut: the first"):
            sizes = {len(a[k].encode()) for a in (attempt, old) if a
                     for k in ("renderedPrompt", "output")}
            c.claim(note.texts(), "computed")
            total = re.search(r"of ([\d,]+) bytes", text)
            if int(total[1].replace(",", "")) not in sizes:
                c.fail(f"{text}, recorded {sizes}")


def blocks(drill):
    """Yields the parts of an attempt in order, including parts inside other parts."""
    for node in drill.nodes():
        if node.tag in ("h4", "pre", "table", "svg", "summary", "p", "ul"):
            yield node


def taken(step):
    """The mass that the mask removed."""
    return min(max(1 - step["keptMass"], 0.0), 1.0) if math.isfinite(step["keptMass"]) else 0.0


def chosen(step):
    return next((k for k in step["candidates"] if k["text"] == step["text"]), None)


def edges(text):
    spaces = len(text) - len(text.lstrip(" "))
    return "␣" * spaces + text[spaces:]


def token(text):
    if not text:
        return "■"
    cut, is_cut = words.clipped(edges(words.line(text)), 24)
    return cut + ("…" if is_cut else "")
