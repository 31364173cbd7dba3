"""Runs a suite with a local model, and prints how long it took and how much work the engine saved.

The engine saves work because attempts share prompts and passes over the weights.
`scripts/benchmark suite` calls this script. The script writes the suite: test cases with the same
schema and instructions, each with a different passage. Without --model, it also writes a model file
with random weights in the shape of SmolLM2-135M.
"""
import argparse
import json
import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time

parser = argparse.ArgumentParser(prog="scripts/benchmark suite")
parser.add_argument("program")
parser.add_argument("--model", help="a GGUF file")
parser.add_argument("--cases", type=int, default=20)
parser.add_argument("--repeats", type=int, default=20)
parser.add_argument("--jobs", type=int, default=2)
options = parser.parse_args()

NOUNS = ("lighthouse bread owl river clock bridge violin desert glass honey paper salt compass garden winter market "
         "harbor forest candle mirror").split()
SCHEMA = {
    "title": "CardSet", "type": "object", "additionalProperties": False, "required": ["cards"], "x-order": ["cards"],
    "properties": {"cards": {
        "type": "array", "minItems": 2, "maxItems": 3, "items": {
            "title": "Card", "type": "object", "additionalProperties": False,
            "required": ["question", "answer", "level"], "x-order": ["question", "answer", "level"],
            "properties": {"question": {"type": "string", "maxLength": 24}, "answer": {"type": "string", "maxLength": 24},
                           "level": {"type": "string", "enum": ["easy", "medium", "hard"]}}}}}}


def suite():
    cases = []
    for number in range(options.cases):
        noun = NOUNS[number % len(NOUNS)]
        cases.append({"id": f"{noun}-{number}", "input": f"The {noun} is the subject of this passage. It has been known "
                      f"for a long time and people use it in many ways. Number {number} in a list."})
    return {"suite": "cards", "generates": {"inline": SCHEMA},
            "instructions": "You turn a passage into study cards. Use only what the passage says, in plain words.",
            "repeats": options.repeats, "options": {"temperature": 1, "maximumTokens": 256},
            "gate": {"passRate": 0}, "assertions": [{"count": {"path": "$.cards", "min": 2, "max": 3}}], "cases": cases}


def run(folder, model):
    path, reports = os.path.join(folder, "suite.json"), os.path.join(folder, "reports")
    with open(path, "w") as file:
        json.dump(suite(), file)
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    ended = subprocess.run(
        [options.program, "run", path, "--model", model, "--reports", reports, "--jobs", str(options.jobs)],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if ended.returncode != 0:
        sys.exit(ended.stdout)
    database = sqlite3.connect(os.path.join(reports, "results.sqlite"))
    details, = database.execute("SELECT details FROM run").fetchone()
    outcomes = dict(database.execute("SELECT outcome, count(*) FROM attempt GROUP BY outcome"))
    return (wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, outcomes,
            *json.loads(details)["evaluations"].values())


with tempfile.TemporaryDirectory() as folder:
    model = options.model
    if not model:
        model = os.path.join(folder, "random-135m.gguf")
        here = os.path.dirname(os.path.abspath(__file__))
        subprocess.run([sys.executable, os.path.join(here, "../models/random-model"), "135m", "q8_0", model], check=True)
    wall, processor, outcomes, use = run(folder, model)

asked, evaluated = use["promptTokens"] + use["outputTokens"], use["evaluatedTokens"]
print(f"""{options.cases} test cases × {options.repeats} repeats on {options.jobs} workers: {wall:.1f} s, {processor:.1f} s of \
processor time, {use["outputTokens"] / wall:.0f} tokens of answers a second; attempts: {outcomes}
without reuse, the engine would evaluate {asked} tokens ({use["promptTokens"]} of prompts, \
{use["outputTokens"]} of answers), each in its own pass over the weights
  tokens: it evaluated {evaluated}, so it saved {100 * (1 - evaluated / asked):.1f} %
    repeats share their test case's prompt, and test cases share their instructions
    {use["asideTokens"]} of the evaluated tokens are on paths that were not sampled; \
the engine evaluated them only to measure the probabilities of decisions
  passes: it made {use["passes"]}, so it saved {100 * (1 - use["passes"] / asked):.1f} %
    a pass has {evaluated / use["passes"]:.1f} tokens on average, because repeats decode together
    {100 * use["forcedTokens"] / use["outputTokens"]:.0f} % of the answers' tokens are forced, \
and consecutive forced tokens share a pass""")
