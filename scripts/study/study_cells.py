"""The measured cells of scripts/study/run.

A cell is measured in a result database. What the report needs of it is committed in a small text
file: a few numbers for each input, but no answers.
"""
import json
import re
import sqlite3
from pathlib import Path

from study_design import CELLS, HALVES, MODELS, PROTOCOLS, design_digest, half_of, inputs

FOLDER = Path(__file__).resolve().parent / "cells"
# The version of the outcomes below. A change of an outcome needs a new version.
OUTCOMES = 1
PLACES = 5


# Reading a result database.

class Attempt:
    def __init__(self, case, repeat, body, complete, pressure):
        self.case, self.repeat, self.complete, self.pressure = case, repeat, complete, pressure
        # (path, index, chosen, unresolved, {option: P after the mask}, {option: P at the draw's temperature})
        self.decisions = []
        try:
            self.value = json.loads(body)
        except ValueError:
            self.value = None


def read(database):
    """Returns the attempts by (suite, variant), and facts about the run."""
    database = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    arms, by_id, options = {}, {}, {}
    for id, suite, variant, case, repeat, body, stopped, failure, pressure in database.execute(
            """SELECT a.id, suite_id, variant_id, case_id, repeat_index, t.body, stop_reason, failure_kind,
               constraint_pressure FROM attempt a JOIN text t ON t.id = a.output_text ORDER BY a.id"""):
        attempt = by_id[id] = Attempt(case, repeat, body, stopped == "complete" and failure is None, pressure)
        arms.setdefault((suite, variant), []).append(attempt)
    for id, position, name, masked, sampled in database.execute(
            "SELECT attempt_id, decision_position, name, masked, sampled FROM decision_option"):
        both = options.setdefault((id, position), ({}, {}))
        both[0][name], both[1][name] = masked or 0.0, sampled or 0.0
    for id, position, path, index, chosen, left in database.execute(
            "SELECT attempt_id, position, path, element_index, chosen, unresolved FROM decision ORDER BY 1, 2"):
        by_id[id].decisions.append((path, index, chosen, left or 0.0, *options[id, position]))
    details, = database.execute("SELECT details FROM run").fetchone()
    engine, = database.execute("SELECT engine FROM backend").fetchone()
    tokens, = database.execute("SELECT sum(output_tokens) FROM attempt").fetchone()
    database.close()
    return arms, dict(protocol=json.loads(details)["measurementProtocol"], engine=engine, attempts=len(by_id),
                      tokens=tokens)


# The outcomes. Each is a function of one attempt that returns a number, or None if the attempt says
# nothing about it. P(empty) and P(wrong branch) are measured after the mask at temperature 1, P(fewer
# than 3) at the temperature of the draws. Each of these has two bounds: `Low` counts no unresolved
# probability for the outcome, and `High` counts all of it.

def decision(attempt, index=0):
    """The first decision at this index; None if there is none."""
    return next((found for found in attempt.decisions if found[1] == index), None)


def mass(found, option, side=0, column=4):
    """The probability of an option.

    If `side` is 1, all unresolved probability counts for the option. If `side` is -1, it counts
    for the other options. If `side` is 0, it is left out."""
    known = found[column].get(option, 0.0)
    return known if side == 0 else known * (1 - found[3]) + (found[3] if side > 0 else 0.0)


SIDES = {"": 0, "Low": -1, "High": 1}


def common(attempt):
    first = decision(attempt)
    return {"cut": float(not attempt.complete), "pressure": attempt.pressure, "unresolved": first[3] if first else None}


def points(attempt):
    value = attempt.value
    if isinstance(value, dict):
        value = next(iter(value.values()), None)
    return value if isinstance(value, list) else None


def of_list(attempt, _):
    found = points(attempt)
    texts = [str(p).strip().casefold() for p in found or []]
    # A list that was cut off with three elements or more is not short.
    chosen = [d[2] for d in attempt.decisions if d[1] < 3]
    numbers = {
        "shortCounted": float(len(found) < 3 if found is not None else "end" in chosen),
        "emptyCounted": float(found == []),
        "good": float(attempt.complete and 3 <= len(texts) <= 6 and all(texts) and len(set(texts)) == len(texts)),
        "repeated": float(len(set(texts)) < len(texts)),
    }
    for name, side in SIDES.items():
        first = decision(attempt)
        numbers["empty" + name] = mass(first, "end", side) if first else None
        # The sum of P(end after i) over the lengths i < 3 that the draw reached. The mean of this
        # sum over many draws is P(fewer than 3), because draws reach each length with the right
        # frequency. The sum uses no values of other inputs.
        numbers["short" + name] = sum(mass(d, "end", side, 5) for i in range(3) if (d := decision(attempt, i)))
    return numbers | common(attempt)


def of_case(attempt, right):
    first = decision(attempt)
    numbers = {"wrongCounted": float(not (first and first[2] == right))}
    for name, side in SIDES.items():
        # Without the right case in the schema, every answer is wrong.
        numbers["wrong" + name] = None if not first else \
            1 - mass(first, right, -side) if right in first[4] else 1.0
    return numbers | common(attempt)


MARKUP = re.compile(r"[*`#|]|^\s*(?:[-•]|\d+[.)])\s|</?[a-z]|\]\(")


