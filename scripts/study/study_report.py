"""The report of scripts/study/run: docs/research/study.md, its plots, and the table of all outcomes.

Every number and every verdict comes from scripts/study/cells.
"""
import csv
import io
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


def decimal(value):
    if value == "":
        return ""
    text = f"{value:.5f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


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
            return "–"
        text = f"{points_text(answer.effect)} ({between(answer.low, answer.high)})"
        if answer.verdict == "no clear effect":
            return text
        verdict = f"**{answer.verdict}**" if answer.adjusted <= 0.05 else answer.verdict
        return f"{text}, {verdict}" + (" †" if answer.depends else "")

    def findings(self):
        lines = ["| rule | question | outcome | " + " | ".join(self.models) + " |",
                 "|---|---|---|" + "---|" * len(self.models)]
        for question in QUESTIONS:
            arrow = "↓" if question.better == "lower" else "↑"
            lines.append(f"| {question.rule or '–'} | {SHORT_TITLES[question.id]} | {question.outcome} {arrow} | "
                         + " | ".join(self.cell(question.id, model) for model in self.models) + " |")
        return lines

    def reading(self, id):
        """A sentence about a question of the kind "does the choice matter"."""
        parts = []
        for model, a in self.on(id):
            best = (f"the best is {points_text(abs(a.effect), False)} points better than the worst "
                    f"({between(a.low, a.high)})")
            parts.append(f"on {model}, {best}, p is {p_text(a.p)}, and {p_text(a.adjusted)} after the correction "
                         f"({a.n} inputs)")
        text = "; ".join(parts) + "."
        return text[0].upper() + text[1:]

    def measured(self):
        """A table of the cells, which says for each model how many of the inputs are measured."""
        words = {0: "–", 1: "half of the inputs", 2: "all inputs"}
        lines = ["| cell | " + " | ".join(self.models) + " |", "|---|" + "---|" * len(self.models)]
        for cell in CELLS:
            done = [words[sum((cell, half) in self.facts[model] for half in HALVES)] for model in self.models]
            lines.append(f"| `{cell}` | " + " | ".join(done) + " |")
        return lines

    def beside(self, question, name, words):
        """A sentence about a further outcome."""
        measure = dict(question.beside)[name]
        parts = []
        for model, _ in self.on(question.id):
            treated, control = (measure(self.arms[model][arm]) for arm in (question.treated, question.control))
            effect, low, high = interval([treated[c] - control[c] for c in treated if c in control],
                                         not measure.measured)
            parts.append(f"{points_text(effect)} on {model} ({between(low, high)})")
        return f"{words}: {'; '.join(parts)}."

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
                  ("may hurt", "May hurt")]
        lines = [f"- **{title}:** {'; '.join(groups[kind])}." for kind, title in titles if kind in groups]
        lines.append(f"- **No clear effect:** {len(groups.get('no clear effect', []))} questions")
        return [line for item in lines for line in wrap(item, "  ")]

    def outcomes(self):
        """A table of all outcomes as CSV; those that aren't the question's own have no test."""
        out = io.StringIO()
        table = csv.writer(out, lineterminator="\n")
        table.writerow(["question", "model", "outcome", "kind", "reference", "candidate", "difference", "low", "high",
                        "p", "adjusted", "unresolvedLow", "unresolvedHigh", "inputs"])
        for question in QUESTIONS:
            for model, a in self.on(question.id):
                values = [a.control, a.treated, a.effect, a.low, a.high, a.p, a.adjusted, *(a.widest or ("", ""))]
                table.writerow([question.title, model, question.outcome, "chosen", *map(decimal, values), a.n])
                for name, measure in question.beside:
                    arms = self.arms[model]
                    treated, control = measure(arms[question.treated]), measure(arms[question.control])
                    cases = [case for case in treated if case in control]
                    if not cases:
                        continue
                    change = interval([treated[c] - control[c] for c in cases], not measure.measured)
                    values = [mean(control[c] for c in cases), mean(treated[c] for c in cases), *change]
                    table.writerow([question.title, model, name, "further", *map(decimal, values), "", "", "", "",
                                    len(cases)])
        return out.getvalue()

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
        for plot in plots:
            lines += self.plot(*plot)
        further = []
        for id in present:
            question = next(q for q in QUESTIONS if q.id == id)
            title = SHORT_TITLES[id].split(" vs. ")[0]
            title = title[0].upper() + title[1:]
            beside = " ".join(self.beside(question, name, words) for name, words in ALSO.get(id, []))
            if beside:
                further.append(f"*{title}.* {beside}")
        return lines + (bullets(*further) + [""] if further else [])

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
            if not any(q.rule == number for q in QUESTIONS):
                continue
            cells = []
            for model in self.models:
                found = [self.answers[q.id, model] for q in QUESTIONS
                         if q.rule == number and (q.id, model) in self.answers]
                counts = {}
                for answer in found:
                    counts[answer.verdict] = counts.get(answer.verdict, 0) + 1
                words = [f"{verdict} in {counts[verdict]}" for verdict in
                         ("helps", "matters", "may help", "no clear effect", "may hurt", "hurts") if verdict in counts]
                cells.append(f"{', '.join(words)} of {len(found)}" if found else "–")
            lines.append(f"| {number}. {name} | " + " | ".join(cells) + " |")
        return lines

    def mask(self):
        lines = ["## How far the mask moves a model", ""] + wrap(
            "A mask restricts one token at a time, so masked answers don't have the same distribution as *filtered* "
            "ones: the valid ones among answers without a mask. We estimate the filtered answers from the masked "
            "ones by importance sampling. At temperature 1, the product of the probabilities that the engine records "
            "for the tokens in the mask is the exact weight w of an answer. The columns are:") + [""] + bullets(
            "*effective sample size*: how many of the eight draws per input are left after weighting",
            "*inputs below 2*: the share of inputs with an effective sample size below 2",
            "*pressure*: the mean of −log w",
            "*divergence*: an estimate, too low with eight draws, of the Kullback–Leibler divergence of masked answers "
            "from filtered ones",
            "*valid free answers*: their share, estimated by the mean weight, and counted in answers without a mask") \
            + [""]
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
            "If the effective sample size is small, a shift near zero says little. Answers that were cut off have a "
            "weight of zero.") + [""]

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
            f"Which ways to write guides and schemas help {titles}? For each of {len(QUESTIONS)} questions, "
            "`scripts/study/run` runs two variants of a request on the same inputs, and compares one outcome, which we chose "
            "in advance. Each conclusion holds only for the model that it names. Qwen 1.5B is eleven times as large as "
            "SmolLM2, so it says more about capable models.") + [""]
        for model in self.models:
            sizes = [a.n for (_, m), a in self.answers.items() if m == model]
            known = "all questions" if len(sizes) == len(QUESTIONS) else f"{len(sizes)} of {len(QUESTIONS)} questions"
            size = f"{min(sizes)} to {max(sizes)}" if min(sizes) < max(sizes) else f"{min(sizes)}"
            lines += wrap(f"On **{model}** ({known}, with {size} inputs each):")
            lines += ["", *self.summary(model), ""]
        lines += wrap("How to read this list and the next table:") + [""] + bullets(
            "The numbers say by how many percentage points the outcome of the first variant differs from that of the "
            "second, with a 95 % interval. The arrow shows whether a larger (↑) or a smaller (↓) outcome is better.",
            "**Helps**, **hurts** and **matters** hold after Holm's correction for "
            f"all {n} tests, at the level 0.05. “May help” means that the interval excludes zero, but the verdict "
            "doesn't hold after the correction. Numbers without a verdict show no clear effect. For the ten "
            "wordings and the orders, a different test decides whether the choice *matters*, so the verdict can disagree with the interval.",
            "P(empty) and P(fewer than 3) are the probabilities that a list has no elements, or fewer than three, and "
            "P(wrong branch) that of a wrong enum case.",
            "A *wrapper* is an object whose only property is the list. A *fallback case* is the enum case for inputs "
            "that fit no other case. An *outline* shows the schema in the prompt.")
        lines += ["", *self.findings(), ""]
        lines += wrap(
            "† The probability that Assay couldn't assign to any option could change the sign; see [Method](#method). "
            "A dash: not measured yet. [All outcomes](study/outcomes.csv) are in a table with p, the values of both "
            "variants, and the outcomes beside the chosen one, which we didn't test.")
        lines.append("")
        rows = [(SHORT_TITLES[q.id],
                 [better(a) if (a := self.answers.get((q.id, m))) else None for m in self.models])
                for q in QUESTIONS if self.on(q.id)]
        self.plots["outcomes.csv"] = self.outcomes()
        name = "All questions: how much better the outcome is"
        self.plots["overview.svg"] = dot_plot(name, "percentage points better", rows, self.models, zero=True)
        lines += [f"![{name}](study/overview.svg)", "",
                  *wrap("By rule (rule 5 is about code; the same suites ran on every model here without an edit):"), "",
                  *self.rules(), ""]

        lines += self.section(
            "Bounds: words, schema or both", wrap(
                "The model lists the points of a passage. The guide says “The points.” or “From three to six points.” "
                "(the bound in words), in one variant with advice: “If the passage is too short for three, add points "
                "on what it implies.” The schema has either no bound or `minItems: 3, maxItems: 6`; with the latter, "
                "P(fewer than 3) is always zero, so we compare good lists: complete, with three to six points, none "
                "repeated.") + [""] + wrap(
                "The schema limits each point to 32 characters. This limit ends about a third of the points, on both "
                "models, often in the middle of a word. So in the last question, the instructions ask for points of "
                "two to five words, and the limit is 60 characters."),
            ["bound-words", "bound-schema", "bound-both", "fallback", "bound-whole"], [
                ("bounds-short.svg", "P(fewer than 3 points)", "probability", P_SHORT, BOUND_ARMS),
                ("bounds-good.svg", "Good lists: 3 to 6 points, complete, no repeat", "share", GOOD, BOUND_ARMS)])
        lines += self.section(
            "A wrapper around a list", wrap(
                "The list is either the whole answer (a bare list), or the only property of an object (a wrapper). A "
                "bare list has no place for a guide, so in the second question, its bound is in the instructions."),
            ["wrap", "wrap-bound"], [("wrapper.svg", "P(empty list)", "probability", P_EMPTY, [
                ("bare list", ("wrapper", "list", "base")),
                ("bare list, bound in instructions", ("wrapper", "list-told", "base")),
                ("wrapper, “The points.”", ("arrays", "points", "naive")), ("wrapper, bound in words", TOLD)])])
        lines += self.section(
            "A fallback case, and guides on enum cases", wrap(
                f"For each of {len(notes)} texts, the model chooses one case of an *enum with payloads*: an object with "
                "the name of the case and a short string. Of the texts, "
                f"{sum(r['branch'] != 'unclear' for r in notes)} are notes by people who are quitting a habit "
                "(`craving`, `slip` or `progress`). The other "
                f"{sum(r['branch'] == 'unclear' for r in notes)} fit only the fallback case, `unclear`, so without it, "
                "all answers to them are wrong. A random guess among four cases is wrong 75 % of the time."),
            ["out-branch", "cases"], [("branch.svg", "P(wrong branch)", "probability", P_WRONG, [
                ("four cases with guides", BASE), ("without guides", ("branch", "bare", "base")),
                ("without the fallback case", ("branch", "no-out", "base"))])])
        lines += self.section(
            "How to word the guides of enum cases", wrap(
                "In one variant, the guides of three enum cases name what the person did:")
            + ["", "| enum case | guide that describes | guide that names the act |", "|---|---|---|",
               *(f"| `{name}` | {CASES[name][1]} | {act} |" for name, act in ACTS.items()), ""] + wrap(
                "In another, each guide ends with “For example: ” and "
                + "; ".join(f"“{text}” for `{name}`" for name, text in EXAMPLES.items())
                + ". None of the examples is an input."),
            ["acts", "examples"], [("guides.svg", "P(wrong branch)", "probability", P_WRONG, [
                ("guides that describe", BASE), ("guides that name the act", ("guides", "acts", "base")),
                ("guides with an example", ("guides", "examples", "base")),
                ("no guides", ("branch", "bare", "base"))])])
        lines += self.section(
            "The fallback case: words, name and place", wrap(
                "The guide of `unclear` is “The note is too vague or about something else. Choose this rather than "
                "guess.” The variants leave out the second sentence, say “None of the other cases fits. Choose this "
                "only then.”, name the fallback case `other`, or list it first instead of last."),
            ["told", "only", "other", "first"], [("escape.svg", "P(wrong branch)", "probability", P_WRONG, [
                ("“rather than guess”", BASE), ("without these words", ("escape", "not-told", "base")),
                ("“only if no other fits”", ("escape", "only", "base")),
                ("named other", ("escape", "renamed", "base")), ("first instead of last", ORDER_ARMS[3]),
                ("no fallback case", ("branch", "no-out", "base"))])])
        lines += self.case_orders()
        lines += self.section(
            "Names of enum cases and properties", wrap(
                "The enum cases have their names or the letters `a` to `d`, with the same guides. The list with the "
                "guide “The points.” has the name `points` or `threeToSixPoints`."),
            ["letters", "bound-name"], [
                ("letters.svg", "P(wrong branch)", "probability", P_WRONG, [
                    ("telling names", BASE), ("letters", ("names", "letters", "base"))]),
                ("bound-name.svg", "P(fewer than 3 points)", "probability", P_SHORT, [
                    ("points", NAIVE), ("threeToSixPoints", ("names", "bound-in-name", "base")),
                    ("points, bound in words", TOLD)])])
        lines += self.section(
            "Words that allow an empty list", wrap(
                "Each passage makes a point, so an empty list is always wrong. The guide is “The points.”, and in one "
                "variant it goes on: “If the passage makes none, return an empty array.”"),
            ["allow-empty"], [("allow-empty.svg", "P(empty list)", "probability", P_EMPTY, [
                ("“The points.”", NAIVE), ("an empty array is allowed", ("escape", "empty", "allowed")),
                ("bound in words", TOLD)])])
        lines += self.section(
            "Guides, fallbacks and formats of fields", wrap(
                "For each passage, the model writes a title of two to six words, a year, and a summary of one plain "
                f"sentence. In {sum(not r['year'] for r in passages)} of {len(passages)} passages, the text names no "
                "year; an empty string is then right. Either all fields have guides, or none has, or the guide of the "
                "year says nothing about a missing year, or that of the summary nothing about its format. *Fields "
                "right* is the share of the three fields."),
            ["fields", "year", "format"], [("fields.svg", "Fields right, of three", "share", FIELDS, [
                ("all guides", ("fields", "described", "base")), ("no guides", ("fields", "bare", "base")),
                ("no fallback for the year", ("fields", "no-fallback", "base")),
                ("no word on format", ("fields", "no-format", "base"))])])
        lines += self.section(
            "Nesting, and reason first", wrap(
                "The answer is an object with `kind` (one of four enum cases) and `reason` (at most 60 characters), or "
                "this object at `result.insight`, or with the reason before the kind."),
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
                "The guide of a list states the bound in words. The model chooses its white space (`any`, the default), "
                "or there is none (`compact`), or a fixed layout with indented lines (`pretty`)."),
            ["white-space"], [("white-space.svg", "P(empty list)", "probability", P_EMPTY, lists)])
        lines += ["The list, then the enum with payloads:", ""]
        lines += self.settings(lists, EMPTY, P_EMPTY, "empty, counted", EMPTY_COUNTED)
        lines += self.settings(branches, WRONG, P_WRONG, "wrong, counted", WRONG_COUNTED)
        outlines = [("types", BASE)] + [(label, ("outline", "branch", name)) for label, name in (
            ("JSON Schema", "jsonSchema"), ("example", "example"), ("none", "none"))]
        lines += self.section(
            "The outline in the prompt", wrap(
                "For the enum with payloads, the prompt shows the schema as types with the guides as comments (the "
                "default), as JSON Schema, as an example value, or not at all; the model then sees neither the guides "
                "nor the names of the enum cases."),
            ["outline"], [("outline.svg", "P(wrong branch)", "probability", P_WRONG, outlines)])
        lines += self.settings(outlines, WRONG, P_WRONG, "wrong, counted", WRONG_COUNTED)
        lines += self.section(
            "Greedy or sampled", wrap(
                "The measured probability of an enum case is the same at temperature 0.7 and with greedy decoding, so "
                "only the counts can differ."),
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
        return lines + ["", f"![{plot_title}](study/{file})", ""] + wrap(self.reading(id)) + [""]

    def case_orders(self):
        orders = [" ".join(f"`{name}`" for name in BRANCHES[n:] + BRANCHES[:n]) for n in range(len(BRANCHES))]
        return self.spread(
            "The order of the enum cases", wrap(
                "The schema lists the four enum cases in four orders, so that each case is at each place once. The test "
                "and the effect are as for the ten wordings below."),
            "case-order", orders, "order", "case-order.svg", "P(wrong branch), by order of the enum cases")

    def wordings(self):
        return self.spread(
            "Ten wordings of one bound", wrap(
                "The guide of the list says “three to six” in ten ways. A permutation test, which shuffles the wordings "
                "within each passage, checks whether they differ at all; only this test decides the verdict. The effect "
                "is the difference between the best and the worst wording. We pick these two on one half of the "
                "passages and measure them on the other half, and the reverse, so that chance doesn't inflate it."),
            "wordings", WORDINGS, "wording", "wordings.svg", "P(fewer than 3 points), by wording")

    def method(self, passages, notes, real, n):
        authors = len({row["author"] for row in passages})
        lines = ["## Method", ""]
        lines += bullets(
            f"**Inputs.** {len(passages)} short passages from the public domain, by {authors} authors from Bacon to "
            f"Grahame, and {len(notes)} texts to classify ([file](../../scripts/study/inputs.jsonl) with authors and "
            f"works): {len(notes) - real} notes written for the suite session-insight, and {real} of the passages, for "
            "which `unclear` is right. We ended some passages early, at the end of a clause, and simplified quotation "
            "marks and dashes.",
            "**Design.** Both variants of a question run on the same inputs and seeds, with one draw for each input "
            "(eight draws in the section on the mask, which uses temperature 1), at temperature 0.7 and with the "
            "default settings. The schemas limit the length of strings.",
            "**Halves.** The study runs in cells, which are groups of suites, on every second input at a time. Questions "
            "without a measured half have no test.",
            "**Choices in advance.** We chose all questions, variants and outcomes before we measured them here. "
            "Seventeen questions are those of an earlier version of this study, on SmolLM2 and Gemma 3 270M. We had "
            "seen before that guides which name the act, and guides with examples, helped Qwen 1.5B on the 48 notes. "
            "The wordings here are new, except that of `slip`, but for this model these two questions are not "
            "independent of what we knew. We added the question about points of two to five words after a look at the "
            "other lists, because of the points that were cut off.",
            "**Measured outcomes.** P(…) is measured from token probabilities where the model makes the decision, over "
            "all layouts and all ways to split the text into tokens; every other outcome is counted. P(empty) and "
            "P(wrong branch) are measured at temperature 1, after the mask, and the counts come from answers at 0.7, "
            "so they differ. If a variant never reached the decision on an input, the comparison leaves this input "
            "out, so the same variant can have slightly different values in two comparisons.",
            "**P(fewer than 3)** is measured at the temperature of the draw: for each length below 3 that the drawn "
            "list reached, the probability that the list ends there, added up.",
            "**Unresolved probability.** The stated probabilities are shares of the resolved probability. The largest "
            "unresolved share of a question's variants, averaged over the answers at their first decision, has the "
            f"median {self.unresolved_text()}. In the table of all outcomes, the columns `unresolvedLow` and "
            "`unresolvedHigh` show the difference if all of it counts as the outcome in one variant, and as other "
            "options in the other.",
            "**Intervals** are t intervals of the paired differences of the inputs. For counts, two artificial inputs "
            "with differences 50 points above and below the mean keep the interval from having no width.",
            "**Tests** are two-sided, and flip the signs of the inputs' differences at "
            f"random (19,999 times, seed {SEED}). The test of the ten wordings permutes the wordings within each passage "
            f"(1,999 times), and that of the orders the orders within each text. Holm's correction covers all {n} tests.")
        lines += ["", "## Limits", ""]
        lines += bullets(
            "We tested two quantized models, of 1.5 billion and 135 million parameters. Qwen2.5-Coder is trained for "
            "code, so it knows schemas well. The results say little about much larger models, and nothing about "
            "Apple's model.",
            "We measured each effect with one wording or schema, on one task.",
            "If a model's choices are close to chance or always the same, a rule has little to improve. “No clear "
            "effect” then doesn't mean that the rule is useless elsewhere.",
            "The passages are famous, and the models have probably seen them in training.",
            "The outcomes describe only the form of an answer, not whether a point or a summary is good.")
        lines += ["", "## Repeat it", "", "<!-- not run: takes a minute or two, and needs a model file -->", "```sh",
                  *(f"scripts/study/run --only branch --repeat --model {name}={MODELS[name]['file']}"
                    for name in self.names[-1:]),
                  "```", ""]
        lines += wrap(
            "This command measures one cell again, and says whether it gets the same numbers, which are in "
            "[scripts/study/cells](../../scripts/study/cells). Without `--repeat`, `scripts/study/run` measures only what is "
            "missing, or whose suites, inputs, model file or measurement protocol have changed. `scripts/study/run --check` "
            "checks this page in a few seconds, without a model.") + [""] + wrap(
            "With the same arithmetic (`kernels` in the list at the end) and the same instructions of the processor, you "
            "should get our numbers, except for the times. With another version of the arithmetic, the probabilities "
            "of an input differ by a few points.") + ["", *self.measured(), ""] + wrap(
            "The time on two cores is an estimate, half of the processor time:") + [""]
        lines += ["| model | halves of cells | answers | tokens | processor time | two cores |", "|---|--:|--:|--:|--:|--:|"]
        for model in self.models:
            found = self.facts[model].values()
            seconds = sum(f["processorSeconds"] for f in found)
            lines.append(f"| {model} | {len(found)} of {len(CELLS) * len(HALVES)} | "
                         f"{sum(f['attempts'] for f in found):,} | {sum(f['tokens'] for f in found):,} | "
                         f"{seconds / 60:.0f} min | {seconds / 120:.0f} min |")
        lines += ["", "Model files and engines:", ""]
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
KINDS = [("P(wrong), notes about quitting", "P(wrong) of notes"), ("P(wrong), other texts", "P(wrong) of other texts")]
ALSO = {id: KINDS for id in ("out-branch", "cases", "acts", "examples", "told", "only", "other", "first", "letters")} | {
    "bound-schema": [("lists with a repeat", "Lists that repeat a point"), ("cut off", "Lists that are cut off")],
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
