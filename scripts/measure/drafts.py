"""Measures how much time drafts from earlier answers save on the suites in evals/.

`scripts/benchmark drafts` calls this script. The script first runs the suites once, so that there are
earlier answers. Then it simulates three kinds of nightly run, each alternately with and without
drafts: one in which nothing has changed; one with new seeds, so that the answers differ from the
earlier ones; and one after a sentence of a guide was edited. The script fails if the answers with
and without drafts differ.
"""
import argparse
import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

parser = argparse.ArgumentParser(prog="scripts/benchmark drafts")
parser.add_argument("program")
parser.add_argument("--model", required=True, help="a GGUF file")
parser.add_argument("--rounds", type=int, default=1)
parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
options = parser.parse_args()
here = os.path.dirname(os.path.abspath(__file__))
EDITED = ("flashcards/schema.json", "From three to eight cards, no two of them alike.",
          "Make three to eight different cards.")


def run(suites, reports, *arguments):
    """Runs suites; returns the wall time, the profile's processor seconds by phase, and a digest of the answers."""
    start = time.monotonic()
    ended = subprocess.run(
        [options.program, "run", suites, "-b", "local", "-m", options.model, "--baseline", "none", "--jobs",
         str(options.jobs), "--profile", "--reports", reports, *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    wall = time.monotonic() - start
    if ended.returncode > 1:
        sys.exit(ended.stdout)
    database = sqlite3.connect(os.path.join(reports, "results.sqlite"))
    number, details = database.execute("SELECT id, details FROM run ORDER BY id DESC LIMIT 1").fetchone()
    answers = database.execute(
        "SELECT suite_id, variant_id, case_id, repeat_index, seed, digest, constraint_pressure FROM attempt "
        "JOIN text ON text.id = output_text WHERE run_id = ? ORDER BY 1, 2, 3, 4", (number,)).fetchall()
    database.close()
    use = json.loads(details)["evaluations"]
    return {"wall": wall, "seconds": seconds(use), "answers": hashlib.sha256(repr(answers).encode()).hexdigest(),
            "count": len(answers), "use": use}


def seconds(use):
    """The processor seconds of all local backends, by phase."""
    total = {}
    for backend in use.values():
        for phase, spent in backend["profile"]["seconds"].items():
            total[phase] = total.get(phase, 0) + spent
    return total


def edit(suites):
    """Changes one sentence of a guide of the flashcards suite."""
    name, old, new = EDITED
    path = os.path.join(suites, name)
    text = open(path).read()
    assert old in text, f"{path} no longer says {old}"
    open(path, "w").write(text.replace(old, new))


def night(title, suites, before, *arguments):
    """Simulates a nightly run with and without drafts in turn.

    Each simulation starts from the same earlier answers."""
    results = {"with drafts": [], "without": []}
    for number in range(options.rounds):
        for kind, more in (("with drafts", []), ("without", ["--no-drafts"])):
            reports = os.path.join(folder, f"{title}-{kind}-{number}".replace(" ", "-"))
            shutil.copytree(before, reports)
            results[kind].append(run(suites, reports, *arguments, *more))
    best = {kind: {"wall": min(r["wall"] for r in runs), "answers": min(r["seconds"]["answers"] for r in runs),
                   "all": min(sum(r["seconds"].values()) for r in runs)} for kind, runs in results.items()}
    if len({r["answers"] for runs in results.values() for r in runs}) > 1:
        sys.exit(f"{title}: the answers with and without drafts differ")
    use = results["with drafts"][0]["use"].values()
    drafted, kept = sum(u["draftedTokens"] for u in use), sum(u["keptDraftTokens"] for u in use)
    tokens = sum(u["outputTokens"] for u in use)
    print(f"{title} ({results['without'][0]['count']} attempts, the same answers; {kept} of {drafted} drafted tokens "
          f"kept, {kept / max(1, tokens):.0%} of the answers' tokens)")
    for name, key in (("processor seconds of answers", "answers"), ("processor seconds of the run", "all"),
                      ("wall seconds", "wall")):
        drafts, none = best["with drafts"][key], best["without"][key]
        print(f"  {name:30} {drafts:7.1f} with drafts, {none:7.1f} without: {drafts / none:.2f}")


with tempfile.TemporaryDirectory() as folder:
    suites = os.path.join(folder, "evals")
    shutil.copytree(os.path.join(here, "..", "..", "evals"), suites, ignore=shutil.ignore_patterns("models", "assay.yaml"))
    first = os.path.join(folder, "first")
    run(suites, first)
    print(f"load {os.getloadavg()[0]:.1f}, {options.jobs} workers, best of {options.rounds} rounds")
    night("unchanged", suites, first)
    night("other seeds", suites, first, "--seed", "77")
    edit(suites)
    night("edited guide", suites, first, "--suite", EDITED[0].split("/")[0])
