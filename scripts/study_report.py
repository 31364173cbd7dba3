"""The report of scripts/study: docs/study.md and its plots.

Every number and every verdict comes from the cells.
"""
import math
import textwrap

from study_design import BRANCHES, CELLS, SEED, WORDINGS, inputs
from study_outcomes import *


def points_text(value, sign=True):
    shown = f"{abs(value) * 100:.1f}"
    return shown if float(shown) == 0 or not sign else ("−" if value < 0 else "+") + shown


def percent(value):
    return f"{value * 100:.1f} %"


def p_text(p):
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def between(low, high):
    return f"{points_text(low)} to {points_text(high)}"


INK, MUTED, LINE, PAPER = "#1c2024", "#5b626b", "#dfe3e8", "#ffffff"
COLOURS = ["#1f5fbf", "#b4540a", "#2e7d4f", "#7a3f9d"]


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def dot_plot(title, axis, rows, models, zero=False):
    """An SVG with a row for each label, in which each model has a mark with an interval.

    `rows` is [(label, [(mean, low, high)…])]."""
    left, right, step, top = 340, 100, 18 * len(models) + 14, 74
    width, height = 860, top + step * len(rows) + 48
    lows = [mark[1] for _, marks in rows for mark in marks if mark]
    highs = [mark[2] for _, marks in rows for mark in marks if mark]
    low, high = min(lows + [0.0]), max(highs + [0.0])
    if not zero:
        low, high = max(low, 0.0), max(high, 0.02) if "answers" in axis else min(max(high, 0.02), 1.0)
    sizes = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1, 2, 5, 10, 20)
    tick = next(size for size in sizes if (high - low) / size <= 7)
    low, high = math.floor(low / tick + 1e-9) * tick, math.ceil(high / tick - 1e-9) * tick

    def x(value):
        return left + (min(max(value, low), high) - low) / (high - low) * (width - left - right)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
           f'role="img" font-family="system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif" font-size="13">',
           f"<title>{escape(title)}</title>",
           f'<rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8" fill="{PAPER}" stroke="{LINE}"/>',
           f'<text x="20" y="28" font-size="15" font-weight="600" fill="{INK}">{escape(title)}</text>']
    place = 20
    for index, model in enumerate(models):
        out += [mark_shape(place + 6, 48, index),
                f'<text x="{place + 18}" y="52" fill="{MUTED}">{escape(model)}</text>']
        place += 40 + 8 * len(model)
    bottom = top + step * len(rows)
    for count in range(round((high - low) / tick) + 1):
        value = low + count * tick
        strong = zero and abs(value) < 1e-9
        out += [f'<line x1="{x(value):.1f}" x2="{x(value):.1f}" y1="{top - 6}" y2="{bottom}" '
                f'stroke="{MUTED if strong else LINE}"/>',
                f'<text x="{x(value):.1f}" y="{bottom + 18}" text-anchor="middle" fill="{MUTED}">'
                f'{axis_text(value, axis, zero)}</text>']
    out.append(f'<text x="{(left + width - right) / 2:.0f}" y="{bottom + 38}" text-anchor="middle" fill="{MUTED}">'
               f'{escape(axis)}</text>')
    for number, (label, marks) in enumerate(rows):
        middle = top + step * number + step / 2
        if number:
            out.append(f'<line x1="20" x2="{width - 20}" y1="{middle - step / 2:.1f}" y2="{middle - step / 2:.1f}" '
                       f'stroke="{LINE}" stroke-opacity="0.6"/>')
        out.append(f'<text x="{left - 14}" y="{middle + 4.5:.1f}" text-anchor="end" fill="{INK}">'
                   f'{escape(label)}</text>')
        for index, mark in enumerate(marks):
            if not mark:
                continue
            y = middle + (index - (len(marks) - 1) / 2) * 18
            colour = COLOURS[index % len(COLOURS)]
            out += [f'<line x1="{x(mark[1]):.1f}" x2="{x(mark[2]):.1f}" y1="{y:.1f}" y2="{y:.1f}" stroke="{colour}" '
                    'stroke-width="2"/>', mark_shape(x(mark[0]), y, index),
                    f'<text x="{width - right + 14}" y="{y + 4.5:.1f}" fill="{colour}">'
                    f'{axis_text(mark[0], axis, zero, fine=True)}</text>']
    return "\n".join(out) + "\n</svg>\n"


def axis_text(value, axis, signed, fine=False):
    if "points" in axis:
        sign = "−" if value < -1e-9 else "+" if value > 1e-9 else ""
        return points_text(value) if fine else f"{sign}{abs(value) * 100:g}"
    if "answers" in axis:
        return f"{value:.1f}" if fine else f"{value:g}"
    return percent(value) if fine else f"{value * 100:g} %"


def mark_shape(x, y, index):
    colour = COLOURS[index % len(COLOURS)]
    if index % 2:
        return f'<path d="M{x:.1f} {y - 6:.1f}l6 6l-6 6l-6 -6z" fill="{colour}"/>'
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{colour}"/>'


