"""Checks the head of a page, the sentences of the verdict, and standard sentences."""
import collections
import datetime
import math
import re

import rows
import words
from page import Node, Table
from bases import asked, edits, ends, interval, p_value, undated
from words import Near, flat

# Numbers in the reports' standard sentences. Every other number must come from the rows.
FIXED = [
    r"95 % (?:CI|interval)", r"95 %\.", r"(?:0|20|40|50|60|70|80|85|90)–100 %", r"p95(?: before)?",
    r"p50", r"p5\b", r"change, −(?:2|4|8|16|32|50|100)…\+(?:2|4|8|16|32|50|100) pp",
    r"change, −(?:10|20|30|50|100)…\+(?:10|20|30|50|100) %", r"5th–95th", r"“0 of n”",
    r"more than 5 % unresolved", r"than 5 % of (?:their|its) probability", r"less than 0\.05 %", r"below 0\.05", r"held to α = 0\.\d+(?:e-\d+)?(?: or 0\.\d+)*",
    r"beyond 0\.01\b", r"above 0\.7\b", r"9,999 draws", r"at least 0\.95, before",
    r"(?:if|of) 100 such intervals(?: were computed)?, each from new data, about 95(?: of them)?",
    r"len:0|len:<3|ms:>600|tok:<9|repeat:3", r"\.\.\.", r"\[the first 400 of \d+ bytes\]",
]


