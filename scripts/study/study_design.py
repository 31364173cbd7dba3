"""The design of scripts/study/run: the models, the inputs, the schemas, and the cells with their suites."""
import hashlib
import json
from pathlib import Path

INPUTS = Path(__file__).resolve().parent / "inputs.jsonl"
SEED = 20261123
# Versions of the measurement protocol with the same prompts, masks and decisions. A cell that was
# measured under another version is measured again.
PROTOCOLS = {4}
# The models of the report, in its order.
MODELS = {
    "qwen2.5-coder-1.5b": dict(
        label="Qwen 1.5B", title="Qwen2.5-Coder-1.5B-Instruct",
        file="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
        digest="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"),
    "smollm2": dict(
        label="SmolLM2", title="SmolLM2-135M-Instruct",
        file="SmolLM2-135M-Instruct.Q4_1.gguf",
        digest="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"),
}
# Each cell has two halves: the inputs at odd places and those at even places of its list.
HALVES = (1, 2)
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


def half_of(rows, half):
    return rows[half - 1::len(HALVES)]


# The schemas.

def of_object(title, properties, description=None, order=None):
    schema = {"title": title, "type": "object", "properties": properties, "required": order or list(properties),
              "additionalProperties": False, "x-order": order or list(properties)}
    return schema | ({"description": description} if description else {})


def text(most=None, guide=None):
    return {"type": "string"} | ({"maxLength": most} if most else {}) | ({"description": guide} if guide else {})


def points_object(name="points", most=32):
    return of_object("Notes", {name: {"type": "array", "items": text(most), "description": "The points."}})


POINTS = points_object()
WORDS = "From three to six points."
FALLBACK = WORDS + " If the passage is too short for three, add points on what it implies."
ALLOW_EMPTY = "The points. If the passage makes none, return an empty array."
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


# Guides that name what the person did. The guide of the fallback case stays the same.
ACTS = {
    "craving": "Urge: the person wants to smoke, drink, gamble or overeat, and has not done it.",
    "slip": "Relapse: the person smoked, drank, gambled or overate.",
    "progress": "Success: the person resisted, cut down or stopped, or is better for it.",
}
# One example for each enum case. None of them is an input.
EXAMPLES = {
    "craving": "I could really use a whisky now.",
    "slip": "I played roulette all night.",
    "progress": "No crisps for a fortnight.",
    "unclear": "Where is the station?",
}
WITH_EXAMPLES = {name: f"{guide} For example: “{EXAMPLES[name]}”" for name, (_, guide) in CASES.items()}
HATCH = "The note is too vague or about something else."
HATCH_ONLY = "None of the other cases fits. Choose this only then."


def insight(described=True, names=BRANCHES, guides={}, renamed={}):
    """Returns the schema of an enum with payloads.

    `guides` replaces guides of enum cases, and `renamed` replaces names of enum cases."""
    def member(name):
        shown = renamed.get(name, name)
        payload, guide = CASES[name]
        return of_object("Discriminated" + shown.capitalize(), {"type": {"const": shown}, payload: text(32)},
                         guides.get(name, guide) if described else None)
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
SHORT_POINTS = PASSAGE[:-1] + ", each in two to five words."


def guide(words, **options):
    return {"edits": [{"guide": {"at": "Notes.points", "text": words}}]} | ({"options": options} if options else {})


def suite(name, schema, on, instructions, tokens, variants=None, repeats=1, outcomes=None, names={}, **options):
    """Returns a suite.

    `outcomes` says what the study measures: list, case or record, or a part of the section on the
    mask. `names` translates the names of enum cases in the schema to those in the inputs."""
    return dict(name=name, schema=schema, on=on, instructions=instructions, repeats=repeats,
                outcomes=outcomes or {"notes": "case", "passages": "list"}[on], names=names,
                options={"temperature": 0.7, "maximumTokens": tokens} | options,
                variants={id: {k: v for k, v in way.items()} for id, way in (variants or {"base": {}}).items()})


def rotated(by):
    return BRANCHES[by:] + BRANCHES[:by]


