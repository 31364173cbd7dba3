"""Checks the lines that name a cause of failures, its next step, and a command that shows a failure."""
import collections
import re
import shlex

import effects
import rows
import words
from bases import address
from words import flat

number = lambda digits: int(digits.replace(",", ""))


def shown_by(run, text):
    """The attempts that a command `assay show …` in a text shows; None if it has no command."""
    command = re.search(r"assay show (.*)$", text)
    if not command:
        return None
    parts = shlex.split(command[1])
    options = {a: b for a, b in zip(parts[1:], parts[2:]) if a.startswith("--")}
    if options.get("--run") != str(run.number):
        return []
    return [a for a in run.made if words.line(address(a)) == parts[0]
            and options.get("--variant", a["key"]["variant"]) == a["key"]["variant"]
            and options.get("--backend", a["key"]["backend"]) == a["key"]["backend"]]


def remedy(attempt, run):
    """The bound that would end an answer that repeats itself; None if the answer doesn't repeat."""
    loop = (attempt.get("details", {}).get("cut") or {}).get("loop")
    if loop is None:
        return None
    path, suite = rows.cut_path(attempt["output"]), attempt["key"]["suite"]
    if '"' not in loop.replace("\\\\", "").replace('\\"', ""):
        return "length", path, suite
    return "items", path.rpartition("[*]")[0], suite


def facts(run, attempts):
    """The numbers that a next step for failed attempts may name.

    A step may count the answers that one bound would end, the other answers, the arrays that are
    too short, or the confusions of two branches. It may name a bound or a token limit."""
    known = {len(attempts), len({a["key"]["caseID"] for a in attempts})}
    bounds = collections.Counter(remedy(a, run) for a in attempts)
    ending = bounds.pop(None, 0)
    repeating, counts = sum(bounds.values()), sorted(bounds.values(), reverse=True)
    known |= {repeating, ending, *counts} | {
        repeating - sum(some) for some in [counts[:1], counts[:2], *([a, b] for a in counts for b in counts)]}
    for suite in {a["key"]["suite"] for a in attempts}:
        own = [a for a in attempts if a["key"]["suite"] == suite]
        record, cut = run.suites[suite], [a for a in own if remedy(a, run) is None]
        known.add(max([record["options"]["maximumTokens"], *(a["outputTokens"] for a in cut)]))
        known |= {len(cut), *(record.get("arrayMinimums") or {}).values(),
                  *(record.get("details", {}).get("arrayMaximums") or {}).values()}
        short = collections.Counter()
        for attempt in own:
            verdict = rows.first_failure(attempt)
            count = (attempt.get("details", {}).get("counts") or {}).get(
                verdict["assertion"] if verdict else None)
            if count:
                for name in ("minimum", "maximum"):
                    if count.get(name) is not None:
                        short[verdict["path"], name, count["count"] < count.get("minimum", 0)] += 1
                        known.add(count[name])
        known |= set(short.values())
    known |= set(collections.Counter(rows.reason(a)[2:4] for a in attempts).values())
    return known


def wrong_numbers(text, run, attempts):
    """The numbers in a next step that are not facts about the failed attempts.

    Digits in the run's names, paths and files don't count."""
    text = re.split(r"(?:Inspect: |inspect an attempt: )?assay show ", text)[0]
    names = {run.name(s) for s in run.slices} | {s.key[0] for s in run.slices} | {
        rows.reason(a)[n] for a in attempts for n in (1, 2, 3)}
    for name in sorted(map(words.line, names), key=len, reverse=True):
        text = text.replace(flat(name), "") if name else text
    text = re.sub(r"\$[\w.\[\]*]*|\S+/\S+", "", text)
    known = facts(run, attempts)
    return [n for n in re.findall(r"\d[\d,]*(?! %)", text) if number(n.rstrip(",")) not in known]


def told_causes(report):
    """The causes that a list of causes is about: in a comparison of variants, those of the candidates."""
    keys = {s.key for s in report.candidates() or report.run.slices}
    found = {name: {key: own for key, own in of.items() if key in keys}
             for name, of in rows.causes(report.run.slices).items()}
    return {name: of for name, of in found.items() if of}, sum(
        len(s.attempts) for s in report.run.slices if s.key in keys)


def place(attempt):
    """The test case and the repeat of an attempt."""
    return attempt["key"]["caseID"], attempt["key"]["repeatIndex"]


def paired(slice, before):
    """The places of the attempts that a slice and its baseline have in common.

    Fresh repeats of different nights have different seeds, so they aren't compared."""
    own, old = [{place(a) for a in s.attempts if place(a)[1] < end}
                for s, end in effects.compared_repeats(slice, before)]
    return own & old


