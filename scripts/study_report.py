"""The report of scripts/study: docs/study.md and its plots.

Every number and every verdict comes from scripts/study-cells.
"""
import math
import textwrap

from study_cells import load
from study_design import ACTS, CASES, CELLS, EXAMPLES, HALVES, MODELS, SEED, WORDINGS, half_of, inputs
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
    return text.replace("`", "").replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


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


def weights(inputs_):
    """Estimates what the model would answer without a mask if invalid answers were filtered out.

    The answers were drawn with the mask; each gets its importance weight. `inputs_` has the draws of
    each input: a pressure and a value, or None if the answer was cut off."""
    sizes, plain, weighted, kept, apart = [], [], [], [], []
    for draws in inputs_:
        whole = [draw for draw in draws if draw]
        w = [math.exp(-pressure) for pressure, _ in whole]
        kept.append(sum(w) / len(draws))
        if sum(w) <= 0:
            continue
        apart.append(mean(pressure for pressure, _ in whole) + math.log(mean(w)))
        largest = max(w)
        sizes.append(sum(w) ** 2 / sum(m * m for m in w) if largest > 1e-150 else 1.0)
        plain.append(mean(value for _, value in whole))
        weighted.append(sum(m * value for m, (_, value) in zip(w, whole)) / sum(w))
    every = [draw for draws in inputs_ for draw in draws]
    return {
        "draws": max(len(draws) for draws in inputs_), "sizes": interval(sizes),
        "poor": sum(size < 2 for size in sizes) / len(sizes), "kept": interval(kept),
        "pressure": mean(draw[0] for draw in every if draw), "apart": interval(apart),
        "plain": mean(plain), "weighted": mean(weighted),
        "shift": interval([b - a for a, b in zip(plain, weighted)]),
        "cut": sum(not draw for draw in every) / len(every),
    }


MASKED = [
    ("kind", "typescript", "one choice of four, types in the prompt", "right branch"),
    ("kind", "example", "one choice of four, an example in the prompt", "right branch"),
    ("topics", "base", "a list of topics, types in the prompt", "lists with three topics or more"),
]


def better(answer):
    """The effect and its interval, positive for an improvement."""
    if answer.question.better == "higher":
        return answer.effect, answer.low, answer.high
    return -answer.effect, -answer.high, -answer.low


def share(mean, low, high):
    return f"{mean * 100:.2g} % ({max(low, 0) * 100:.2g} to {high * 100:.2g})"


