"""The design of scripts/study: the inputs, the schemas, and the cells with their suites."""
import json
from pathlib import Path

INPUTS = Path(__file__).resolve().parent / "study-inputs.jsonl"
SEED = 20261123
BRANCHES = ["craving", "slip", "progress", "unclear"]
TOPICS = ["nature", "people", "money", "travel", "war", "art"]


# The inputs.

def inputs(quick=False):
    """Returns the passages and the notes. The notes include the passages that are off topic."""
    rows = [json.loads(line) for line in INPUTS.read_text().splitlines()]
    passages = [row for row in rows if row["kind"] == "passage"]
    notes = [row for row in rows if row["kind"] == "note"]
    notes += [row | {"branch": "unclear"} for row in passages if row["offTopic"]]
    if quick:
        passages, notes = passages[::11][:6], notes[::12][:6]
    return {"passages": passages, "notes": notes}


# The schemas.

def of_object(title, properties, description=None, order=None):
    schema = {"title": title, "type": "object", "properties": properties, "required": order or list(properties),
              "additionalProperties": False, "x-order": order or list(properties)}
    return schema | ({"description": description} if description else {})


def text(most=None, guide=None):
    return {"type": "string"} | ({"maxLength": most} if most else {}) | ({"description": guide} if guide else {})


POINTS = of_object("Notes", {"points": {"type": "array", "items": text(32), "description": "The points."}})
WORDS = "From three to six points."
FALLBACK = WORDS + " If the passage is too short for three, add points on what it implies."
WORDINGS = [
    WORDS,
    "Between 3 and 6 points.",
    "3-6 points.",
    "At least three and at most six points.",
    "Three, four, five or six points.",
    "Never fewer than three points, never more than six.",
    "No more than six points and no fewer than three.",
    "A list of 3 to 6 points.",
    "Write three points. You may write up to six.",
    "Minimum 3 points, maximum 6 points.",
]
CASES = {
    "craving": ("reframe", "The person feels an urge now and has not given in."),
    "slip": ("acknowledgement", "The person gave in."),
    "progress": ("compliment", "The person reports something that went well."),
    "unclear": ("reason", "The note is too vague or about something else. Choose this rather than guess."),
}


def insight(described=True, names=BRANCHES):
    """Returns the schema of an enum with payloads."""
    def member(name):
        title = "Discriminated" + name.capitalize()
        payload, guide = CASES[name]
        return of_object(title, {"type": {"const": name}, payload: text(32)}, guide if described else None)
    members = [member(name) for name in names]
    return {"title": "Insight", "anyOf": [{"$ref": "#/$defs/" + m["title"]} for m in members],
            "$defs": {m["title"]: m for m in members}}


KIND = {"type": "string", "enum": BRANCHES, "description": " ".join(
    f"{name}: {guide}" for name, (_, guide) in CASES.items())}
REASON = text(60, "One short sentence on why.")
LEAF = {
    "title": "Two to six words, taken from the text.",
    "year": "The year that the text names, in four digits; an empty string if it names none.",
    "summary": "One short sentence. Plain text, no bullets, no markup.",
}


def record(guides):
    most = {"title": 48, "year": 16, "summary": 96}
    return of_object("Record", {name: text(most[name], guides.get(name)) for name in most})


def topics():
    return of_object("Topics", {"topics": {
        "type": "array", "items": {"type": "string", "enum": TOPICS}, "description": "What the text is about."}})


# The suites of each cell, by the cell's name.

NOTE = "You read a note by a person who is quitting a habit and choose the case that fits."
PASSAGE = "You note the points of a passage."


def guide(words, **options):
    return {"edits": [{"guide": {"at": "Notes.points", "text": words}}]} | ({"options": options} if options else {})


def suite(name, schema, on, instructions, tokens, variants=None, repeats=1, **options):
    return dict(name=name, schema=schema, on=on, instructions=instructions, repeats=repeats,
                options={"temperature": 0.7, "maximumTokens": tokens, "tokenization": "allSegmentations"} | options,
                variants={id: {k: v for k, v in way.items()} for id, way in (variants or {"base": {}}).items()})