def weights(attempts, value):
    """Estimates what the model would answer without a mask if invalid answers were filtered out.

    The answers were drawn with the mask; each gets its importance weight."""
    cases = {}
    for attempt in attempts:
        cases.setdefault(attempt.case, []).append(attempt)
    sizes, plain, weighted, kept, apart = [], [], [], [], []
    for draws in cases.values():
        w = [math.exp(-a.pressure) if a.complete and a.pressure is not None else 0.0 for a in draws]
        kept.append(sum(w) / len(w))
        valued = [(mass, value(a)) for mass, a in zip(w, draws) if a.complete]
        if sum(w) <= 0 or not valued:
            continue
        complete = [a.pressure for a in draws if a.complete and a.pressure is not None]
        apart.append(sum(complete) / len(complete) + math.log(sum(w) / len(complete)))
        largest = max(w)
        sizes.append(sum(w) ** 2 / sum(m * m for m in w) if largest > 1e-150 else 1.0)
        plain.append(sum(v for _, v in valued) / len(valued))
        weighted.append(sum(m * v for m, v in valued) / sum(m for m, _ in valued))
    return {
        "cases": len(sizes), "draws": max(len(d) for d in cases.values()), "sizes": interval(sizes),
        "poor": sum(size < 2 for size in sizes) / len(sizes), "kept": interval(kept),
        "pressure": interval([a.pressure for a in attempts if a.complete and a.pressure is not None])[0],
        "apart": interval(apart),
        "plain": sum(plain) / len(plain), "weighted": sum(weighted) / len(weighted),
        "shift": interval([b - a for a, b in zip(plain, weighted)]),
        "cut": sum(not a.complete for a in attempts) / len(attempts),
    }


MASKED = [
    ("kind", "typescript", "one choice of four, types in the prompt", "right branch",
     lambda a: float(a.value["kind"] == LABELS[a.case])),
    ("kind", "example", "one choice of four, an example in the prompt", "right branch",
     lambda a: float(a.value["kind"] == LABELS[a.case])),
    ("topics", "base", "a list of topics, types in the prompt", "lists with three topics or more",
     lambda a: float(len(a.value["topics"]) >= 3)),
]


def better(answer):
    """The effect and its interval, positive for an improvement."""
    if answer.question.better == "higher":
        return answer.effect, answer.low, answer.high
    return -answer.effect, -answer.high, -answer.low


def share(mean, low, high):
    return f"{mean * 100:.2g} % ({max(low, 0) * 100:.2g} to {high * 100:.2g})"