def earlier_words(old, compared, total):
    """The words about the failures in the baseline, such as `11 in the baseline`."""
    was = f"{words.grouped(old) if old else 'none'} in the baseline"
    return was if compared == total else f"{words.grouped(compared)} of them compared with {was}"


EARLIER = r"(?:[\d,]+ of them compared with )?(?:none|[\d,]+) in the baseline"


def before_cause(report, name, of):
    """The words about a cause's failures in the baseline, such as `11 in the baseline`; empty without one."""
    old = compared = 0
    for key, attempts in of.items():
        slice = report.run.slice(key)
        before = report.before(slice)
        if not before or not before.attempts:
            return ""
        common = paired(slice, before)
        compared += sum(place(a) in common for a in attempts)
        earlier = rows.causes([before]).get(name, {}).get(before.key, [])
        old += sum(place(a) in common for a in earlier)
    if not compared:
        return ""
    return earlier_words(old, compared, sum(map(len, of.values())))


def before_group(before, slice, reason, attempts):
    """The words about a group's failures in the baseline; empty without a baseline."""
    if not before or not before.attempts:
        return ""
    common = paired(slice, before)
    old = sum(rows.reason(a)[:4] == reason[:4] for a in before.attempts
              if a["outcome"] != "pass" and place(a) in common)
    now = sum(place(a) in common for a in attempts)
    return earlier_words(old, now, len(attempts)) if now else ""


def cause_line(report, text):
    """The wrong parts of a line such as `5 of 60 attempts failed “x”, all in quiz (5 of 9 attempts)`.

    The line may go on with the number in the baseline, a next step and a command."""
    run = report.run
    causes, made = told_causes(report)
    # If one slice has all attempts of the run, the line doesn't repeat the counts after the name of
    # this slice.
    news = rf"(?:, ({EARLIER}))?"
    if not re.search(r", (?:all|most|for example) in .+? \([\d,]+ of [\d,]+ attempts?", text):
        text = re.sub(r"^(([\d,]+ of [\d,]+) attempts? .+?, all in .+?)(?:, (worse since run \d+ \(\d+ \w+\)))?"
                      + news + r"\.(?= |[A-Z]|$)",
                      lambda m: f"{m[1]} ({m[2]} attempts{', ' + m[3] if m[3] else ''})"
                                f"{', ' + m[4] if m[4] else ''}.", text, count=1)
    match = re.match(r"([\d,]+) of ([\d,]+) attempts? .+?, (all|most|for example) in (.+?) \(([\d,]+) of "
                     r"([\d,]+) attempts?(?:, worse since run (\d+) \(\d+ \w+\))?\)" + news + r"\.?(.*)$", text)
    if not match:
        return ["not understood"]
    slice = next((s for s in run.slices if flat(words.line(run.name(s))).startswith(
        match[4].rstrip("…")) and (match[4].endswith("…") or words.line(run.name(s)) == match[4])), None)
    fits = {name: of for name, of in causes.items() if slice and len(of.get(slice.key, [])) == number(match[5])
            and sum(map(len, of.values())) == number(match[1])
            and (match[3] == "all") == (len(of) == 1)}
    if not fits or number(match[2]) != made or number(match[6]) != len(slice.attempts):
        return ["no cause has these counts"]
    wrong = [] if match[7] in (None, *report.runs) else [f"there is no run {match[7]}"]
    computed = {before_cause(report, name, of) for name, of in fits.items()}
    if (match[8] or "") not in computed:
        wrong.append(f"shown “{match[8]}”, computed {sorted(computed)}")
    attempts = [a for of in fits.values() for own in of.values() for a in own]
    return wrong + step(run, match[9], attempts, [a for of in fits.values() for a in of[slice.key]])


def step(run, text, attempts, local=None):
    """The wrong parts of a next step for failed attempts; the step may end in a command."""
    wrong = [f"{n} is not a fact about these failures" for n in wrong_numbers(text, run, attempts)]
    shown = shown_by(run, text)
    if shown is not None and not any(a in (local or attempts) for a in shown):
        wrong.append("the command doesn't show one of these failures")
    return wrong