class Report:
    def __init__(self):
        self.names, arms, facts, self.stale = load()
        self.models = [MODELS[name]["label"] for name in self.names]
        self.arms = {MODELS[name]["label"]: arms[name] for name in self.names}
        self.facts = {MODELS[name]["label"]: facts[name] for name in self.names}
        self.answers = {}
        for question in QUESTIONS:
            for model in self.models:
                if all(arm in self.arms[model] for arm in question.arms):
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
            return "not measured yet"
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
            if a.verdict == "matters":
                parts.append(f"on {model} it **matters** ({a.question.outcome} from {percent(a.treated)} to "
                             f"{percent(a.control)}; the best is {points_text(abs(a.effect), False)} points better than "
                             f"the worst, {between(a.low, a.high)})")
            elif a.verdict == "no clear effect":
                parts.append(f"on {model} it has no clear effect (the interval rules out a change of more than "
                             f"{points_text(max(abs(a.low), abs(a.high)), False)} points)")
            else:
                verb = {"helps": "helps", "hurts": "hurts"}.get(a.verdict, a.verdict)
                parts.append(f"on {model} it {'**' + verb + '**' if a.adjusted <= 0.05 else verb} ({moved})")
        text = "; ".join(parts) + "."
        return text[0].upper() + text[1:]

    def measured(self):
        """A table of the cells, which says for each model how many of the inputs are measured."""
        words = {0: "not yet", 1: "half of the inputs", 2: "all inputs"}
        lines = ["| cell | " + " | ".join(self.models) + " |", "|---|" + "---|" * len(self.models)]
        for cell in CELLS:
            done = [words[sum((cell, half) in self.facts[model] for half in HALVES)] for model in self.models]
            lines.append(f"| `{cell}` | " + " | ".join(done) + " |")
        return lines

    def price(self, question, name, words):
        """A sentence about a further outcome."""
        measure = dict(question.beside)[name]
        parts = []
        for model, _ in self.on(question.id):
            treated, control = (measure(self.arms[model][arm]) for arm in (question.treated, question.control))
            effect, low, high = interval([treated[c] - control[c] for c in treated if c in control],
                                         not measure.measured)
            parts.append(f"{points_text(effect)} points on {model} ({between(low, high)})")
        return f"{words} changes by {' and by '.join(parts)}."

    def summary(self, model):
        """The findings on a model in words, from the verdicts alone."""
        groups = {}
        for question in QUESTIONS:
            answer = self.answers.get((question.id, model))
            verdict = answer.verdict if answer else "not measured"
            name = SHORT_TITLES[question.id].split(" vs. ")[0]
            depends = answer and answer.depends and verdict != "no clear effect"
            groups.setdefault(verdict, []).append(name + (" †" if depends else ""))
        titles = [("helps", "Helps"), ("hurts", "Hurts"), ("matters", "Matters"), ("may help", "May help"),
                  ("may hurt", "May hurt"), ("no clear effect", "No clear effect"),
                  ("not measured", "Not measured yet")]
        return [line for kind, title in titles if kind in groups
                for line in wrap(f"- **{title}:** {'; '.join(groups[kind])}.", "  ")]

    def table(self, ids):
        lines = ["| question | model | outcome | reference | candidate | difference (95 %) | p | adjusted | unresolved | inputs |",
                 "|---|---|---|--:|--:|---|--:|--:|---|--:|"]
        for id in ids:
            question = next(q for q in QUESTIONS if q.id == id)
            for model, a in self.on(id):
                lines.append(f"| {question.title} | {model} | **{question.outcome}** | {percent(a.control)} | "
                             f"{percent(a.treated)} | {points_text(a.effect)} ({between(a.low, a.high)}) | "
                             f"{p_text(a.p)} | "
                             f"{p_text(a.adjusted)} | {between(*a.widest) if a.widest else ''} | {a.n} |")
                for name, measure in question.beside:
                    arms = self.arms[model]
                    treated, control = measure(arms[question.treated]), measure(arms[question.control])
                    cases = [case for case in treated if case in control]
                    if not cases:
                        continue
                    effect, low, high = interval([treated[c] - control[c] for c in cases], not measure.measured)
                    lines.append(f"| | {model} | {name} | {percent(mean(control[c] for c in cases))} | "
                                 f"{percent(mean(treated[c] for c in cases))} | {points_text(effect)} "
                                 f"({between(low, high)}) | | | | {len(cases)} |")
        return lines

    def plot(self, file, title, axis, measure, arms):
        rows = []
        for label, arm in arms:
            marks = []
            for model in self.models:
                values = list(measure(self.arms[model][arm]).values()) if arm in self.arms[model] else []
                marks.append(interval(values, not measure.measured) if values else None)
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
            return lines + ["Not measured yet.", ""]
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
                found = self.arms[model].get(arm)
                if not found:
                    continue
                lines.append(f"| {label} | {model} | {percent(mean(measure(found).values()))} | "
                             f"{percent(mean(counted(found).values()))} | {mean(PRESSURE(found).values()):.1f} |")
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
                             if number == 5 else "not measured yet")
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
        for s, variant, label, name in MASKED:
            marks = []
            for model in self.models:
                arm = self.arms[model].get(("mask", s, variant))
                if not arm:
                    marks.append(None)
                    continue
                w = weights(list(arm["draws"].values()))
                marks.append(w["sizes"])
                free = self.arms[model].get(("mask", s + "-free", variant))
                counted = percent(mean(free["complete"].values())) if free else "–"
                rows.append(f"| {label} | {model} | {w['sizes'][0]:.1f} of {w['draws']} ({w['sizes'][1]:.1f} to "
                            f"{w['sizes'][2]:.1f}) | {percent(w['poor'])} | {w['pressure']:.1f} | {w['apart'][0]:.1f} "
                            f"({w['apart'][1]:.1f} to {w['apart'][2]:.1f}) | {share(*w['kept'])} | {counted} |")
                shifts.append(f"| {label} | {model} | {name} | {percent(w['plain'])} | {percent(w['weighted'])} | "
                              f"{points_text(w['shift'][0])} ({between(*w['shift'][1:])}) | {percent(w['cut'])} |")
            if any(marks):
                plot.append((label, marks))
        if not rows:
            return lines + ["Not measured yet.", ""]
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
        lines = ["# Which rules for guides help? A study on two models", ""]
        titles = " and ".join(f"{MODELS[name]['title']} ({MODELS[name]['label']} for short)"
                              if MODELS[name]["label"] != MODELS[name]["title"] else MODELS[name]["title"]
                              for name in self.names)
        lines += wrap(
            f"This study measures on {titles} which ways to write guides and schemas help. It asks "
            f"{len(QUESTIONS)} questions; {sum(bool(q.rule) for q in QUESTIONS)} of them test one of the five rules in "
            "the second table. For each question, `scripts/study` runs two variants of a request on the same "
            "inputs, and compares one outcome, which we chose in advance.") + [""] + wrap(
            "Each conclusion holds only for the model that it names. Qwen 1.5B is eleven times as large "
            "as SmolLM2. So if you write guides for a capable model, look at Qwen 1.5B first.") + [""]
        for model in self.models:
            sizes = [a.n for (_, m), a in self.answers.items() if m == model]
            known = "all questions" if len(sizes) == len(QUESTIONS) else f"{len(sizes)} of {len(QUESTIONS)} questions"
            size = f"{min(sizes)} to {max(sizes)}" if min(sizes) < max(sizes) else f"{min(sizes)}"
            lines += wrap(f"On **{model}** ({known}, with {size} inputs each):")
            lines += ["", *self.summary(model), ""]
        lines += wrap("How to read this list and the next table:") + [""] + bullets(
            "In “X, compared with Y”, Y is the reference and X is the candidate. The numbers say "
            "by how many percentage points the candidate's outcome differs, with a 95 % interval.",
            "The arrow shows whether a larger (↑) or a smaller (↓) outcome is better.",
            "**Helps**, **hurts** and **matters** are verdicts that hold after Holm's correction for "
            f"all {n} tests, at the level 0.05. “May help” means that the interval excludes zero, "
            "but the verdict doesn't hold after the correction. For the ten wordings and for the "
            "orders, a different test decides whether the choice *matters*, so the verdict can "
            "disagree with the interval.",
            "P(empty) and P(fewer than 3) are the probabilities that a list has no elements, or "
            "fewer than three. P(wrong branch) is the probability that the model chooses a wrong "
            "enum case. The sections below define the other outcomes.",
            "A *wrapper* is an object whose only property is the list. A *fallback case* is the "
            "enum case for inputs that none of the other cases fits. An *outline* shows the schema "
            "in the prompt, for example as *types*.")
        lines += ["", *self.findings(), ""]
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
                  *wrap("The next table counts these verdicts for each of the five rules. “Of 2” means that two "
                        "questions on the rule are measured:"), "",
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
            "*Inputs* is the number of inputs that the two variants share.",
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
                "a variant has the bound, we compare the share of good lists instead.") + [""] + wrap(
                "The schema limits each point to 32 characters. This limit ends about a third of the "
                "points, on both models, often in the middle of a word. What a model does after that "
                "says less about its guides. So in the last question, the instructions ask for "
                "points of two to five words, and the limit is 60 characters."),
            ["bound-words", "bound-schema", "bound-both", "fallback", "bound-whole"], [
                ("bounds-short.svg", "P(fewer than 3 points)", "probability", P_SHORT, BOUND_ARMS),
                ("bounds-good.svg", "Good lists: 3 to 6 points, complete, no repeat", "share", GOOD, BOUND_ARMS)])
        lines += self.section(
            "A wrapper around a list", wrap(
                "The list is either the whole answer, `[…]` (a bare list), or the only property of "
                "an object (a wrapper). A bare list has no place for a guide. So in the second "
                "question, we put its bound into the instructions."),
            ["wrap", "wrap-bound"], [("wrapper.svg", "P(empty list)", "probability", P_EMPTY, [
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
            ["out-branch", "cases"], [("branch.svg", "P(wrong branch)", "probability", P_WRONG, [
                ("four cases with guides", BASE), ("without guides", ("branch", "bare", "base")),
                ("without the fallback case", ("branch", "no-out", "base"))])])
        lines += self.section(
            "How to word the guides of enum cases", wrap(
                "The answer is again the enum with payloads. In one variant, the guides of three "
                "enum cases name what the person did, instead of describing it in general words:")
            + ["", "| enum case | guide that describes | guide that names the act |", "|---|---|---|",
               *(f"| `{name}` | {CASES[name][1]} | {act} |" for name, act in ACTS.items()), ""] + wrap(
                "In another variant, each of the four guides ends with one example: “For example: …”, "
                "with " + "; ".join(f"“{text}” for `{name}`" for name, text in EXAMPLES.items())
                + ". None of the examples is an input."),
            ["acts", "examples"], [("guides.svg", "P(wrong branch)", "probability", P_WRONG, [
                ("guides that describe", BASE), ("guides that name the act", ("guides", "acts", "base")),
                ("guides with an example", ("guides", "examples", "base")),
                ("no guides", ("branch", "bare", "base"))])])
        lines += self.section(
            "The fallback case: words, name and place", wrap(
                "The guide of `unclear` is “The note is too vague or about something else. Choose "
                "this rather than guess.” One variant leaves out the second sentence. In another, "
                "the guide is “None of the other cases fits. Choose this only then.” In a third, "
                "the name of the fallback case is `other`. In the last, `unclear` is the first case "
                "instead of the last."),
            ["told", "only", "other", "first"], [("escape.svg", "P(wrong branch)", "probability", P_WRONG, [
                ("“rather than guess”", BASE), ("without these words", ("escape", "not-told", "base")),
                ("“only if no other fits”", ("escape", "only", "base")),
                ("named other", ("escape", "renamed", "base")), ("first instead of last", ORDER_ARMS[3]),
                ("no fallback case", ("branch", "no-out", "base"))])])
        lines += self.case_orders()
        lines += self.section(
            "Names of enum cases and properties", wrap(
                "In the first question, the enum cases have either their names or the letters `a` to "
                "`d`, each with the same guide. In the second, the guide of the list is “The points.”, "
                "and the property's name is either `points` or `threeToSixPoints`."),
            ["letters", "bound-name"], [
                ("letters.svg", "P(wrong branch)", "probability", P_WRONG, [
                    ("telling names", BASE), ("letters", ("names", "letters", "base"))]),
                ("bound-name.svg", "P(fewer than 3 points)", "probability", P_SHORT, [
                    ("points", NAIVE), ("threeToSixPoints", ("names", "bound-in-name", "base")),
                    ("points, bound in words", TOLD)])])
        lines += self.section(
            "Words that allow an empty list", wrap(
                "The model lists the points of a passage. Each passage makes a point, so an empty "
                "list is always wrong. The guide is “The points.”, and in one variant it goes on: “If "
                "the passage makes none, return an empty array.”"),
            ["allow-empty"], [("allow-empty.svg", "P(empty list)", "probability", P_EMPTY, [
                ("“The points.”", NAIVE), ("an empty array is allowed", ("escape", "empty", "allowed")),
                ("bound in words", TOLD)])])
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
            ["fields", "year", "format"], [("fields.svg", "Fields right, of three", "share", FIELDS, [
                ("all guides", ("fields", "described", "base")), ("no guides", ("fields", "bare", "base")),
                ("no fallback for the year", ("fields", "no-fallback", "base")),
                ("no word on format", ("fields", "no-format", "base"))])])
        lines += self.section(
            "Nesting, and reason first", wrap(
                "The answer is an object with `kind` (one of four enum cases) and `reason` (at "
                "most 60 characters). In the nested variant, this object is at `result.insight`. "
                "In the variant “reason first”, the model writes its reason before it chooses the "
                "kind."),
            ["nesting", "order"], [("order.svg", "P(wrong kind)", "probability", P_WRONG, [
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
            ["white-space"], [("white-space.svg", "P(empty list)", "probability", P_EMPTY, lists)])
        lines += ["The next two tables compare all layouts, first for the list and then for the "
                  "enum with payloads:", ""]
        lines += self.settings(lists, EMPTY, P_EMPTY, "empty, counted", EMPTY_COUNTED)
        lines += self.settings(branches, WRONG, P_WRONG, "wrong, counted", WRONG_COUNTED)
        outlines = [("types", BASE)] + [(label, ("outline", "branch", name)) for label, name in (
            ("JSON Schema", "jsonSchema"), ("example", "example"), ("none", "none"))]
        lines += self.section(
            "The outline in the prompt", wrap(
                "The answer is again the enum with payloads. In three variants, the prompt shows "
                "the schema to the model, as types with the guides as comments (the default), as "
                "JSON Schema, or as an example value. In a fourth variant, the prompt has no "
                "outline of the schema, so the model sees neither the guides nor the names of the "
                "enum cases."),
            ["outline"], [("outline.svg", "P(wrong branch)", "probability", P_WRONG, outlines)])
        lines += self.settings(outlines, WRONG, P_WRONG, "wrong, counted", WRONG_COUNTED)
        lines += self.section(
            "Greedy or sampled", wrap(
                "The answer is again the enum with payloads. One variant samples at temperature "
                "0.7, and the other decodes greedily: it always takes the most likely token. The "
                "measured probability of a branch is the same in both variants, so only the counts "
                "can differ."),
            ["greedy"], [("greedy.svg", "Wrong branches, counted", "share", WRONG_COUNTED, [
                ("sampled at 0.7", BASE), ("greedy", ("branch", "greedy", "base"))])])
        lines += self.mask()
        lines += self.method(passages, notes, real, n)
        return "\n".join(lines).rstrip() + "\n"

    def spread(self, title, setup, id, labels, heading, file, plot_title):
        """A section about arms of which the question is whether they differ at all."""
        question = next(q for q in QUESTIONS if q.id == id)
        lines = [f"## {title}", "", *setup, "", *wrap(f"The table shows {question.outcome}:"), ""]
        if not self.on(id):
            return lines[:-2] + ["Not measured yet.", ""]
        lines += [f"| {heading} | " + " | ".join(m for m, _ in self.on(id)) + " |",
                  "|---|" + "--:|" * len(self.on(id))]
        rows = []
        for index, (label, arm) in enumerate(zip(labels, question.spread)):
            lines.append(f"| {label} | " + " | ".join(percent(a.means[index]) for _, a in self.on(id)) + " |")
            marks = [interval(list(question.measure(self.arms[m][arm]).values()))
                     if (id, m) in self.answers else None for m in self.models]
            rows.append((label if len(label) < 52 else label[:50] + "…", marks))
        self.plots[file] = dot_plot(plot_title, "probability", rows, self.models)
        tests = " ".join(f"On {m}, the test's p is {p_text(a.p)}, and {p_text(a.adjusted)} after the correction ({a.n} "
                         "inputs)." for m, a in self.on(id))
        name = question.title[0].upper() + question.title[1:]
        return lines + ["", f"![{plot_title}](study/{file})", ""] + wrap(
            f"*{name}.* {self.reading(id)} {tests}") + [""]

    def case_orders(self):
        orders = [" ".join(f"`{name}`" for name in BRANCHES[n:] + BRANCHES[:n]) for n in range(len(BRANCHES))]
        return self.spread(
            "The order of the enum cases", wrap(
                "The schema and its outline list the four enum cases in four orders, so that each "
                "case is at each place once. As for the ten wordings below, a permutation test checks "
                "whether the orders differ at all, and the effect is the difference between the best "
                "and the worst order, which we pick on one half of the inputs and measure on the "
                "other half."),
            "case-order", orders, "order", "case-order.svg", "P(wrong branch), by order of the enum cases")

    def wordings(self):
        return self.spread(
            "Ten wordings of one bound", wrap(
                "The guide of the list says “three to six” in ten different wordings. A permutation "
                "test, which shuffles the wordings within each passage, checks whether the wordings "
                "differ at all. Only this test decides the verdict.") + [""] + wrap(
                "The effect is the difference between the best and the worst wording. If we picked "
                "these two on the same passages on which we measure them, chance would inflate the "
                "effect. So we pick them on one half of the passages and measure them on the other "
                "half; then we swap the halves and do the same again."),
            "wordings", WORDINGS, "wording", "wordings.svg", "P(fewer than 3 points), by wording")

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
            "unless a section says otherwise, and all other settings have their defaults. The "
            "schemas limit the length of strings, to keep answers short.",
            "**Halves.** The inputs have two halves: every second input is in the second one. The "
            "study runs in cells, which are groups of suites, and measures a half of a cell at a "
            "time. The table at the end of this page says which halves are measured. Questions "
            "without a measured half have no test.",
            "**Choices in advance.** We chose all questions, variants and outcomes before we "
            "measured them here. Seventeen questions are those of an earlier version of this study, "
            "on SmolLM2 and Gemma 3 270M. We had seen before that guides which name the act, and "
            "guides with examples, helped Qwen 1.5B on the 48 notes. The wordings here are new, "
            "except that of `slip`, but for this model these two questions are not independent of "
            "what we knew. And we added the question about points of two to five words after a look "
            "at the other lists, because of the points that were cut off.",
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
            "the wordings within each passage (1,999 times), and the test of the orders the orders "
            f"within each text. Holm's correction covers all {n} tests.")
        lines += ["", "## Limits", ""]
        lines += bullets(
            "We tested only two models, of 1.5 billion and 135 million parameters, both quantized. "
            "Qwen2.5-Coder is trained for code, so it knows schemas well. The results say little "
            "about much larger models, and nothing about Apple's model.",
            "We measured each effect with one wording or schema, on one task. A different guide "
            "that follows the same rule may do better or worse.",
            "If a model's choices are close to chance or always the same, a rule has little to "
            "improve. “No clear effect” then doesn't mean that the rule is useless elsewhere.",
            "The passages are famous, and the models have probably seen them in training.",
            "The outcomes describe only the form of an answer (lengths, branches, repeats, "
            "markup), not whether a point or a summary is good.")
        lines += ["", "## Repeat it", "", "<!-- not run: takes a minute or two, and needs a model file -->", "```sh",
                  *(f"scripts/study --only branch --repeat --model {name}={MODELS[name]['file']}"
                    for name in self.names[-1:]),
                  "```", ""]
        lines += wrap(
            "The numbers of each measured half of a cell are in [scripts/study-cells](../scripts/study-cells), and this page comes from "
            "them alone. The command above measures one cell again, and says whether it gets the same "
            "numbers. Without `--repeat`, `scripts/study` measures only what is missing: halves "
            "without a file, and halves whose suites, inputs, model file or measurement protocol "
            "have changed. `scripts/study --check` checks this page in a few seconds, without a "
            "model.") + [""] + wrap(
            "The engine adds numbers in the same order on every machine. So with the same arithmetic "
            "(`kernels` in the list at the end) and the same instructions of the processor, you "
            "should get our numbers, except for the times. With another version of the arithmetic, "
            "the model draws other answers, and the probabilities of an input differ by a few "
            "points.") + [""] + wrap(
            "These cells are measured:") + ["", *self.measured(), ""] + wrap(
            "This is the size of the study, and the time that it took on our machine. The time on "
            "two cores is an estimate, half of the processor time:") + [""]
        lines += ["| model | halves of cells | answers | tokens | processor time | two cores |", "|---|--:|--:|--:|--:|--:|"]
        for model in self.models:
            found = self.facts[model].values()
            seconds = sum(f["processorSeconds"] for f in found)
            lines.append(f"| {model} | {len(found)} of {len(CELLS) * len(HALVES)} | "
                         f"{sum(f['attempts'] for f in found):,} | {sum(f['tokens'] for f in found):,} | "
                         f"{seconds / 60:.0f} min | {seconds / 120:.0f} min |")
        lines += ["", "We used these model files and engines:", ""]
        for name, model in zip(self.names, self.models):
            lines += [f"- `{MODELS[name]['file']}`: SHA-256", f"  `{MODELS[name]['digest']}`"]
            engines = {f["engine"]: f["protocol"] for f in self.facts[model].values()}
            for engine, protocol in sorted(engines.items()):
                lines += wrap(f"  {engine}; measurement protocol {protocol}", "  ")
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
KINDS = [("P(wrong), notes about quitting", "P(wrong) on the notes about quitting a habit"),
         ("P(wrong), other texts", "P(wrong) on the other texts")]
ALSO = {id: KINDS for id in ("out-branch", "cases", "acts", "examples", "told", "only", "other", "first", "letters")} | {
    "bound-schema": [("lists with a repeat", "The share of lists that repeat a point"),
                     ("cut off", "The share of lists that are cut off")],
}
BOUND_ARMS = [("no bound", ("arrays", "points", "naive")), ("bound in words", TOLD),
              ("words and fallback", ("arrays", "points", "fallback")),
              ("bound in the schema", ("arrays", "points", "schema")),
              ("schema and words", ("arrays", "points", "both")),
              ("no bound, 2 to 5 words", ("whole", "points", "naive")),
              ("bound in words, 2 to 5 words", ("whole", "points", "words"))]
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
    "acts": "guides that name the act vs. that describe it",
    "examples": "guides with one example vs. without",
    "bound-whole": "a bound in words, short points vs. no bound",
    "told": "“choose this rather than guess” vs. without",
    "only": "a fallback case “only then” vs. for vague notes",
    "other": "a fallback case named `other` vs. `unclear`",
    "first": "the fallback case first vs. last",
    "case-order": "the best of four case orders vs. the worst",
    "letters": "telling names of cases vs. letters",
    "bound-name": "a bound in the property's name vs. no bound",
    "allow-empty": "words that allow an empty list vs. without",
}


def wrap(text, indent=""):
    return textwrap.wrap(text, 118, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def bullets(*items):
    """A list in Markdown."""
    return [line for item in items for line in wrap("- " + item, "  ")]