class Head:
    """The verdict and the facts above the sections, the texts of guides, and the method."""

    def __init__(self, report):
        self.report, self.run = report, report.run

    def check(self, c):
        page = self.report.page
        for node in page.all("p", "verdict") + page.all("p", "found"):
            c.unit("the verdict", self.sentence, node)
        for node in page.all("h1") + page.all("title"):
            c.unit("the title", self.title, node)
        for node in page.all("p", "toy"):
            c.unit("toy model", self.toy, node)
        for node in page.all("div", "head")[0].all("table"):
            for row in Table(node).rows:
                check = self.glance_part if "part" in row.node.classes else self.glance
                c.unit("pass rates at a glance, " + row[0].text(), check, row)
            for note in page.all("div", "head")[0].all("p", "note"):
                if " below in Suites" in note.text():
                    c.unit("pass rates at a glance, other rows", self.other_rows, note, Table(node))
        for node in page.all("dl", "meta"):
            for item in node.all("div"):
                c.unit("facts, " + item.first("dt").text(), self.fact, item)
        for figure in page.all("div", "head")[0].all("figure"):
            c.unit("the figure next to the verdict", self.figure, figure)
        footer = page.first("footer")
        for p in footer.all("p") if footer else []:
            c.unit("method", self.method, p)
        comparison = self.report.sections.get("comparison") or Node("", {}, None)
        for item in comparison.all("li"):
            c.unit("how it was tested", self.tested, item)
        for note in comparison.all("p", "note"):
            if " not made" in note.text():
                c.unit("comparison, attempts that were not made", self.sentence, note)
        for node in (self.report.sections.get("scorecard") or Node("", {}, None)).all("summary"):
            count, rest = len(node.parent.all("tbody")[0].all("tr")), node.text().partition(" ")[2]
            noun = "rate" if "rate" in rest else "cost"
            c.unit("scorecard, folded rows", lambda c, n, k: c.shown(
                n, "{}{}", k, n.text()[len(k):]), node, words.counted(count, noun))
        for section in ("guides", "comparison"):
            for part in (self.report.sections.get(section) or Node("", {}, None)).all():
                if part.tag in ("h4", "h3") or part.tag == "p" and part.up("div") is not None and \
                        "diff" in part.up("div").parent.classes:
                    c.unit("texts of guides", self.guide, part)

    def guide(self, c, part):
        """Checks the run numbers of a heading, and that guides are in a run's schemas or prompts."""
        c.claim(part.texts(), "quoted")
        numbers = words.NUMBER.findall(part.text())
        if part.tag in ("h3", "h4"):
            ids = set(re.findall(r"run (\d+)", part.text()))
            if not ids <= self.report.numbers:
                c.fail(f"not all of these runs are known: {ids}")
        elif numbers and not any(flat(part.text()) in text for text in texts_of(self.report.known)):
            c.fail(f"no schema, instructions or prompt contains “{part.text()[:80]}”")

    def title(self, c, node):
        label = words.line(self.run.record["label"])
        name = flat(f"{label} {self.run.number}" if label else f"Run {self.run.number}")
        hits, count = rows.passed(self.run.made), len(self.run.made)
        if node.tag == "h1":
            return c.shown(node, "{}", name)
        start = node.text().split(" · ")[0]
        c.shown(node, "{} · {} · {} of {}", start, name, words.rate(hits, count),
                words.passing(count, "attempt"))

    def toy(self, c, node):
        c.claim(node.texts(), "quoted")
        for backend in self.run.record["backends"]:
            if words.line(backend["model"]) in node.text():
                count, digest = backend.get("parameterCount"), backend.get("modelDigest")
                if count and f"{words.grouped(count)} parameters" not in node.text():
                    c.fail(f"{node.text()}: the record has {count}")
                if digest and f"SHA-256 {digest[:12]}" not in node.text():
                    c.fail(f"{node.text()}: the record has {digest}")

    def glance(self, c, row):
        """Checks the pass rate of a suite in this run, in the previous one and in the baseline."""
        slice = self.run.named(row[0].text())
        c.claim(row.node.texts(), "computed")
        write = lambda pair: "{} {}/{}".format(words.rate(*pair), *map(words.grouped, pair))
        before, effect = self.report.before(slice), self.report.pass_rates.get(slice.key)
        compared = "compared: {}/{}".format(*map(words.grouped, effect.counts[1])) \
            if effect and "baseline" in row and effect.counts[1] != slice.share else ""
        wanted = {"this run": {write(slice.share) + compared}}
        wanted["baseline"] = {write(effect.counts[0]) if effect else write(before.share) if before else "–"}
        linked = next((i.first("dd").text() for node in self.report.page.all("dl", "meta")
                       for i in node.all("div") if i.first("dt").text() == "previous run"), "run 0")
        previous = self.report.runs.get(re.match(r"run (\d+)", linked)[1])
        suite = previous.like(slice) if previous else None
        wanted["previous run"] = {write(suite.share) if suite and suite.attempts else "–"}
        shares = {"this run": slice.share, "previous run": suite and suite.share,
                  "baseline": before and before.share}
        for name, texts in wanted.items():
            if name in row:
                row[name].computed = effect.ends[0] if effect and name == "baseline" else ends(
                    shares[name])
            if name in row and flat(row[name].text()) not in texts:
                c.fail(f"{name}: shown {row[name].text()}, computed {sorted(texts)[:3]}")

    def glance_part(self, c, row):
        """Checks the row of another effect than the pass rate, which decided the verdict on a suite."""
        report = self.report
        c.claim(row.node.texts(), "computed")
        effect = report.effect_called(row[0].text())
        if effect is None:
            return c.fail(f"no effect is called {row[0].text()}")
        report.sides(c, row, ("baseline", "this run"), effect)
        report.verdict_of(c, row["verdict"], effect)

    def other_rows(self, c, note, table):
        """Checks how many rows the table at the head leaves out: those of the other judged slices."""
        judged = [s for s in self.report.candidates() or self.run.judged if s.attempts]
        rest = len(judged) - sum("part" not in row.node.classes for row in table.rows)
        c.claim(note.texts(), "computed")
        if not words.is_about_others(note.text(), rest):
            c.fail(f"shown {note.text()}, computed {rest} more rows")

    def fact(self, c, item):
        name, value = item.first("dt").text(), item.first("dd")
        record = self.run.record
        if name == "run":
            c.shown(value, "{} · {}", self.run.number, date(record["startedAt"], record.get("finishedAt")))
        elif name.startswith("backend "):
            backend = next(b for b in record["backends"] if b["id"] == name[8:])
            c.claim(item.first("dt").texts(), "quoted")
            c.shown(value, "{}; {}", flat(words.visible(backend["model"])),
                    flat(words.visible(backend["engine"])), kind="quoted")
        elif name == "attempts":
            cases = {(s.key[0], i) for s in self.run.slices for i in
                     [k["id"] for k in s.suite["cases"]]}
            errors = sum(a["outcome"] == "error" for a in self.run.made)
            planned = sum(s.suite["repeats"] * len(s.suite["cases"]) for s in self.run.slices)
            missing = max(0, planned - len(self.run.made))
            tried = {(s.key[0], a["key"]["caseID"]) for s in self.run.slices for a in s.attempts}
            some = f"{words.grouped(len(tried))} of " if 0 < len(tried) < len(cases) else ""
            text = f"{words.grouped(len(self.run.made))} on {some}{words.counted(len(cases), 'test case')}"
            variants = collections.Counter(s for s, _ in {s.key[:2] for s in self.run.slices})
            for count, noun in ((max(variants.values(), default=0), "variant"),
                                (len({s.key[2] for s in self.run.slices}), "backend")):
                text += f", {words.counted(count, noun)}" if count > 1 else ""
            text += f", {words.counted(errors, 'error')}" if errors else ""
            text += f", {words.grouped(missing)} attempts not run" if missing else ""
            c.shown(value, "{}", text)
        elif name == "commit":
            c.shown(value, "{}", record["commit"][:9], kind="quoted")
        elif name == "sampling":
            texts = dict.fromkeys(
                ("greedy" if s["options"]["isGreedy"] else "t = " + words.fixed(
                    s["options"]["temperature"], 2)) + f", seed {s['seed']}"
                for s in record["suites"])
            c.shown(value, "{}", "; ".join(list(texts)[:2]) + ("; …" if len(texts) > 2 else ""))
        elif name == "gate":
            gated = self.run.gated
            c.claim(value.texts(), "computed")
            match = re.fullmatch(
                r"(\d+) of \1 reached|(\d+) of (\d+) missed|none of (\d+) requires a pass rate|"
                r"(\d+) of (\d+) without attempts", value.text())
            missed = [s for s in gated if s.attempts and s.share[0] < self.needed(s) * s.share[1]]
            if int(match[1] or match[3] or match[4] or match[6]) != len(gated):
                c.fail(f"shown {value.text()}, but there are {len(gated)} gates")
            if match[5] and int(match[5]) != sum(not s.attempts for s in gated):
                c.fail(f"shown {value.text()}, but the number of gates without attempts differs")
            if match[2] and int(match[2]) < len(missed):
                c.fail(f"shown {value.text()}, but {len(missed)} gates were missed")
        elif name == "compared with":
            number = re.match(r"(?:accepted baseline: )?run (\d+)", value.text())[1]
            # The page joins the baselines of all suites, and names the newest of their runs.
            newest = max(self.run.references.values(), key=lambda r: r.record["startedAt"],
                         default=None)
            other = (newest if newest and str(newest.number) == number else
                     self.report.runs[number]).record
            accepted = any(r.get("acceptedAt") for r in record["details"].get("references") or [])
            commit = f" · {other['commit'][:9]}" if other.get("commit") and not accepted else ""
            c.shown(value, "{}run {} · {}{}", "accepted baseline: " if accepted else "", number,
                    date(other["startedAt"]), commit)

        elif name == "previous run":
            number = re.match(r"run (\d+)", value.text())[1]
            c.shown(value, "run {} · {}", number, date(self.report.runs[number].record["startedAt"], None))

    @staticmethod
    def needed(slice):
        gate = slice.suite["gate"]
        return gate.get("passRateByBackend", {}).get(slice.key[2], gate.get("passRate") or 0)

    @staticmethod
    def score(slice):
        """The mean score by a gate's reducer, or the share of attempts without one."""
        own = (slice.suite.get("details") or {}).get("cases") or {}
        counts = [(rows.passed(group), len(group)) for case, group in slice.by_case.items()
                  if (own.get(case) or {}).get("passRate") is None]
        reducer = slice.suite["gate"].get("reducer")
        if not reducer:
            return sum(c for c, _ in counts) / sum(n for _, n in counts)
        size = int((re.search(r"\d+$", reducer) or [0])[0])

        def of(passed, count):
            if reducer == "mean":
                return passed / count
            if reducer.startswith("pass@"):
                return 1 - math.comb(count - passed, size) / math.comb(count, size)
            if reducer.startswith("pass^"):
                return math.comb(passed, size) / math.comb(count, size)
            return float(passed == count if reducer == "all" else passed >= size)
        return sum(of(*c) for c in counts) / len(counts)

    def figure(self, c, figure):
        caption = figure.first("figcaption")
        if not caption.text().startswith("Attempts passing, "):
            return self.effect_figure(c, figure, caption)
        judged = [s for s in self.report.candidates() or self.run.judged if s.attempts]
        compared = [s for s in judged if self.report.before(s)] or judged
        suites = list(dict.fromkeys(s.key[0] for s in judged))
        others = any(s.key[0] in suites and s.attempts and s.key not in {j.key for j in judged}
                     for s in self.run.slices)
        planned = len(self.run.record["suites"])
        if len(compared) != len(judged):
            scope = f"the {len(compared)} of {len(judged)} suites with a baseline"
        elif len(suites) == 1:
            scope = flat(words.line(suites[0]))
        else:
            scope = f"{len(suites)} of {planned} suites" if len(suites) < planned else \
                f"all {len(suites)} suites"
            scope += ", first variants" if others else ""
        c.shown(caption, "Attempts passing, {}, 95 % interval", scope)
        labels = figure.first("svg").all("text")
        c.claim([x for t in labels for x in t.texts()], "computed")
        wanted = set()
        for backend in {s.key[2] for s in judged}:
            own = [s for s in judged if s.key[2] == backend]
            own = [s for s in own if self.report.before(s)] or own
            for side in (own, [b for s in own if (b := self.report.before(s))]):
                if side:
                    wanted.add(words.rate(sum(s.share[0] for s in side), sum(s.share[1] for s in side)))
            tested = [e.counts for s in own if (e := self.report.pass_rates.get(s.key))]
            if len(tested) == len(own):
                wanted |= {words.rate(*map(sum, zip(*side))) for side in zip(*tested)}
            wanted |= {"gate " + asked(self.needed(s)) for s in own if s.suite.get("gate")}
        ticks = [float(t.text()) for t in labels if "tick" in t.classes]
        if len({round(a - b, 6) for a, b in zip(ticks, ticks[1:])}) > 1 or ticks and ticks[0] != 100:
            c.fail(f"the axis has the ticks {ticks}, which don't fall from 100 in equal steps")
        for label in labels:
            if re.search(r"\d", label.text()) and "tick" not in label.classes and \
                    "label-soft" not in label.classes and label.text() not in wanted:
                c.fail(f"shown {label.text()}, computed {wanted}")

    def effect_figure(self, c, figure, caption):
        """Checks the figure of the quantity that the headline names: a row for each side."""
        texts = [t for t in figure.first("svg").all("text") if re.search(r"\d", t.text())]
        c.claim([*caption.texts(), *(x for t in texts for x in t.texts())], "computed")
        ticks = [float(t.text()) for t in texts if "tick" in t.classes]
        if len({round(a - b, 6) for a, b in zip(ticks, ticks[1:])}) > 1 or ticks and ticks[-1] != 0 \
                and ticks[0] != 100:
            c.fail(f"the axis has the ticks {ticks}, which aren't equal steps from 0 or to 100")
        shown = [t.text() for t in texts if "label" in t.classes]
        for backends in self.report.by_effect.values():
            for effect in (e for found in backends.values() for e in found.values()):
                if not caption.text().startswith(effect.title + ", "):
                    continue
                wanted = [{words.rate(*side)} for side in effect.counts] if effect.counts and all(
                    effect.counts) else [Near(words.percent, v).texts for v in effect.means]
                if len(shown) == 2 and all(s in w for s, w in zip(shown, wanted)):
                    return
        c.fail(f"no effect is called {caption.text()} and has the sides {shown}")

    def method(self, c, node):
        text = node.text()
        c.claim(node.texts(), "fixed")
        if match := re.search(
                r"those of run (\d+) \(by assay (\S+?)(?:, suites at commit (\S+))?\) and ", text):
            record = self.run.record
            if (match[1], match[2], match[3]) != (
                    str(self.run.number), record["toolVersion"], record.get("commit")):
                c.fail(text)
        elif match := re.match(r"(\S+): \d+ of \d+ tokens were evaluated", text):
            # Compare with the record's counts, and with the output tokens of the attempts.
            use = self.run.record["details"]["evaluations"][match[1]]
            asked_for = use["promptTokens"] + use["outputTokens"]
            saved = math.floor(100 * max(0, 1 - use["evaluatedTokens"] / asked_for) + 1e-9)
            forced = use["forcedTokens"] * 100 // max(1, use["outputTokens"])
            wanted = f"{match[1]}: {use['evaluatedTokens']} of {asked_for} tokens were evaluated " \
                f"({saved} % saved), in {use['passes']} passes over the weights; {forced} % of"
            if not text.startswith(wanted):
                c.fail(f"shown {text[:120]}, computed {wanted}")
            own = [a for a in self.run.made if a["key"]["backend"] == match[1]
                   and not a.get("details", {}).get("isCached")]
            if sum(a["outputTokens"] for a in own) > use["outputTokens"]:
                c.fail(f"the record has {use['outputTokens']} output tokens, but the attempts have more")
        elif match := re.search(r" has the SHA-256 ", text):
            wanted = [f"{flat(words.line(b['model']))} has the SHA-256 {b['modelDigest']}."
                      for b in self.run.record["backends"] if b.get("modelDigest")]
            if text != " ".join(wanted):
                c.fail(f"shown {text}")
        else:
            plain(c, text)

    def tested(self, c, node):
        c.claim(node.texts(), "computed")
        text = node.text()
        found = [e for by in self.report.by_effect.values() for b in by.values() for e in b.values()]
        facts = [
            (r"over (\d+) test cases?", {len(e.rates) for e in found}),
            (r"Holm over (\d+) tests?", {e.size for e in found if e.is_gating}),
            (r"Hochberg over (\d+) tests?", {e.size for e in found if not e.is_gating}),
            (r"for (\d+) possible nights", {e.nights for e in found if e.pool})]
        for pattern, known in facts:
            for number in re.findall(pattern, text):
                if int(number) not in known:
                    c.fail(f"“{text}”, computed {known}")
        plain(c, re.sub(r"(over|among) \d+ (test cases?|tests?)|mean change beyond 0\.01|with 0\.[1248] of the level|"
                        r"for \d+ possible nights|a standard deviation of \d+\.\d", "", text))

    # MARK: The sentence

    def sentence(self, c, node):
        c.claim(node.texts(), "computed")
        for what in check_sentence(node.text(), self.report):
            c.fail(what)