class Tree:
    """The causes of failures with their places and groups, as a summary lists them line by line."""

    PLACES, DETAILS = 12, 3

    def __init__(self, report):
        self.report, self.run = report, report.run
        self.causes = rows.causes(self.run.slices)
        self.cause = self.slice = None
        self.listed = []

    def groups(self):
        """The groups of the current cause in the current place, largest first."""
        own = self.causes[self.cause][self.slice.key]
        found = [g for g in rows.groups(self.slice).values() if g[0] in own]
        return sorted(found, key=len, reverse=True)

    def wrong(self, text):
        """The wrong parts of a line, given the lines before it."""
        text = re.sub(r"\s+", " ", text.strip()).removeprefix("- ")
        if re.match(r"[\d,]+ of [\d,]+ attempts? .+?, (?:all|most|for example) in ", text):
            self.listed.append(number(text.split()[0]))
            return cause_line(self.report, text)
        if "the mask removed more than half" in text:
            return [] if rows.mask_sentence(self.run, text) else ["other counts"]
        if match := re.fullmatch(r"([\d,]+) other attempts? failed in ([\d,]+) other ways?\.?", re.sub(
                "^One attempt failed otherwise", "1 other attempt failed in 1 other way", text)):
            # Before the tree, the list is about the causes that it tells; the tree has all causes.
            causes = self.causes if self.slice else told_causes(self.report)[0]
            rest = sorted(sum(map(len, of.values())) for of in causes.values())
            for count in self.listed:
                if count in rest:
                    rest.remove(count)
            return [] if (number(match[1]), number(match[2])) == (sum(rest), len(rest)) else [
                f"computed {sum(rest)} in {len(rest)} other ways"]
        if match := re.match(r"([\d,]+) attempts? failed in ([\d,]+) ways?, no more often than in the baseline", text):
            causes, known = told_causes(self.report)[0], []
            for name, of in causes.items():
                was = re.fullmatch(r"(?:([\d,]+) of them compared with )?([\d,]+) in the baseline", before_cause(self.report, name, of))
                total = sum(map(len, of.values()))
                if was and number(was[1] or str(total)) <= number(was[2]):
                    known.append(total)
            shown = number(match[1]), number(match[2])
            # The list names at most four causes; `other ways` counts the smaller ones.
            known = sorted(known, reverse=True)[:shown[1]]
            self.listed += known
            return [] if (sum(known), len(known)) == shown else [
                f"computed {sum(known)} in {len(known)} ways"]
        if match := re.fullmatch(r"(.+): ([\d,]+) attempts?", text):
            self.cause = next((name for name, of in self.causes.items() if flat(words.line(name))
                               == flat(match[1]) and sum(map(len, of.values())) == number(match[2])), None)
            # The tree comes after the list of the largest causes, and lists all causes again. So
            # `listed` starts over at the first cause in the tree.
            self.listed = (self.listed if self.slice else []) + [number(match[2])]
            self.slice = self.slice or next(iter(self.run.slices))
            return [] if self.cause else ["no cause has this count"]
        if match := re.fullmatch(r"(.+): ([\d,]+) of ([\d,]+) attempts? \((.+%)\), ([\d,]+) test cases?", text):
            self.slice = self.run.named(match[1])
            of = self.causes[self.cause].get(self.slice.key, []) if self.slice and self.cause else []
            wanted = (len(of), len(self.slice.attempts), words.rate(len(of), len(self.slice.attempts)),
                      len({a["key"]["caseID"] for a in of})) if of else None
            return [] if wanted == (number(match[2]), number(match[3]), match[4], number(match[5])) else [
                f"computed {wanted}"]
        if match := re.match(rf"([\d,]+) × (.+?)(?: \(({EARLIER})\))? assay show ", text):
            before = self.report.before(self.slice)
            for group in self.groups():
                title = flat(words.clipped(words.line(rows.title(group[0], len(group) > 1)), 160)[0])
                if title[:150] == match[2][:150] and len(group) == number(match[1]) and (
                        match[3] or "") == before_group(before, self.slice, rows.reason(group[0]), group) \
                        and group[0] in shown_by(self.run, text):
                    return []
            return ["no group has this count, title and attempt"]
        if match := re.fullmatch(r"([\d,]+) smaller groups? \(([\d,]+) attempts?\)", text):
            sizes = [len(g) for g in self.groups()[self.DETAILS:]]
            return [] if (len(sizes), sum(sizes)) == (number(match[1]), number(match[2])) else [
                f"computed {len(sizes)} groups with {sum(sizes)} attempts"]
        if match := re.fullmatch(r"([\d,]+) attempts? in ([\d,]+) other suites? .*", text):
            sizes = sorted(map(len, self.causes[self.cause].values()), reverse=True)[self.PLACES:]
            return [] if (sum(sizes), len(sizes)) == (number(match[1]), number(match[2])) else [
                f"computed {sum(sizes)} in {len(sizes)} suites"]
        return ["not understood"]