BOUND = {"bound": {"at": "Notes.points", "min": 3, "max": 6}}
LETTERS = dict(zip(BRANCHES, "abcd"))
CELLS = {
    "arrays": [
        suite("points", POINTS, "passages", PASSAGE, 104, {
            "naive": {}, "words": guide(WORDS), "fallback": guide(FALLBACK),
            "schema": {"edits": [BOUND]}, "both": {"edits": guide(WORDS)["edits"] + [BOUND]}}),
    ],
    "branch": [
        suite("described", insight(), "notes", NOTE, 40),
        suite("bare", insight(described=False), "notes", NOTE, 40),
        suite("no-out", insight(names=BRANCHES[:3]), "notes", NOTE, 40),
        suite("greedy", insight(), "notes", NOTE, 40, sampling="greedy"),
    ],
    "guides": [
        suite("acts", insight(guides=ACTS), "notes", NOTE, 40),
        suite("examples", insight(guides=WITH_EXAMPLES), "notes", NOTE, 40),
    ],
    # With these instructions, the limit on the length of a point hardly ever ends one.
    "whole": [
        suite("points", points_object(most=60), "passages", SHORT_POINTS, 104, {"naive": {}, "words": guide(WORDS)}),
    ],
    "escape": [
        suite("not-told", insight(guides={"unclear": HATCH}), "notes", NOTE, 40),
        suite("only", insight(guides={"unclear": HATCH_ONLY}), "notes", NOTE, 40),
        suite("renamed", insight(renamed={"unclear": "other"}), "notes", NOTE, 40, names={"other": "unclear"}),
        suite("empty", POINTS, "passages", PASSAGE, 104, {"allowed": guide(ALLOW_EMPTY)}),
    ],
    # With the order of the inputs' branches, each case is at each place once.
    "case-order": [
        suite(f"order-{n}", insight(names=rotated(n)), "notes", NOTE, 40) for n in (1, 2, 3)
    ],
    "names": [
        suite("letters", insight(renamed=LETTERS), "notes", NOTE, 40,
              names={letter: name for name, letter in LETTERS.items()}),
        suite("bound-in-name", points_object("threeToSixPoints"), "passages", PASSAGE, 104),
    ],
    "wrapper": [
        suite("list", {"title": "Points", "type": "array", "items": text(32)}, "passages", PASSAGE, 64),
        # A bare list has no place for a guide, so the words of the guide are in the instructions.
        suite("list-told", {"title": "Points", "type": "array", "items": text(32)}, "passages",
              PASSAGE + " " + WORDS, 64),
    ],
    "fields": [
        suite("described", record(LEAF), "passages", "You catalogue a passage.", 96, outcomes="record"),
        suite("bare", record({}), "passages", "You catalogue a passage.", 96, outcomes="record"),
        suite("no-fallback", record(LEAF | {"year": "The year that the text names, in four digits."}),
              "passages", "You catalogue a passage.", 96, outcomes="record"),
        suite("no-format", record(LEAF | {"summary": "One short sentence."}),
              "passages", "You catalogue a passage.", 96, outcomes="record"),
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
            "typescript": {}, "example": {"options": {"outline": "example"}}}, repeats=8, temperature=1,
            outcomes="draws of a case"),
        suite("kind-free", of_object("Insight", {"kind": KIND}), "notes", NOTE, 24, {
            "typescript": {"options": {"mask": "off"}}, "example": {"options": {"mask": "off", "outline": "example"}},
        }, repeats=2, temperature=1, outcomes="complete"),
        suite("topics", topics(), "passages", "You name the topics of a passage.", 40, repeats=8, temperature=1,
              outcomes="draws of a list"),
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


def suite_files(cell, half, quick=False):
    """Returns the suite files of one half of a cell, by the suite's name."""
    rows = inputs(quick)
    return {s["name"]: suite_file(s, half_of(rows[s["on"]], half)) for s in CELLS[cell]}


def design_digest(cell, half):
    """The digest of everything in a cell that decides its answers: its suites with their inputs."""
    body = json.dumps(suite_files(cell, half), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(body.encode()).hexdigest()
