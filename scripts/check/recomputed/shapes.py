"""Checks the array lengths, branches and decisions on a page."""
import collections
import re

import measures
import rows
import words
from bases import bound_text, edits, ends, evenly, interval
from page import Node, Table
from words import Near, flat


class Shapes:
    """The shapes of answers, and their probabilities."""

    # MARK: Array lengths and branches

    def lengths(self, c):
        node = self.sections.get("lengths")
        for heading in node.all("h3") if node else []:
            group = heading.parent.children[heading.parent.children.index(heading) + 1:]
            block = next(n for n in group if isinstance(n, Node) and "multiples" in n.classes)
            path, name = heading.first("code").text(), heading.own()
            slice = self.run.named(name)
            c.unit(f"lengths, {name} {path}", lambda c, n: c.claim(n.texts(), "quoted"), heading)
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
            wanted = f"Expected {bound_text(bound)}" if bound != (None, None) else "Empty or not"
            if name != wanted and re.search(r"\d", name + wanted):
                c.fail(f"shown {name}, computed {wanted}")
        else:
            own = [a for a in slice.attempts if name == "all inputs"
                   or self.class_of(slice, a) == name]
            found = rows.lengths(own, path)
        c.shown(caption, "{} · {}", name, words.counted(len(found), "array"))
        drawing = figure.first("svg")
        if not drawing:
            return
        self.length_drawing(c, drawing, found, bound)

    def length_drawing(self, c, drawing, found, bound):
        """Checks the numbers of a histogram of lengths."""
        counts = collections.Counter(found)
        low, high = bound[0] if bound[0] is not None else 0, bound[1] if bound[1] is not None else 10**9
        ticks = [t for t in drawing.all("text") if "tick" in t.classes]
        last = int(ticks[-1].text().rstrip("+"))
        expected = sorted(
            sum(n for length, n in counts.items() if (length >= last if bin_ == last else length == bin_))
            for bin_ in range(last + 1)
            if (bin_ == 0 and (bound[0] is None or bound[0] > 0)) or not low <= bin_ <= high)
        labels = [t for t in drawing.all("text") if "label" in t.classes]
        c.claim([x for t in labels for x in t.texts()], "computed")
        if sorted(int(t.text().replace(",", "")) for t in labels) != [n for n in expected if n]:
            c.fail(f"drawn {[t.text() for t in labels]}, computed {expected}")
        c.claim([x for t in ticks for x in t.texts()], "fixed")
        places = [int(t.text().rstrip("+")) for t in ticks]
        steps = {b - a for a, b in zip(places, places[1:])}
        if places[0] != 0 or not steps <= {1, 2} or (steps == {1, 2} and places[-1] - places[-2] != 1):
            c.fail(f"the axis has the ticks {places}, which don't rise from 0 in equal steps")

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
        c.shown(row["95 % CI"], "{} %", interval(rows.Share.of(
            (a, sum(first <= n <= last for n in found), len(found)) for a in slice.attempts
            if (found := rows.lengths([a], path)))))
        if "baseline" in row:
            before = self.before(slice)
            found = rows.lengths(before.attempts, path) if before else []
            c.shown(row["baseline"], "{}", words.grouped(
                sum(first <= n <= last for n in found)) if before else "–")

    def branches(self, c):
        node = self.sections.get("branches")
        for heading in node.all("h3") if node else []:
            after = heading.parent.children[heading.parent.children.index(heading) + 1:]
            block = next(n for n in after if isinstance(n, Node) and "row" in n.classes)
            path, slice = heading.first("code").text(), self.run.named(heading.own())
            c.unit(f"branches, {heading.text()}", lambda c, n: c.claim(n.texts(), "quoted"), heading)
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
        self.confusion_cells(c, Table(figure.first("table")), counts)

    @staticmethod
    def confusion_cells(c, table, counts):
        """Checks a table of the expected and the chosen branches."""
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
        share = rows.Share.of((a, *of(rows.confusion(slice, path, [a]))) for a in slice.attempts)
        c.shown(row["95 % CI"], "{}", interval(share))
        row["recall"].computed = ends(share)
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

    # MARK: Variants

    def variants(self, c):
        node = self.sections.get("variants")
        for heading in node.all("h3") if node else []:
            suite, _, backend = heading.text().partition(" on ")
            block = heading.parent.children[heading.parent.children.index(heading) + 1]
            c.unit("variants, heading", lambda c, n: (c.claim(n.texts(), "quoted"), n.text() in {
                t for s in self.run.slices for t in (s.key[0], f"{s.key[0]} on {s.key[2]}")} or c.fail(
                    f"there is no suite {n.text()}")), heading)
            own = [s for s in self.run.slices if words.line(s.key[0]) == suite
                   and backend in ("", words.line(s.key[2]))]
            for figure in block.all("figure", "variant"):
                slice = next(s for s in own if words.line(s.key[1]) == figure.first("b").text())
                c.unit(f"variants, {suite}:{slice.key[1]}", self.variant_figure, figure, slice, own[0])

    def variant_figure(self, c, figure, slice, first):
        """Checks the pass rate, the shapes and the edits of a variant."""
        c.claim(figure.first("figcaption").texts(), "quoted")
        title = flat(words.line(slice.variant.get("title") or "").replace("`", ""))
        if title[:50] not in figure.first("figcaption").text():
            c.fail(f"the caption lacks the title “{title}”")
        hits, count = slice.share
        c.shown(figure.all("p")[0], "{} pass, {} of {} attempts [{}]", words.rate(hits, count),
                words.grouped(hits), words.grouped(count), interval(slice.share))
        for note in figure.all("p", "note"):
            text = note.text()
            if match := re.match(r"Lengths of (.+): [\d,]+ of [\d,]+ arrays? empty$", text):
                found = rows.lengths(slice.attempts, match[1])
                c.shown(note, "Lengths of {}: {} of {} empty", match[1], words.grouped(found.count(0)),
                        words.counted(len(found), "array"))
                drawing = next(d for d in figure.all("svg") if "Lengths of" in d.attributes.get("aria-label", ""))
                self.length_drawing(c, drawing, found, self.bound([slice], match[1]))
            elif text.startswith("Wrong branch in "):
                path = slice.suite["cases"][0]["expectedBranches"][0]["path"]
                counts = rows.confusion(slice, path)
                wrong = sum(n for (want, got), n in counts.items() if got not in (None, want))
                c.shown(note, "Wrong branch in {} of {} attempts", words.grouped(wrong),
                        words.grouped(sum(counts.values())))
            else:
                c.claim(note.texts(), "quoted")
                known = flat(" ".join(slice.variant.get(k) or "" for k in ("schema", "instructions", "promptTemplate")))
                for added in note.all("ins"):
                    for number in words.NUMBER.findall(added.text()):
                        if number not in known:
                            c.fail(f"no text of the variant contains {number}")
        for table in map(Table, figure.all("table")):
            path = slice.suite["cases"][0]["expectedBranches"][0]["path"]
            self.confusion_cells(c, table, rows.confusion(slice, path))
        for caption in figure.all("figcaption")[1:]:
            total = sum(rows.confusion(slice, path).values())
            c.shown(caption, "{} · {}", caption.first("b").text(), words.counted(total, "attempt"))
        for summary in figure.all("summary"):
            c.shown(summary, "{}", words.counted(edits(first.variant, slice.variant), "edit"))

    # MARK: Decisions

    def decisions(self, c):
        node = self.sections.get("decisions")
        slice = path = None
        for part in node.nodes() if node else []:
            if part.tag == "figure" and not part.all("table"):
                for caption in part.all("b"):
                    c.unit("decisions, plot", self.plot_caption, caption)
                for drawing in part.all("svg"):
                    c.unit("decisions, axes", evenly, drawing)
            elif part.tag == "h3":
                slice = self.run.named(part.text())
                c.unit("decisions, heading", lambda c, part: c.claim(part.texts(), "quoted"), part)
            elif part.tag == "p" and part.text().startswith("Left out: "):
                c.unit("decisions, left out", self.left_out, part, slice)
            elif part.tag == "p" and part.text().startswith(
                    "The format, rather than the model, may have made "):
                c.unit("decisions, format", self.format_decisions, part, slice)
            elif part.tag == "h4":
                path = part.first("code").text()
                c.unit(f"decisions, {path}", lambda c, part: c.claim(part.texts(), "quoted"), part)
            elif part.tag == "figure":
                c.unit(f"decisions, {path}", self.decision_matrix, part, slice, path)
            elif part.tag == "table" and not part.inside("figure"):
                for row in Table(part).rows:
                    c.unit(f"decisions, {row[0].text()} {row[1].text()}", self.decision, row, slice)

    def plot_caption(self, c, node):
        """Checks that the digits in the name of a plot are in the names of a slice or of an option."""
        c.claim(node.texts(), "quoted")
        text = node.text()
        for name in sorted((words.line(self.run.name(s)) for s in self.run.slices), key=len, reverse=True):
            text = text.replace(flat(name), "", 1)
        known = {flat(words.line(t)) for a in self.run.made for d in a["decisions"]
                 for t in (rows.general(d["path"]), *(o["name"] for o in d["options"]))}
        if re.search(r"\d", text) and not any(text.strip() in k or k in text for k in known):
            c.fail(f"no slice, path or option is called {text}")

    def format_decisions(self, c, part, slice):
        """Checks at how many decisions the mask removed at least half of the probability because of the format."""
        count = sum(
            format >= 0.693 and (d["kind"] == "branch" or (d["kind"], d["chosen"]) == ("array", "end"))
            for a in slice.attempts if (a.get("details") or {}).get("pressure")
            for d, format in zip(a["decisions"], a["details"]["pressure"]["decisions"]))
        c.shown(part, "The format, rather than the model, may have made {}: before an array "
                "ended or the model chose a branch, the mask removed at least half of the "
                "probability because of white space, segmentation or text before the value.",
                words.counted(count, "decision"))

    def left_out(self, c, part, slice):
        """Checks how many decisions the report left out.

        The report only covers decisions after at most 12 elements of an array."""
        made = [d for a in slice.attempts for d in a["decisions"] if d["index"] <= 12]
        lost = sum(not measures.is_resolved(d) for d in made)
        noun = "decision" if len(made) == 1 else "decisions"
        c.shown(part, "Left out: {} of {} " + noun + ". More than 5 % of their probability is unresolved.",
                words.grouped(lost), words.grouped(len(made)))

    def means(self, slice, matches, option, expected=None):
        """Averages an option's probabilities by test case, then over test cases; also counts the decisions."""
        by_case, taken, made = collections.defaultdict(list), 0, 0
        for attempt in slice.attempts:
            case = slice.case(attempt["key"]["caseID"])
            wanted = {e["path"]: e["branch"] for e in case["expectedBranches"]} if case else {}
            for decision in attempt["decisions"]:
                if not matches(decision) or wanted.get(decision["path"]) != expected \
                        or not measures.is_resolved(decision):
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
        if match := re.fullmatch(r"stays empty|stops after (\d+)", name):
            index, option = int(match[1] or 0), "end"
            matches = lambda d: (d["kind"], d["index"]) == ("array", index) and rows.general(
                d["path"]) == path
        else:
            if match := re.fullmatch(r"(.*) \(expected (.*)\)", name):
                name, expected = match[1], match[2]
            option = name
            matches = lambda d: d["kind"] != "array" and rows.general(d["path"]) == path
        means, cases, taken, made = self.means(slice, matches, option, expected)
        c.shown(row["test cases"], "{}", words.grouped(cases))
        c.shown(row["observed"], "{} of {}", words.grouped(taken), words.grouped(made))
        columns = {"raw": "before the mask", "masked": "after the mask", "sampled": "after temperature"}
        for kind, column in columns.items():
            if column in row:
                c.shown(row[column], "{}", Near(words.percent, means[kind]))
        if "baseline" in row:
            old = self.means(self.before(slice), matches, option, expected)[0]["sampled"]
            c.shown(row["baseline"], "{}", "–" if old is None else Near(words.percent, old))

    def decision_matrix(self, c, figure, slice, path):
        caption = figure.first("figcaption").text()
        side = self.before(slice) if "baseline" in caption else slice
        kind = "raw" if caption.startswith("Before") else \
            "masked" if caption.startswith("After") else "sampled"
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