BOUND = {"bound": {"at": "Notes.points", "min": 3, "max": 6}}
CELLS = {
    "branch": [
        suite("described", insight(), "notes", NOTE, 40),
        suite("bare", insight(described=False), "notes", NOTE, 40),
        suite("no-out", insight(names=BRANCHES[:3]), "notes", NOTE, 40),
        suite("greedy", insight(), "notes", NOTE, 40, sampling="greedy"),
    ],
    "arrays": [
        suite("points", POINTS, "passages", PASSAGE, 104, {
            "naive": {}, "words": guide(WORDS), "fallback": guide(FALLBACK),
            "schema": {"edits": [BOUND]}, "both": {"edits": guide(WORDS)["edits"] + [BOUND]}}),
    ],
    "wrapper": [
        suite("list", {"title": "Points", "type": "array", "items": text(32)}, "passages", PASSAGE, 64),
        # A bare list has no place for a guide, so the words of the guide are in the instructions.
        suite("list-told", {"title": "Points", "type": "array", "items": text(32)}, "passages",
              PASSAGE + " " + WORDS, 64),
    ],
    "fields": [
        suite("described", record(LEAF), "passages", "You catalogue a passage.", 96),
        suite("bare", record({}), "passages", "You catalogue a passage.", 96),
        suite("no-fallback", record(LEAF | {"year": "The year that the text names, in four digits."}),
              "passages", "You catalogue a passage.", 96),
        suite("no-format", record(LEAF | {"summary": "One short sentence."}),
              "passages", "You catalogue a passage.", 96),
    ],
    "order": [
        suite("verdict-first", of_object("Insight", {"kind": KIND, "reason": REASON}), "notes", NOTE, 64),
        suite("reason-first", of_object("Insight", {"reason": REASON, "kind": KIND}), "notes", NOTE, 64),
        suite("nested", of_object("Report", {"result": {"$ref": "#/$defs/Result"}}) | {"$defs": {
            "Result": of_object("Result", {"insight": {"$ref": "#/$defs/Insight"}}),
            "Insight": of_object("Insight", {"kind": KIND, "reason": REASON})}}, "notes", NOTE, 64),
    ],
    "layout": [
        suite("branch", insight(), "notes", NOTE, 40, {
            "compact": {"options": {"whitespace": "compact"}}, "pretty": {"options": {"whitespace": "pretty"}}}),
        suite("points", POINTS, "passages", PASSAGE, 64, {
            "compact": guide(WORDS, whitespace="compact"), "pretty": guide(WORDS, whitespace="pretty")}),
    ],
    "outline": [
        suite("branch", insight(), "notes", NOTE, 40, {
            name: {"options": {"outline": name}} for name in ("jsonSchema", "example", "none")}),
    ],
    "wordings": [
        suite("points", POINTS, "passages", PASSAGE, 48, {
            f"w{n}": guide(words) for n, words in enumerate(WORDINGS, 1)}),
    ],
    # At temperature 1, an answer has an exact importance weight: at each token, the mask keeps a
    # part of the model's probability, and the weight is the product of these parts.
    "mask": [
        suite("kind", of_object("Insight", {"kind": KIND}), "notes", NOTE, 24, {
            "typescript": {}, "example": {"options": {"outline": "example"}}}, repeats=8, temperature=1),
        suite("kind-free", of_object("Insight", {"kind": KIND}), "notes", NOTE, 24, {
            "typescript": {"options": {"mask": "off"}}, "example": {"options": {"mask": "off", "outline": "example"}},
        }, repeats=2, temperature=1),
        suite("topics", topics(), "passages", "You name the topics of a passage.", 40, repeats=8, temperature=1),
    ],
}


def suite_file(s, rows):
    """Returns the content of a suite file.

    Its only assertion is that an answer has a value; the study itself judges the value."""
    variants = []
    for id, way in s["variants"].items():
        # A variant's options replace all of the suite's, so repeat those that stay the same.
        variants.append({"id": id} | way | ({"options": s["options"] | way["options"]} if "options" in way else {}))
    return {"suite": s["name"], "generates": {"inline": s["schema"]}, "instructions": s["instructions"],
            "prompt": "{{input}}", "repeats": s["repeats"], "seed": SEED, "options": s["options"],
            "assertions": [{"present": {"path": "$"}}], "gate": {"passRate": 0}, "variants": variants,
            "cases": [{"id": row["id"], "input": row["text"]} for row in rows]}