def of_record(attempt, year):
    value = attempt.value if isinstance(attempt.value, dict) else {}
    title, summary = value.get("title", ""), value.get("summary", "")
    sentences = len([s for s in re.split(r"(?<=[.!?])\s+", summary.strip()) if s])
    right = {
        "title": 2 <= len([w for w in title.split() if any(c.isalnum() for c in w)]) <= 6,
        "year": "year" in value and value["year"].strip() == year,
        "summary": sentences == 1 and not MARKUP.search(summary),
    }
    plain = "summary" in value and not MARKUP.search(summary)
    return {name: float(is_right) for name, is_right in right.items()} | {
        "fields": sum(right.values()) / 3, "plain": float(plain)} | common(attempt)


def complete(attempt, _):
    return {"complete": float(attempt.complete)}


def numbers_of(suite, attempts, rows):
    """Returns {outcome: one value for each input}. A value is None if no attempt has the outcome."""
    right = {row["id"]: row["branch"] if suite["on"] == "notes" else row["year"] for row in rows}
    kept = {row["id"]: [] for row in rows}
    for attempt in attempts:
        kept[attempt.case].append(attempt)
    if suite["outcomes"].startswith("draws of"):
        # Each complete draw is its pressure and its value; a draw that was cut off is None.
        judge = {"draws of a case": lambda a: float(a.value["kind"] == right[a.case]),
                 "draws of a list": lambda a: float(len(a.value["topics"]) >= 3)}[suite["outcomes"]]
        return {"draws": [[[a.pressure, judge(a)] if a.complete and a.pressure is not None else None
                           for a in kept[row["id"]]] for row in rows]}
    measure = {"list": of_list, "case": of_case, "record": of_record, "complete": complete}[suite["outcomes"]]
    names = {}
    for row in rows:
        values = {}
        for attempt in kept[row["id"]]:
            for name, value in measure(attempt, right[row["id"]]).items():
                values.setdefault(name, []).extend([] if value is None else [value])
        for name, found in values.items():
            names.setdefault(name, {})[row["id"]] = sum(found) / len(found) if found else None
    return {name: [found.get(row["id"]) for row in rows] for name, found in names.items()}


def translate(suite, attempts):
    """Replaces the names of enum cases in the schema by those in the inputs."""
    names = suite["names"]
    for attempt in attempts if names else []:
        attempt.decisions = [(path, index, names.get(chosen, chosen), left,
                              *({names.get(k, k): v for k, v in both.items()} for both in (masked, sampled)))
                             for path, index, chosen, left, masked, sampled in attempt.decisions]


# The committed files.

def written(value):
    if value is None:
        return "null"
    if isinstance(value, list):
        return "[" + ",".join(written(item) for item in value) + "]"
    text = f"{value:.{PLACES}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def path_of(model, cell, half):
    return FOLDER / model / f"{cell}-{half}.json"


def collect(database, digest, cell, half, seconds):
    """Returns the text of the file for a finished half of a cell."""
    arms, facts = read(database)
    rows = inputs()
    head = dict(model=digest, cell=cell, half=half, design=design_digest(cell, half), outcomes=OUTCOMES, **facts,
                processorSeconds=seconds)
    lines = [f" {json.dumps(key)}: {json.dumps(value)}," for key, value in head.items()]
    bodies = []
    for suite in CELLS[cell]:
        for variant in suite["variants"]:
            attempts = arms[suite["name"], variant]
            translate(suite, attempts)
            columns = numbers_of(suite, attempts, half_of(rows[suite["on"]], half))
            shown = ",\n".join(f"   {json.dumps(name)}: {written(values)}" for name, values in sorted(columns.items()))
            bodies.append(f"  {json.dumps(suite['name'] + '/' + variant)}: {{\n{shown}}}")
    return "{\n" + "\n".join(lines) + '\n "arms": {\n' + ",\n".join(bodies) + "}}\n"


def state(model, cell, half):
    """Says whether a committed half of a cell holds for today's design: its content, or why not."""
    path = path_of(model, cell, half)
    if not path.exists():
        return None, "missing"
    try:
        found = json.loads(path.read_text())
    except ValueError:
        return None, "is damaged"
    expected = dict(model=MODELS[model]["digest"], cell=cell, half=half, design=design_digest(cell, half),
                    outcomes=OUTCOMES)
    for key, value in expected.items():
        if found.get(key) != value:
            return None, f"has another {key}"
    if found.get("protocol") not in PROTOCOLS:
        return None, "has another protocol"
    return found, None


def load():
    """Returns the measured models, their arms, the facts of their cells, and the files that don't hold.

    An arm is {outcome: {input: value}}, by (cell, suite, variant)."""
    arms, facts = {}, {}
    known = {path_of(model, cell, half) for model in MODELS for cell in CELLS for half in HALVES}
    stale = [f"{path.relative_to(FOLDER)} belongs to no cell" for path in sorted(FOLDER.rglob("*.json"))
             if path not in known]
    rows = inputs()
    for model in MODELS:
        for cell, suites in CELLS.items():
            for half in HALVES:
                found, reason = state(model, cell, half)
                if not found:
                    stale += [f"{path_of(model, cell, half).name} of {model} {reason}"] if reason != "missing" else []
                    continue
                facts.setdefault(model, {})[cell, half] = {k: v for k, v in found.items() if k != "arms"}
                for suite in suites:
                    ids = [row["id"] for row in half_of(rows[suite["on"]], half)]
                    for variant in suite["variants"]:
                        arm = arms.setdefault(model, {}).setdefault((cell, suite["name"], variant), {})
                        for name, values in found["arms"][f"{suite['name']}/{variant}"].items():
                            arm.setdefault(name, {}).update(
                                (id, value) for id, value in zip(ids, values) if value is not None)
    return [model for model in MODELS if model in arms], arms, facts, stale