class Report:
    def __init__(self, models, work):
        self.models = models
        self.arms, self.facts = {}, {}
        for model in models:
            self.arms[model], self.facts[model] = load(work, model)
        self.answers = {}
        for question in QUESTIONS:
            needed = WORDING_ARMS if question.id == "wordings" else [question.treated, question.control]
            for model in models:
                if all(arm in self.arms[model] for arm in needed):
                    self.answers[question.id, model] = Answer(question, self.arms[model])
        for key, adjusted in holm({key: a.p for key, a in self.answers.items()}).items():
            self.answers[key].adjusted = adjusted
        self.plots = {}

    def on(self, id):
        """The answers to a question, by model."""
        return [(model, self.answers[id, model]) for model in self.models if (id, model) in self.answers]

    def cell(self, id, model):
        answer = self.answers.get((id, model))
        if not answer:
            return "not run"
        verdict = f"**{answer.verdict}**" if answer.adjusted <= 0.05 else answer.verdict
        if answer.verdict != "no clear effect" and answer.depends:
            verdict += " †"
        return f"{points_text(answer.effect)} ({between(answer.low, answer.high)}), {verdict}"

    def findings(self):
        lines = ["| rule | question | outcome | " + " | ".join(self.models) + " |",
                 "|---|---|---|" + "---|" * len(self.models)]
        for question in QUESTIONS:
            arrow = "↓" if question.better == "lower" else "↑"
            lines.append(f"| {question.rule or '–'} | {question.title} | {question.outcome} {arrow} | "
                         + " | ".join(self.cell(question.id, model) for model in self.models) + " |")
        return lines

    def reading(self, id):
        """One sentence about a question."""
        parts = []
        for model, a in self.on(id):
            moved = f"{a.question.outcome} from {percent(a.control)} to {percent(a.treated)}"
            if a.verdict == "no clear effect":
                parts.append(f"on {model} it has no clear effect (the interval rules out a change of more than "
                             f"{points_text(max(abs(a.low), abs(a.high)), False)} points)")
            else:
                verb = {"helps": "helps", "hurts": "hurts"}.get(a.verdict, a.verdict)
                parts.append(f"on {model} it {verb} ({moved})")
        text = "; ".join(parts) + "."
        return text[0].upper() + text[1:]

    def missing(self):
        """A sentence about the cells that have not run."""
        parts = [f"{', '.join(cells)} on {model}" for model in self.models
                 if (cells := [cell for cell in CELLS if cell not in self.facts[model]])]
        return wrap(f"Cells that have not run yet: {'; '.join(parts)}. Their questions are open, and the correction does "
                    "not count them.") + [""] if parts else []

    def price(self, question, name, words):
        """A sentence about a further outcome."""
        measure = dict(question.beside)[name]
        parts = []
        for model, _ in self.on(question.id):
            treated, control = (measure(self.arms[model][arm]) for arm in (question.treated, question.control))
            effect, low, high = interval([treated[c] - control[c] for c in treated if c in control],
                                         not name.startswith("P("))
            parts.append(f"{points_text(effect)} points on {model} ({between(low, high)})")
        return f"{words} changes by {' and by '.join(parts)}."

    def summary(self):
        """The findings in words, from the verdicts alone."""
        groups = {}
        for question in QUESTIONS:
            found = [a.verdict.replace("matters", "helps") for _, a in self.on(question.id)]
            if len(found) < len(self.models):
                continue
            kind = ("helps" if set(found) == {"helps"} else "hurts" if set(found) == {"hurts"}
                    else "opposite" if {"helps", "hurts"} <= set(found)
                    else "helps one" if "helps" in found else "hurts one" if "hurts" in found else "none")
            name = SHORT_TITLES[question.id].split(" vs. ")[0]
            depends = any(a.depends and a.verdict != "no clear effect" for _, a in self.on(question.id))
            groups.setdefault(kind, []).append(name + (" †" if depends else ""))
        all_ = "both models" if len(self.models) == 2 else "every model"
        titles = [("helps", f"Helps on {all_}"), ("helps one", "Helps on one model"),
                  ("opposite", "Helps on one, hurts on another"), ("hurts one", "Hurts on one model"),
                  ("hurts", f"Hurts on {all_}"), ("none", "No confirmed effect on any model")]
        return [line for kind, title in titles if kind in groups
                for line in wrap(f"- **{title}:** {'; '.join(groups[kind])}.", "  ")]

    def table(self, ids):
        lines = ["| question | model | outcome | reference | candidate | difference (95 %) | p | adjusted | unresolved |",
                 "|---|---|---|--:|--:|---|--:|--:|---|"]
        for id in ids:
            question = next(q for q in QUESTIONS if q.id == id)
            for model, a in self.on(id):
                lines.append(f"| {question.title} | {model} | **{question.outcome}** | {percent(a.control)} | "
                             f"{percent(a.treated)} | {points_text(a.effect)} ({between(a.low, a.high)}) | "
                             f"{p_text(a.p)} | "
                             f"{p_text(a.adjusted)} | {between(*a.widest) if a.widest else ''} |")
                for name, measure in question.beside:
                    arms = self.arms[model]
                    treated, control = measure(arms[question.treated]), measure(arms[question.control])
                    cases = [case for case in treated if case in control]
                    if not cases:
                        continue
                    counted = not name.startswith("P(")
                    effect, low, high = interval([treated[c] - control[c] for c in cases], counted)
                    lines.append(f"| | {model} | {name} | {percent(sum(control[c] for c in cases) / len(cases))} | "
                                 f"{percent(sum(treated[c] for c in cases) / len(cases))} | {points_text(effect)} "
                                 f"({between(low, high)}) | | | |")
        return lines

    def plot(self, file, title, axis, measure, arms, counts=False):
        rows = []
        for label, arm in arms:
            marks = []
            for model in self.models:
                values = list(measure(self.arms[model][arm]).values()) if arm in self.arms[model] else []
                marks.append(interval(values, counts) if values else None)
            if any(marks):
                rows.append((label, marks))
        if not rows:
            return []
        self.plots[file] = dot_plot(title, axis, rows, self.models)
        return [f"![{title}](study/{file})", ""]

    def section(self, title, setup, ids, plots=()):
        lines = [f"## {title}", "", *setup, ""]
        present = [id for id in ids if self.on(id)]
        if not present:
            return lines + ["Not run yet.", ""]
        lines += self.table(present) + [""]
        for plot in plots:
            lines += self.plot(*plot)
        for id in present:
            question = next(q for q in QUESTIONS if q.id == id)
            beside = " ".join(self.price(question, name, words) for name, words in ALSO.get(id, []))
            title = question.title[0].upper() + question.title[1:]
            lines += wrap(f"*{title}.* {self.reading(id)} {beside}") + [""]
        return lines

    def settings(self, arms, name, measure, counted_name, counted):
        """A table of probability, count and pressure, with a row for each arm and model."""
        lines = [f"| | model | {name} | {counted_name} | pressure, nats |", "|---|---|--:|--:|--:|"]
        for label, arm in arms:
            for model in self.models:
                attempts = self.arms[model].get(arm)
                if not attempts:
                    continue
                pressures = [a.pressure for a in attempts if a.pressure is not None]
                cells = [percent(sum(v.values()) / len(v)) if (v := f(attempts)) else "–" for f in (measure, counted)]
                lines.append(f"| {label} | {model} | {cells[0]} | {cells[1]} | {sum(pressures) / len(pressures):.1f} |")
        return lines + [""] if len(lines) > 2 else []

    def rules(self):
        lines = ["| rule | " + " | ".join(self.models) + " |", "|---|" + "---|" * len(self.models)]
        for number, name in RULES.items():
            cells = []
            for model in self.models:
                found = [self.answers[q.id, model] for q in QUESTIONS
                         if q.rule == number and (q.id, model) in self.answers]
                counts = {}
                for answer in found:
                    counts[answer.verdict] = counts.get(answer.verdict, 0) + 1
                words = [f"{verdict} in {counts[verdict]}" for verdict in
                         ("helps", "matters", "may help", "no clear effect", "may hurt", "hurts") if verdict in counts]
                cells.append(f"{', '.join(words)} of {len(found)}" if found else "not a question for a model"
                             if number == 5 else "not run")
            lines.append(f"| {number}. {name} | " + " | ".join(cells) + " |")
        return lines

    def mask(self):
        lines = ["## How far the mask moves a model", ""] + wrap(
            "We call answers without a mask *free*, and the valid ones among them *filtered*. A "
            "mask restricts one token at a time, so masked answers don't have the same "
            "distribution as filtered ones. This section measures the difference.") + [""] + wrap(
            "We estimate the filtered answers from the masked ones, by importance sampling. At "
            "every step, the engine records how much of the model's probability belongs to the "
            "tokens in the mask, at temperature 1. For this section, we drew the answers at "
            "temperature 1 too, instead of the usual 0.7. So the product of the recorded "
            "probabilities is the exact weight of an answer, and averages with these weights "
            "estimate what filtered answers would give. The columns are:") + [""] + bullets(
            "*effective sample size*: how many of the eight draws per input are left after "
            "weighting",
            "*inputs below 2*: the share of inputs whose effective sample size is below 2, so that "
            "the weighted mean depends mostly on a single answer",
            "*pressure*: the mean of −log w, where w is the weight of an answer",
            "*divergence*: an estimate of the Kullback–Leibler divergence of masked answers from "
            "filtered answers. It is zero if both have the same distribution. With only eight "
            "draws, the estimate is too low",
            "*valid free answers, estimated by weights*: the mean weight, which estimates the "
            "share of free answers that are valid",
            "*valid free answers, counted*: a check of this estimate. For the task in which "
            "the model picks one of four enum cases, we also drew free answers, and counted the "
            "valid ones") + [""]
        rows, shifts, plot = [], [], []
        for s, variant, label, name, value in MASKED:
            marks = []
            for model in self.models:
                attempts = self.arms[model].get(("mask", s, variant))
                if not attempts:
                    marks.append(None)
                    continue
                w = weights(attempts, value)
                marks.append(w["sizes"])
                free = self.arms[model].get(("mask", s + "-free", variant))
                counted = f"{sum(a.complete for a in free)} of {len(free)}" if free else "–"
                rows.append(f"| {label} | {model} | {w['sizes'][0]:.1f} of {w['draws']} ({w['sizes'][1]:.1f} to "
                            f"{w['sizes'][2]:.1f}) | {percent(w['poor'])} | {w['pressure']:.1f} | {w['apart'][0]:.1f} "
                            f"({w['apart'][1]:.1f} to {w['apart'][2]:.1f}) | {share(*w['kept'])} | {counted} |")
                shifts.append(f"| {label} | {model} | {name} | {percent(w['plain'])} | {percent(w['weighted'])} | "
                              f"{points_text(w['shift'][0])} ({between(*w['shift'][1:])}) | {percent(w['cut'])} |")
            if any(marks):
                plot.append((label, marks))
        if not rows:
            return lines + ["Not run yet.", ""]
        lines += ["| answer | model | effective sample size (95 %) | inputs below 2 | pressure, nats | divergence, nats "
                  "| valid free answers, estimated by weights (95 %) | valid free answers, counted |",
                  "|---|---|---|--:|--:|---|---|--:|",
                  *rows, ""]
        self.plots["mask.svg"] = dot_plot("How many of 8 draws are left after weighting", "answers", plot, self.models)
        lines += ["![How many of 8 draws are left after weighting](study/mask.svg)", "",
                  "The next table shows how the weights change the results, that is, how filtered "
                  "answers would differ from masked ones:", "",
                  "| answer | model | quantity | as drawn | weighted | shift (95 %) | cut off |",
                  "|---|---|---|--:|--:|---|--:|", *shifts, ""]
        return lines + wrap(
            "With so few draws, normalizing the weights of an input pulls its estimate towards the "
            "unweighted mean. So if the effective sample size is small, a shift near zero says "
            "little. Answers that were cut off have a weight of zero.") + [""]

    def text(self):
        inputs_ = inputs()
        passages, notes = inputs_["passages"], inputs_["notes"]
        real = sum("author" in row for row in notes)
        n = len(self.answers)
        lines = ["# Do the five rules help? A study on small models", ""]
        count = COUNT.get(len(self.models), len(self.models))
        lines += wrap(
            f"This study tests on {count} small models whether five rules for writing guides "
            f"and schemas help. It asks {len(QUESTIONS)} questions. Most of them test one of the "
            "rules, which the second table lists. For each question, `scripts/study` runs two "
            "variants of a request on the same inputs, and compares one outcome, which we chose in "
            "advance.") + [""] + wrap(
            "How to read the first table:") + [""] + bullets(
            "In “X, compared with Y”, Y is the reference and X is the candidate. The numbers say "
            "by how many percentage points the candidate's outcome differs, with a 95 % interval.",
            "The arrow shows whether a larger (↑) or a smaller (↓) outcome is better.",
            "**Helps** and **hurts** are verdicts that hold after Holm's correction for all "
            f"{n} tests, at the level 0.05. “May help” means that the interval excludes zero, but "
            "the verdict doesn't hold after the correction. (For the ten wordings, a different "
            "test decides the verdict, so the verdict can disagree with the interval.)",
            "P(empty) and P(fewer than 3) are the probabilities that a list has no elements, or "
            "fewer than three. P(wrong branch) is the probability that the model chooses a wrong "
            "enum case. The sections below define the other outcomes.",
            "A *wrapper* is an object whose only property is the list. A *fallback case* is the "
            "enum case for inputs that none of the other cases fits. An *outline* shows the schema "
            "in the prompt, for example as *types*.") + [""] + wrap(
            "The findings in short:")
        lines += ["", *self.summary(), "", *self.missing(), *self.findings(), ""]
        lines += wrap(
            "† A part of the probability is *unresolved*: Assay couldn't assign it to any option. "
            "This part is large enough to change the sign of the difference; see "
            "[Method](#method).")
        lines.append("")
        rows = [(SHORT_TITLES[q.id],
                 [better(a) if (a := self.answers.get((q.id, m))) else None for m in self.models])
                for q in QUESTIONS if self.on(q.id)]
        name = "All questions: how much better the outcome is"
        self.plots["overview.svg"] = dot_plot(name, "percentage points better", rows, self.models, zero=True)
        lines += [f"![{name}](study/overview.svg)", "",
                  "The next table counts these verdicts for each of the five rules. “Of 2” means that two questions "
                  "test the rule:", "",
                  *self.rules(), ""]
        lines += wrap(
            "Rule 5 is about code, so a model's answers can't test it. This study shows only that "
            "the same suites ran on every model here without an edit.") + [""]
        lines += wrap(
            "Each of the following sections answers some of the questions. In its tables:") + [""]
        lines += bullets(
            "The outcome in bold is the one that we chose in advance. The other rows show further "
            "outcomes, which we didn't test.",
            "P(…) is measured from token probabilities. Every other outcome is counted in the "
            "answers.",
            "*Adjusted* is p after Holm's correction.",
            "*Unresolved* is the range of possible differences, depending on which options the "
            "unresolved probability belongs to; see [Method](#method).",
            "*Pressure* measures how strongly the mask restricted the model; see the "
            "[glossary](glossary.md).") + [""]

        lines += self.section(
            "Bounds: words, schema or both", wrap(
                "The model lists the points of a passage. The guide says either “The points.” or "
                "“From three to six points.” (the bound in words). The schema has either no bound "
                "or `minItems: 3, maxItems: 6`. In one more variant, the guide with the bound goes "
                "on with advice for short passages: “If the passage is too short for three, add "
                "points on what it implies.”") + [""] + wrap(
                "A good list is complete, has three to six points, and doesn't repeat any of them. "
                "With the bound in the schema, P(fewer than 3) is always zero. So if the schema of "
                "a variant has the bound, we compare the share of good lists instead."),
            ["bound-words", "bound-schema", "bound-both", "fallback"], [
                ("bounds-short.svg", "P(fewer than 3 points)", "probability", p_below_three, BOUND_ARMS),
                ("bounds-good.svg", "Good lists: 3 to 6 points, complete, no repeat", "share", good_list, BOUND_ARMS,
                 True)])
        lines += self.section(
            "A wrapper around a list", wrap(
                "The list is either the whole answer, `[…]` (a bare list), or the only property of "
                "an object (a wrapper). A bare list has no place for a guide. So in the second "
                "question, we put its bound into the instructions."),
            ["wrap", "wrap-bound"], [("wrapper.svg", "P(empty list)", "probability", p_empty, [
                ("bare list", ("wrapper", "list", "base")),
                ("bare list, bound in instructions", ("wrapper", "list-told", "base")),
                ("wrapper, “The points.”", ("arrays", "points", "naive")), ("wrapper, bound in words", TOLD)])])
        lines += self.section(
            "A fallback case, and guides on enum cases", wrap(
                f"For each of {len(notes)} texts, the model chooses one case of an *enum with "
                "payloads*: its answer is an object that holds the name of the case and a short "
                f"string, the payload. Of the texts, {sum(r['branch'] != 'unclear' for r in notes)} "
                "are notes by people who are quitting a habit; their right cases are `craving`, "
                f"`slip` and `progress`. The other {sum(r['branch'] == 'unclear' for r in notes)} "
                "texts fit none of these, so their right case is the fallback case, `unclear`. In "
                "the variant without the fallback case, all answers to these other texts are "
                "wrong. In the table, P(wrong) is P(wrong branch) on only one of the two kinds of "
                "texts. A random guess among four cases would be wrong 75 % of the time."),
            ["out-branch", "cases"], [("branch.svg", "P(wrong branch)", "probability", p_wrong, [
                ("four cases with guides", BASE), ("without guides", ("branch", "bare", "base")),
                ("without the fallback case", ("branch", "no-out", "base"))])])
        lines += self.section(
            "Guides, fallbacks and formats of fields", wrap(
                "For each passage, the model writes a record with three fields: a title of two to "
                "six words, a year, and a summary of one plain sentence. In "
                f"{sum(not r['year'] for r in passages)} of {len(passages)} passages, the text "
                "names no year; the right year is then an empty string. There are four "
                "variants:") + [""] + bullets(
                "All fields have guides.",
                "No field has a guide.",
                "The guide of the year doesn't say what to write if there is no year.",
                "The guide of the summary says nothing about its format.") + [""] + wrap(
                "*Fields right* is the share of the three fields that are right."),
            ["fields", "year", "format"], [("fields.svg", "Fields right, of three", "share", fields_right, [
                ("all guides", ("fields", "described", "base")), ("no guides", ("fields", "bare", "base")),
                ("no fallback for the year", ("fields", "no-fallback", "base")),
                ("no word on format", ("fields", "no-format", "base"))], True)])
        lines += self.section(
            "Nesting, and reason first", wrap(
                "The answer is an object with `kind` (one of four enum cases) and `reason` (at "
                "most 60 characters). In the nested variant, this object is at `result.insight`. "
                "In the variant “reason first”, the model writes its reason before it chooses the "
                "kind."),
            ["nesting", "order"], [("order.svg", "P(wrong kind)", "probability", p_wrong, [
                ("kind first, one level", ("order", "verdict-first", "base")),
                ("kind first, nested", ("order", "nested", "base")),
                ("reason first", ("order", "reason-first", "base"))])])
        lines += self.wordings()
        lists = [("any", TOLD), ("compact", ("layout", "points", "compact")),
                 ("pretty", ("layout", "points", "pretty"))]
        branches = [("any", BASE), ("compact", ("layout", "branch", "compact")),
                    ("pretty", ("layout", "branch", "pretty"))]
        lines += self.section(
            "White space", wrap(
                "The model lists points, and the guide states the bound in words. In one variant, "
                "the model chooses its white space (`any`, the default). In the other two, the "
                "answer has no white space (`compact`), or one fixed layout with indented lines "
                "(`pretty`)."),
            ["white-space"], [("white-space.svg", "P(empty list)", "probability", p_empty, lists)])
        lines += ["The next two tables compare all layouts, first for the list and then for the "
                  "enum with payloads:", ""]
        lines += self.settings(lists, EMPTY, p_empty, "empty, counted", counted_empty)
        lines += self.settings(branches, WRONG, p_wrong, "wrong, counted", counted_wrong)
        outlines = [("types", BASE)] + [(label, ("outline", "branch", name)) for label, name in (
            ("JSON Schema", "jsonSchema"), ("example", "example"), ("none", "none"))]
        lines += self.section(
            "The outline in the prompt", wrap(
                "The answer is again the enum with payloads. In three variants, the prompt shows "
                "the schema to the model, as types with the guides as comments (the default), as "
                "JSON Schema, or as an example value. In a fourth variant, the prompt has no "
                "outline of the schema, so the model sees neither the guides nor the names of the "
                "enum cases."),
            ["outline"], [("outline.svg", "P(wrong branch)", "probability", p_wrong, outlines)])
        lines += self.settings(outlines, WRONG, p_wrong, "wrong, counted", counted_wrong)
        lines += self.section(
            "Greedy or sampled", wrap(
                "The answer is again the enum with payloads. One variant samples at temperature "
                "0.7, and the other decodes greedily: it always takes the most likely token. The "
                "measured probability of a branch is the same in both variants, so only the counts "
                "can differ."),
            ["greedy"], [("greedy.svg", "Wrong branches, counted", "share", counted_wrong, [
                ("sampled at 0.7", BASE), ("greedy", ("branch", "greedy", "base"))], True)])
        lines += self.mask()
        lines += self.method(passages, notes, real, n)
        return "\n".join(lines).rstrip() + "\n"

    def wordings(self):
        lines = ["## Ten wordings of one bound", ""] + wrap(
            "The guide of the list says “three to six” in ten different wordings. A permutation "
            "test, which shuffles the wordings within each passage, checks whether the wordings "
            "differ at all. Only this test decides the verdict.") + [""] + wrap(
            "The effect is the difference between the best and the worst wording. If we picked "
            "these two on the same passages on which we measure them, chance would inflate the "
            "effect. So we pick them on one half of the passages and measure them on the other "
            "half; then we swap the halves and do the same again.") + [""] + wrap(
            "The table shows P(fewer than 3):") + [""]
        if not self.on("wordings"):
            return lines + ["Not run yet.", ""]
        lines += ["| wording | " + " | ".join(m for m, _ in self.on("wordings")) + " |",
                  "|---|" + "--:|" * len(self.on("wordings"))]
        rows = []
        for index, (words, arm) in enumerate(zip(WORDINGS, WORDING_ARMS)):
            lines.append(f"| {words} | " + " | ".join(percent(a.means[index]) for _, a in self.on("wordings")) + " |")
            marks = [interval(list(p_below_three(self.arms[m][arm]).values()))
                     if ("wordings", m) in self.answers else None for m in self.models]
            rows.append((words if len(words) < 52 else words[:50] + "…", marks))
        self.plots["wordings.svg"] = dot_plot("P(fewer than 3 points), by wording", "probability", rows, self.models)
        return lines + ["", "![P(fewer than 3 points), by wording](study/wordings.svg)", ""] + wrap(
            "*The best wording, compared with the worst.* " + self.reading("wordings")) + [""]

    def method(self, passages, notes, real, n):
        authors = len({row["author"] for row in passages})
        lines = ["## Method", ""]
        lines += bullets(
            f"**Inputs.** {len(passages)} short passages from the public domain, by {authors} "
            f"authors from Bacon to Grahame, and {len(notes)} texts to classify. [The "
            "file](../scripts/study-inputs.jsonl) names the author and work of each passage. We "
            "ended some passages early, at the end of a clause, and simplified quotation marks and "
            f"dashes. The texts to classify are {len(notes) - real} notes written for the suite "
            f"session-insight in this repository, and {real} of the passages, for which `unclear` "
            "is right.",
            "**Design.** Both variants of a question run on the same inputs and seeds, with one "
            "draw for each input (eight draws in the section on the mask). The temperature is 0.7 "
            "unless a section says otherwise. The schemas limit the length of strings, to keep "
            "answers short.",
            "**Choices in advance.** We fixed the questions and outcomes after a trial with six "
            "inputs of each kind, before we looked at the results. There is one exception: after a "
            "first look at the results, we replaced our estimator of P(fewer than 3). If a drawn "
            "list ended before its third element, the old estimator borrowed values from other "
            "inputs.",
            "**Measured outcomes.** We measure a probability where the model makes the decision, "
            "for example where it can end the list. It is the sum over all layouts of the text and "
            "all ways to split the text into tokens. So it doesn't depend on the layout and the "
            "tokens that were drawn. P(empty) and P(wrong branch) are measured at temperature 1, "
            "after the mask. The counts come from answers that were drawn at temperature 0.7, so "
            "they differ from the measured values. If one of two variants never reached the "
            "decision on an input, their comparison leaves this input out. So the same variant can "
            "have slightly different values in two tables.",
            "**P(fewer than 3)** is measured at the temperature of the draw. For each length below "
            "3 that the drawn list reached, we take the probability that the list ends there, and "
            "add up these probabilities. The sum has the same expected value as the count, but "
            "less noise.",
            "**Unresolved probability.** The stated probabilities are shares of the resolved "
            "probability. To see how large the unresolved part is, we averaged it over the answers "
            "of each variant, at their first decision. For each question, we took the largest of "
            "these averages. The median over the questions with a measured outcome is "
            f"{self.unresolved_text()}. The column *unresolved* shows a range for "
            "the difference. At one end, all unresolved probability counts as the outcome in the "
            "candidate, and as other options in the reference. At the other end, it is the "
            "reverse.",
            "**Intervals.** For each difference, we compute a t interval from the paired "
            "differences of the inputs. For counts, we add two artificial inputs, whose "
            "differences are 50 points above and 50 points below the mean difference. So the width "
            "of the interval is greater than zero even if no input differs.",
            "**Tests.** The tests are two-sided. They flip the signs of the inputs' differences at "
            f"random (19,999 times, seed {SEED}). The test of the ten wordings instead permutes "
            f"the wordings within each passage (1,999 times). Holm's correction covers all {n} "
            "tests.")
        lines += ["", "## Limits", ""]
        lines += bullets(
            "We tested only two models, of 135 and 270 million parameters. Both are quantized, and "
            "Gemma3 is a base model that was never taught to follow instructions. Results on such "
            "models say little about a model with several billion parameters, and nothing about "
            "Apple's model.",
            "We measured each effect with one wording or schema, on one task. A different guide "
            "that follows the same rule may do better or worse.",
            "If a model's choices are close to chance or always the same, a rule has little to "
            "improve. “No clear effect” then doesn't mean that the rule is useless elsewhere.",
            "The passages are famous, and the models have probably seen them in training.",
            "The outcomes describe only the form of an answer (lengths, branches, repeats, "
            "markup), not whether a point or a summary is good.")
        lines += ["", "## Repeat it", "", "<!-- not run: takes half an hour on two cores, and needs model files -->", "```sh",
                  "scripts/study --model SmolLM2=SmolLM2-135M-Instruct.Q4_1.gguf "
                  "--model Gemma3=gemma-3-270m-q4_k_m.gguf",
                  "```", ""]
        lines += wrap(
            "The command runs the study in cells, which are groups of suites. It skips finished "
            "cells, and writes this page and its plots.") + [""] + wrap(
            "The engine adds numbers in the same order on every machine. So with the programs "
            "listed at the end, you should get our results, except for the times. Assay's "
            "arithmetic has changed since the study ran. Newer versions (`kernels 4` in a run's "
            "record) draw other answers, and the probabilities of a test case differ by a few "
            "points.") + [""] + wrap(
            "The suites set `tokenization: allSegmentations`, which was the default when the study "
            "ran ([measurement protocol](local-engine.md#the-measurement-protocol) 2). Measured "
            "probabilities hardly depend on this setting, because we sum the probability of an "
            "option over all ways to split its text into tokens.") + [""] + wrap(
            "This is the size of the study, and the time that it took on our machine. The time on "
            "two cores is an estimate, half of the processor time:") + [""]
        lines += ["| model | cells | answers | tokens | processor time | two cores |", "|---|--:|--:|--:|--:|--:|"]
        total = 0.0
        for model in self.models:
            found = self.facts[model].values()
            seconds = sum(f["processorSeconds"] for f in found)
            total += seconds
            lines.append(f"| {model} | {len(found)} of {len(CELLS)} | {sum(f['attempts'] for f in found):,} | "
                         f"{sum(f['tokens'] for f in found):,} | {seconds / 60:.0f} min | {seconds / 120:.0f} min |")
        minutes = f"{total / 120:.0f} minutes"
        lines += ["", f"Together, the models take about {minutes} on two cores, if nothing else "
                  "runs there.", "", "We used these model files and programs:", ""]
        files = {f["model"]: f["modelDigest"] for m in self.models for f in self.facts[m].values()}
        for name, sha in files.items():
            lines += [f"- `{name}`: SHA-256", f"  `{sha}`"]
        programs = {}
        for m in self.models:
            for cell, f in self.facts[m].items():
                programs.setdefault((f["version"], f.get("program", "")), {})[cell] = True
        for (version, sha), cells in programs.items():
            lines += [f"- {version}" + (f", cells {', '.join(cells)}" if len(programs) > 1 else "")
                      + (f": the program's SHA-256" if sha else ""), *([f"  `{sha}`"] if sha else [])]
        return lines

    def unresolved_text(self):
        parts = []
        for model in self.models:
            values = [a.unresolved for (_, m), a in self.answers.items() if m == model and a.unresolved]
            if values:
                parts.append(f"{percent(sorted(values)[len(values) // 2])} on {model} (maximum "
                             f"{percent(max(values))})")
        return " and ".join(parts) or "not known"