def check_sentence(text, report):
    """Returns the wrong parts of the sentence with the verdict, or of the numbers below it.

    Recomputes each part that contains a number."""
    run, wrong = report.run, []
    rest = text
    if report.lab:
        rest, wrong = report.lab.sentence(rest)

    def part(pattern, judge):
        nonlocal rest
        for match in re.finditer(pattern, rest):
            try:
                wanted = judge(match)
            except (KeyError, StopIteration, AttributeError, TypeError, ZeroDivisionError) as error:
                wanted = repr(error)
            if wanted is not True:
                wrong.append(f"“{match[0]}”, computed {wanted}")
        rest = re.sub(pattern, "", rest)

    effects = [e for by in report.by_effect.values() for found in by.values() for e in found.values()]
    number, share = r"([\d,]+)", r"([\d.<> ]+ %)"
    suite, p = r"(\S+(?: on \S+)?)", r"(p [<=] \d+(?:\.\d+)?)"
    whole = lambda digits: int(digits.replace(",", ""))

    def p_of(shown, effect):
        """Whether a text such as `p = 0.012` gives the adjusted p-value of an effect."""
        shown = shown.removeprefix("p ").removeprefix("= ")
        wanted = p_value(effect, True, shown)
        return shown in getattr(wanted, "texts", {wanted})

    def counted(title):
        """Returns a check that an effect with this title has the counts in the text, now and before."""
        def judge(match):
            groups = [g for g in match.groups() if not g.endswith(" %")]
            now, old = [tuple(map(whole, pair)) for pair in zip(groups[-4::2], groups[-3::2])]
            names = [title, *groups[:-4]]
            if any(g.endswith(" %") and g != words.rate(*now) for g in match.groups()):
                return words.rate(*now)
            found = [e.counts for e in effects if all(e.counts or [None]) and re.search(names[0].format(
                *map(re.escape, names[1:])), e.title)]
            return [old, now] in [list(map(tuple, c)) for c in found] or found
        return judge

    def rates(effect):
        return [{words.rate(*c)} for c in effect.counts] if effect.counts and all(effect.counts) else [
            Near(words.percent, v).texts for v in effect.means]

    def moved(match):
        for effect in effects:
            if effect.title == match[1] and (not match[5] or p_of(match[5], effect)):
                first, second = rates(effect)
                if match[2] in first and match[3] in second and (
                        not match[4] or match[4] in Near(words.points, effect.change).texts):
                    return True
        return "no such effect"

    def backend_failed(match):
        saying = [a for a in run.made if a["outcome"] == "error"]
        kinds = collections.Counter((a.get("failure") or {}).get("kind", "backend") for a in saying)
        shown = sorted((whole(n) for n in re.findall(r"([\d,]+) ×", match[3])), reverse=True)
        return (whole(match[1]), whole(match[2])) == (len(saying), len(run.made)) and shown == sorted(
            kinds.values(), reverse=True)[:3] or f"{len(saying)} of {len(run.made)}: {kinds}"

    part(rf"The backend failed in {number} of {number} attempts \((.*?)\)(?:\. Above 1 %, a missed gate)?", backend_failed)

    def change(match):
        for effect in effects:
            slack = 0.4 if effect.sampled else 0
            shown = [float(n.replace("−", "-").replace("±", "")) for n in match.groups()[:3]]
            values = [100 * v for v in (effect.change, effect.low, effect.high)]
            # The ends have signs only if the interval crosses zero.
            values[0] = abs(values[0])
            if values[1] * values[2] >= 0:
                values[1:] = sorted(map(abs, values[1:]))
            if ("drop" in match[0]) == (effect.change < 0) and p_of(match[4], effect) and all(
                    abs(s - v) <= 0.05 + 1e-7 + slack for s, v in zip(shown, values)):
                return True
        return "no such effect"

    def gate(match):
        slice = run.named(match[1])
        return (whole(match[2]), whole(match[3])) == slice.share and sure(
            match[4], match[5], slice.share) and match[6] == asked(Head.needed(slice)) and (
                not (shown := match[7] or match[8])
                or abs(float(shown.rstrip("% \u00a0")) / 100 - Head.score(slice)) < 0.0005 + 1e-9
            ) or slice.share

    def sure(rate, around, share):
        """Whether a rate and its interval are those of a share."""
        return rate == words.rate(*share) and around in interval(share).texts

    def lowest(match):
        """Checks the suite with the lowest pass rate."""
        slice = run.named(match[1])
        rates = [s.share[0] / s.share[1] for s in run.judged if s.attempts]
        return (whole(match[2]), whole(match[3])) == slice.share and match[4] == words.rate(
            *slice.share) and slice.share[0] / slice.share[1] <= min(rates) or min(rates)

    def total_on(backend):
        """Counts the passed attempts and all attempts of the gated slices, on one backend or on all."""
        judged = (run.gated if run.is_night else []) or run.slices
        judged = [s for s in judged if backend is None or flat(words.line(s.key[2])) == backend]
        return rows.Share.sum(s.share for s in judged)

    def gates(match):
        """Checks the number of gates, and the passed attempts on each backend."""
        judged = run.gated or run.slices
        lenient = sum(bool(s.suite.get("gate")) and Head.needed(s) <= 0 for s in judged)
        if match[1] and int(match[1]) != len(judged) or match[2] and int(match[2]) != lenient:
            return len(judged), lenient
        if match[4] and not sure(match[4], match[5], total_on(None)):
            return total_on(None)
        counts = re.findall(succeeding, match[3])
        return all((whole(hits), whole(count)) == total_on(backend or None)
                   for hits, count, backend in counts) or [total_on(c[2] or None) for c in counts]

    def scope(match):
        """Checks the number of compared attempts, and of all attempts in the same suite."""
        sizes = {side[1] for e in effects if e.counts for side in e.counts if side}
        return whole(match[1]) in sizes and whole(match[2]) in {
            len(s.attempts) for s in run.slices} or sizes

    def flips(match):
        """Checks the numbers of named test cases, and that no slice has more test cases."""
        most = sum(len(s.suite["cases"]) for s in run.slices)
        named = [names.count(", ") + 1 + sum(map(int, re.findall(r" and (\d+) more$", names)))
                 for names in re.findall(r"\(([^)]*)\)", match[0])]
        counts = [whole(match[1])] + ([whole(match[3])] if match[3] else [])
        return named == counts and whole(match[2]) <= most or (named, most)

    def failing(match):
        """Checks the test cases that newly fail, or that newly passed after the word "Fixed"."""
        slice = run.named(match[3])
        is_fixed = match.string.rfind("Fixed since", 0, match.start()) >= 0
        found = {case for case, own in slice.by_case.items()
                 if all((a["outcome"] == "pass") == is_fixed for a in own)}
        return (match[1] in map(words.line, found) if match[1] else whole(match[2]) <= len(found)) or found

    def cached(match):
        """Checks how many answers came from the cache."""
        found = sum(bool(a.get("details", {}).get("isCached")) for a in run.made)
        count = len(run.made)
        return (whole(match[3]) == found == count if match[3] else
                (whole(match[1]), whole(match[2])) == (found, count)) or (found, count)

    def failure(match):
        """Checks the counts of a group of failures: its attempts, all attempts, the baseline's."""
        slice = run.named(match[1])
        read = re.fullmatch(r"(.+) was read as (.+)", match[2])
        for key, group in rows.groups(slice).items():
            total = len(slice.attempts)
            if read and key[2:4] != read.groups():
                continue
            if read:
                counts = rows.confusion(slice, key[1])
                total = sum(n for (want, _), n in counts.items() if want == read[1])
            before = report.before(slice)
            old = sum(rows.reason(a) == key[:4] for a in before.attempts
                      if a["outcome"] != "pass") if before else 0
            if (whole(match[3]), whole(match[4])) == (len(group), total) and (
                    not match[5] or whole(match[5]) == old):
                return True
        return "no such group"

    def several(match):
        """Checks a cause in a suite: its attempts, its largest group, the baseline's attempts."""
        slice = run.named(match[1])
        before = report.before(slice)
        causes = rows.causes([before]) if before else {}
        for name, of in rows.causes([slice]).items():
            failed = causes.get(name, {}).get(before.key, []) if before else []
            largest = max(collections.Counter(map(rows.reason, of[slice.key])).values())
            old = len(failed)
            groups = collections.Counter(map(rows.reason, of[slice.key]))
            earlier = collections.Counter(map(rows.reason, failed))
            same = {earlier[reason] for reason, count in groups.items() if count == largest}
            if (whole(match[2]), whole(match[3])) == (len(of[slice.key]), len(slice.attempts)) and (
                    not match[4] or whole(match[4]) == largest) and (
                    not match[5] or whole(match[5]) == old) and (
                    not match[6] or whole(match[6].replace("none", "0")) in same):
                return True
        return "no such cause"

    def empty(match):
        slice = run.named(match[1])
        found = rows.causes([slice]).get("Empty array", {}).get(slice.key, [])
        before = report.before(slice)
        old = len(rows.causes([before]).get("Empty array", {}).get(before.key, [])) if before else 0
        return (whole(match[3]), whole(match[4])) == (len(found), len(slice.attempts)) and (
            not match[5] or whole(match[5]) == old) or (len(found), old)

    def guardrail(match):
        return any(sum(any(flat(words.line(v["assertion"])) == match[1] and v["verdict"] == "fail"
                           for v in a["verdicts"]) for a in s.attempts) == whole(match[2])
                   for s in run.slices) or "no such count"

    def empties(slice):
        """The number of a slice's attempts that came back with an empty array."""
        found = rows.causes([slice]).get("Empty array", {})
        return len(found.get(slice.key, []))

    def wrong_cases(slice):
        """Counts the attempts without the expected enum case, and all that should have one."""
        counts = rows.confusion(slice, "$")
        return sum(n for (want, got), n in counts.items() if want != got), sum(counts.values())

    def limits(match):
        """Checks how far the pass rate may have fallen, and another quantity that may be worse."""
        sure = [e for e in effects if e.verdict == "ok" and not e.same]
        most = max(e.excluded for e in sure if e.title == "pass rate")
        return match[1] in Near(lambda v: words.fixed(v * 100, 1), most).texts and (not match[2] or any(
            match[2].startswith(e.title) and e.excluded > most
            and match[3] in Near(lambda v: words.fixed(v * 100, 1), e.excluded).texts for e in sure)) or most

    def stop(match):
        return match[1] == flat(words.line(run.record["details"].get("ending") or "")) or "no such reason"

    def variants(match):
        """Checks the rate of all variants."""
        share = rows.passed(run.made), len(run.made)
        return ((whole(match[1]), whole(match[2])) == share and match[3] == words.rate(*share)) or share

    def shares(match):
        """Checks the rates of the gates that require a pass rate, or of those that require none."""
        gated = run.gated
        isStrict = "none" not in match[0] and "require no" not in match[0]
        own = [s for s in gated if (Head.needed(s) > 0) == isStrict]
        if match[1] and int(match[1]) != len(own) or match[2] and int(match[2]) != len(gated):
            return len(own), len(gated)
        for hits, count, backend in re.findall(rf"{counts}(?: attempts?(?: of the first variants)?)?(?: on (\S+?))?(?=,| and | succ| \()", match[3]):
            of = [s for s in own if not backend or flat(words.line(s.key[2])) == backend]
            if (whole(hits), whole(count)) != tuple(map(sum, zip(*[s.share for s in of]))):
                return [s.share for s in of]
        return True

    def not_made(match):
        """Checks how many attempts of a slice were not made, in this run or in its baseline."""
        slice = run.named(match[1])
        slice = report.before(slice) if match[4] == "baseline" else slice
        planned = slice.suite["repeats"] * len(slice.suite["cases"])
        missing = planned - len(slice.attempts)
        return (whole(match[2]), whole(match[3])) == (missing, planned) or (missing, planned)

    counts = rf"{number} of {number}"
    part(rf"{suite}: {counts} attempts? of the (candidate|baseline) (?:was|were) not made",
         not_made)
    part(r"(?:(?<=planned attempts)|(?<=planned attempt)), because (.*?)\. (?=Its attempts)", stop)
    part(r"No attempt was made, because (.*?)\.(?= |$)", stop)
    part(rf"The comparison includes {number} of the {number} attempts(?:: those that the baseline has too"
         r"(?:, without copies)?|, because the others are copies of them)", scope)
    kinds = r"(?:newly (?:fails?|pass(?:es)?)|clearly (?:fails?|pass(?:es)?) more often)"
    part(rf"{number} of {number} test cases?(?: of \S+| of \d+ suites)? {kinds}(?: since the baseline)? \([^)]*\)(?:, {number} {kinds} \([^)]*\))?\.", flips)
    part(rf"{number} of {number} answers? came from the cache|All {number} answers came from the cache",
         cached)
    sureness = r"([\d.<> ]+ %), 95 % interval ([\d.–]+\d)"
    if step := re.search(r"^(?:Do next|Or): (.*)$", rest):
        return wrong + next_step(step[1], report)
    wrong += [f"the database has no {what}" for what in undated(rest, report.runs)]
    part(rf"(\S+) was missing in {counts} (?:compared )?attempts \({share}; baseline {counts}\)",
         counted("^missing {}$"))
    part(rf"The run stopped after {number} of {number} planned attempts?",
         lambda m: (whole(m[1]), whole(m[2])) == (len(run.made), sum(
             s.suite["repeats"] * len(s.suite["cases"]) for s in run.slices)) or len(run.made))
    part(rf"The previous complete run(?: of \S+)?: run (\d+), {number} of {number} attempts? pass(?:es)?",
         lambda m: m[1] in report.runs or "no such run")
    part(rf"{number} quantit(?:y|ies)(?:, none clearly changed| without a clear change)",
         lambda m: whole(m[1]) <= len(effects) or len(effects))
    asks = rf"{suite}: {number} of {number} attempts? passed \({sureness}\); the gate requires ([\d.]+ %)" \
        r"(?:, but the mean score (?:of the test cases|by `?[^;.`]+`?) is ([\d.]+ %)|" \
        r", but ([\d.]+ %) pass without the test cases that have their own gates)?"
    worst = rf"The worst is {suite} with {number} of {number} attempts? \({share}\)"
    if cause := re.search(asks + r"(?=; )", rest) or re.search(worst + r"(?=; )", rest):
        rest = f"{rest[:cause.end()]}In {cause[1]}, {rest[cause.end() + 2:]}"
    part(rf"With all variants, {counts} attempts? \({share}\) succeeded\.", variants)
    some = rf"([\d,]+ of (?:[^.:;(]|\.(?=\w))+?(?: \({sureness}\))? succeeded)"
    part(rf"The (?:gate that requires|(\d+) gates that require) a pass rate passed: (){some}", shares)
    part(rf"The other (?:gate requires|(\d+) gates require) none: (){some}", shares)
    part(rf"(\d+) of (\d+) gates require no pass rate: {some}", shares)
    part(rf"The other (?:gate|(\d+) gates) passed: (){some}", shares)
    part(asks, gate)
    part(worst, lowest)
    part(r"With 95 % confidence, (?:the pass rate|no suite’s pass rate)(?: over the compared attempts)? fell by "
         r"(?:at most|more than) ([\d.]+) points(?:, and (.+?) rose by at most ([\d.]+) points)?", limits)
    part(rf"{counts} attempts(?: of the last \d+ nights)? pass \(baseline and earlier runs {share}\)",
         lambda m: any((whole(m[1]), whole(m[2])) == e.counts[1] and m[3] in rates(e)[0]
                       for e in effects if e.reference == "history") or "no such effect")
    part(rf"{counts} (?:compared )?attempts(?: of the last \d+ nights)? pass \(baseline and earlier runs {counts}\)",
         counted("^pass rate against pooled history$"))
    part(rf"{counts} (?:compared )?attempts(?: of the last \d+ nights)? pass \(baseline {counts}\)", counted("^pass rate"))
    part(rf"wrong branch was taken {counts} times \(baseline {counts}\)",
         counted("^wrong branch"))
    part(rf"(\S+) was missed {counts} times \(baseline {counts}\)", counted("^missed {} at"))
    part(rf"“([^”]*)” failed {counts} times \(baseline {counts}\)", counted("^failures of {}$"))
    part(rf"arrays were empty in {counts} (?:compared )?attempts \({share}; baseline {counts}\)",
         counted("^empty "))
    part(rf"the chance [^.]*? (rose|fell) from {share} to {share} \((P\(.*?), mean of {number} test cases?\)",
         lambda m: any(e.title == m[4] and m[2] in rates(e)[0] and m[3] in rates(e)[1]
                       and e.cases == whole(m[5]) for e in effects) or "no such effect")
    part(rf"The pass rate (?:stayed at|went from {share} to) {share}",
         lambda m: any(e.title == "pass rate" and m[2] in rates(e)[1] and (m[1] or m[2]) in rates(e)[0]
                       for e in effects) or "no such effect")
    part(rf"(?<=: |, )(?:the test case (\S+)|{number} test cases) of {suite}(?=[,.])", failing)
    entry = r"(?:run (\d+)(?: \(\d+ \w+\))?|\d+ \w+)"
    part(rf"(?:(?:Nothing is new|New|Fixed) since|Other test cases fail than in) {entry}(?=[.:])",
         lambda m: not m[1] or int(m[1]) < int(run.number) or "not an earlier run")
    part(rf"Known since {entry}, for {number} runs?(?=: )", lambda m: not m[1] or not report.runs.get(m[1]) or whole(
        m[2]) == (n := sum(int(m[1]) <= int(k) <= int(run.number) and r.is_night and not r.is_part
                           and (r.record["status"] == "complete" or k == str(run.number))
                           for k, r in report.runs.items())) or n)
    noted = r"Acknowledged, since (\S+) and until (\S+): (.+?) of (\S+) \((.*?)\)(?=\.)"
    part(noted, lambda m: any(
        [flat(e[k]) for k in ("since", "until", "quantity", "suite", "reason")] == list(m.groups())
        for e in run.record["details"].get("acknowledgements") or []) or "no such entry")
    backends = [{b["id"]} for b in run.record["backends"]] + [{b["id"] for b in run.record["backends"]}]
    part(r"The gates? (?:of .+? )?(?:was|were) written for .+?, and this run used .+?: "
         rf"{number} of {number} attempts? \({share}\) succeeded", lambda m: any(
             (rows.passed(own), len(own), words.rate(rows.passed(own), len(own))) == (whole(m[1]), whole(m[2]), m[3])
             for own in ([a for a in run.made if a["key"]["backend"] in of] for of in backends)) or "other counts")
    part(r"(?:Before the answer|At \S+), the mask removed more than half .*?”(?: \(in \d+ of them\))?\.",
         lambda m: rows.mask_sentence(run, m[0]) or "other counts")
    reuse = run.record["details"].get("reuse") or {}
    part(rf"{number} of {number} answers (?:is|are) reused from runs? ([\d, ]+)(?:; {number}, drawn by date, (?:was|were) "
         r"computed again and (?:is|are) the same)?", lambda m: (whole(m[1]), whole(m[2]), whole(m[4] or "0")) == (
             reuse["reused"], len(run.made), reuse["audited"]) and re.findall(r"\d+", m[3]) == [
             str(o["run"]) for o in reuse["origins"]] or reuse)
    part(r"Worse since run (\d+) \(\d+ \w+\)", lambda m: m[1] in report.runs or int(m[1]) <= int(run.number))
    part(r"(\d+) of (\d+) gates? (?:has|have) no attempts yet", lambda m: (int(m[1]), int(m[2])) == (
        sum(not s.attempts for s in run.judged), len(run.judged)) or len(run.judged))
    part(rf"A regression of {suite} is suspected: (P\([^)]*\) at \S+|[^.:;(]+?(?: at \S+)?) (?:rose|fell) from {share} to {share} "
         rf"\({p}, not adjusted for the other tests\)", lambda m: any(
             e.title == m[2] and m[3] in rates(e)[0] and m[4] in rates(e)[1] for e in effects) or "no such effect")
    part(rf"(?<![\w.])((?:P\([^)]*\) at|empty|wrong branch at|missed|failures of) \S.*?|pass rate(?: against "
         rf"pooled history)?) (?:rose|fell) from {share} to {share}"
         rf"(?: \(([-+−±][\d.]+) points, {p}(?:, better)?(?:, doesn’t decide the verdict)?\))?", moved)
    part(rf"[Aa] (?:drop|rise) of ([\d.]+) points \(95 % CI ([-+−±\d.]+)(?:–| to )([-+−±\d.]+), {p}\)", change)
    succeeding = rf"{counts}(?: attempts?(?: of the first variants)?)?(?: on (\S+?))?(?=,| and | succeeded| \()"
    succeeded = rf"([\d,]+ of (?:[^.:;(]|\.(?=\w))+?(?: \({sureness}\))? succeeded)"
    part(r"(?:The gate (?:passed|requires no pass rate): |(?:All|None of the) (\d+) gates "
         r"(?:passed|requires a pass rate|passed, but (\d+) requires? no pass rate): )" + succeeded, gates)
    # This sentence has no counts of gates, so two empty groups stand for them.
    part(rf"(?:^|(?<=[.…] ))(?:\S \w+\. )?()(){succeeded}\.", gates)
    part(rf"In {suite}, {counts} attempts? (?:[^(.;]|\.(?=\S))+(?: \((?:most often: "
         rf"(?:[^;)]|\)(?!\.))+?, {number}(?: times?)?)?(?:; )?"
         rf"(?:baseline {number}|(none|[\d,]+) in the baseline)?\))?(?=[.;])", several)
    part(rf"In {suite}, (\S+) was empty in {counts} attempts?(?: \(baseline {number}\))?", empty)
    part(rf"In {suite}, (.+?) in {counts} attempts?(?: \(baseline {number}\))?", failure)
    part(r"its guardrail (.+?) failed (\d+) times?", guardrail)
    part(rf"metric `([^`]+)` has no data in {number} attempts?", lambda m: any(
        whole(m[2]) == sum(a["outcome"] != "error" for a in s.attempts) and not any(
            m[1] in ((a.get("details") or {}).get("metrics") or {}) for a in s.attempts)
        for s in run.judged) or "there is data")
    part(rf"{number} other attempts? failed", lambda m: True if whole(
        m[1]) <= len(run.made) - rows.passed(run.made) else "more than there are")
    part(r"and (\d+) more suites? got (?:worse|better)",
         lambda m: int(m[1]) < sum(map(len, report.by_effect.values())) or "more than there are")
    gated = run.gated
    part(r"(?<=: )the gate of [^:;]*, and (\d+) more(?=[.;])", lambda m: m[0].count(
        "the gate of ") + int(m[1]) <= len(gated) + len(report.by_effect) or len(gated))
    part(r"(\d+) of (\d+) gates were missed", lambda m: int(m[1]) <= int(m[2]) == len(gated) or len(gated))
    part(r"\b(\d+) other quantit(?:y|ies) clearly changed|(\d+) quantit(?:y|ies) ha(?:s|ve) too little",
         lambda m: int(m[1] or m[2]) <= len(effects) or len(effects))
    part(r"There is no baseline for (.+?) and (\d+) more\.", lambda m: len(m[1].split(", ")) + int(m[2]) <= len(
        run.record["suites"]) or len(run.record["suites"]))
    part(r"(\d+) of the baseline's (\d+) repeats(?: in (\S+?))?(?=[;.])", lambda m: any(
        (b.suite["repeats"] - s.suite["repeats"], b.suite["repeats"]) == (int(m[1]), int(m[2]))
        for s in run.slices if m[3] in (None, s.key[0]) and (b := report.before(s))) or "other repeats")
    # The sentence names at most three comparisons that are impossible.
    part(r"(\d+) other suites? can't be compared either",
         lambda m: int(m[1]) <= len(run.suites) - 3 or len(run.suites))
    part(r"\S+ in run (\d+)(?: of [^:]*?)? and (?:\S+ on )?\S+ in run (\d+)(?=: )", lambda m: all(
        n in report.numbers or int(n) <= run.number for n in m.groups()) or "no such run")
    if re.search(r"\d", re.sub("|".join(FIXED), "", rest)) and not known_names(run, rest):
        wrong.append(f"not understood: “{rest.strip()}”")
    return wrong