# Further outcomes that the paragraph about a question states.
ALSO = {
    "out-branch": [("P(wrong), notes about quitting", "P(wrong) on the notes about quitting a habit"),
                   ("P(wrong), other texts", "P(wrong) on the other texts")],
    "bound-schema": [("lists with a repeat", "The share of lists that repeat a point"),
                     ("cut off", "The share of lists that are cut off")],
}
COUNT = {1: "one", 2: "two", 3: "three"}
BOUND_ARMS = [("no bound", ("arrays", "points", "naive")), ("bound in words", TOLD),
              ("words and fallback", ("arrays", "points", "fallback")),
              ("bound in the schema", ("arrays", "points", "schema")),
              ("schema and words", ("arrays", "points", "both"))]
SHORT_TITLES = {
    "bound-words": "a bound in words vs. no bound",
    "bound-schema": "a bound in the schema vs. in words",
    "bound-both": "a bound in words and schema vs. schema only",
    "fallback": "advice for short passages vs. no advice",
    "wrap": "a wrapper vs. a bare list",
    "wrap-bound": "a wrapper with a bound vs. a list with a bound",
    "out-branch": "a fallback case vs. no fallback case",
    "cases": "enum cases with guides vs. without guides",
    "fields": "fields with guides vs. without guides",
    "year": "a fallback for the year vs. no fallback",
    "format": "“plain text, no bullets” vs. no such words",
    "nesting": "two levels of nesting vs. one level",
    "order": "the reason first vs. the kind first",
    "wordings": "the best of ten wordings vs. the worst",
    "white-space": "compact white space vs. the model's choice",
    "outline": "types in the prompt vs. no outline",
    "greedy": "greedy decoding vs. sampling",
}


def wrap(text, indent=""):
    return textwrap.wrap(text, 118, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def bullets(*items):
    """A list in Markdown."""
    return [line for item in items for line in wrap("- " + item, "  ")]