def texts_(part):
    """The texts that may stand for a part of a template."""
    return part.texts if isinstance(part, Near) else {part}


def next_step(text, report):
    """Returns the errors in advice on what to do next: in its count of edits, or the run number."""
    run = report.run
    wrong = [f"“{text}” is about another run" for named in re.findall(
        r"(?:--resume|--run|baseline accept) (-?\d+)", text) if named != str(run.number)]
    counts = {edits(*[report.run_of(side).slice((
        side.suite, side.variant, side.backend or backend)).variant for side in sides])
        for sides, by in report.by_effect.items() for backend in by}
    for count in re.findall(r"which of the (\d+) edits", text):
        if int(count) not in counts:
            wrong.append(f"{count} edits, computed {counts}")
    return wrong


def texts_of(runs):
    """The schemas, instructions and prompts of runs as texts."""
    for run in runs:
        for suite in run.record["suites"]:
            for variant in suite["variants"]:
                for key in ("schema", "instructions", "promptTemplate"):
                    text = variant.get(key) or ""
                    yield flat(words.visible(text.replace('\\"', '"').replace("\\n", "\n")))


def known_names(run, text):
    for name in sorted({s.key[0] for s in run.slices} | {run.name(s) for s in run.slices}, key=len,
                       reverse=True):
        text = text.replace(name, "")
    return not re.search(r"\d", text)


def plain(c, text):
    """Checks that all numbers of a text belong to standard sentences of the reports."""
    rest = re.sub("|".join(FIXED), "", text)
    if re.search(r"\d", rest):
        c.fail(f"not understood: “{rest[:100]}”")


def date(start, end=None):
    """The time of a run, such as `Fri 20 Nov 2026, 02:00–02:11 UTC`."""
    def day(text):
        return datetime.datetime.strptime(text[:10], "%Y-%m-%d").strftime("%a %-d %b %Y") + ", "
    first = day(start) + start[11:16]
    if not end or end[:16] == start[:16]:
        return first + " UTC"
    same = end[:10] == start[:10]
    return first + ("–" if same else " – " + day(end)) + end[11:16] + " UTC"


def nights(c, node, runs):
    """Checks a heading such as `30 nights`: one night for each run, at most thirty."""
    c.shown(node, "{}", words.counted(min(30, runs), "night"))


def chrome(page, c, run, names=()):
    """Checks the standard texts of a page: headings, captions and notes."""
    for node in page.nodes():
        if node.tag in ("th", "p", "h2", "h4", "dt", "dd", "figcaption", "caption", "option", "kbd") \
                or "lede" in node.classes:
            open_ = [t for t in node.texts() if t.unit is None and re.search(r"\d", t.value)]
            if not open_:
                continue
            text = flat(" ".join(t.value for t in open_))
            rest = re.sub("|".join(FIXED), "", text)
            if not re.search(r"\d", rest):
                c.unit("the page's own words", lambda c, texts: (
                    c.claim(texts, "fixed"),
                    plain(c, flat(" ".join(t.value for t in texts)))), open_)
            elif node.tag == "caption":
                c.unit("captions", caption, node, names)
            elif re.fullmatch(r"\S+ nights?", text) and node.tag == "th":
                c.unit("the column of the nights", nights, node, run)


def caption(c, node, names):
    """Checks that each number of a caption is in a name, or in the label of the element around the table."""
    c.claim(node.texts(), "quoted")
    text = re.sub("|".join(FIXED), "", node.text())
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(flat(words.line(name)), "")
    index = node.parent.parent.attributes.get("aria-label", "") if node.parent else ""
    for number in words.NUMBER.findall(text):
        if not re.search(rf"(?<!\d){re.escape(number)}(?!\d)", index):
            c.fail(f"the caption “{node.text()}” has {number}, which is not in the label of the element around it")
