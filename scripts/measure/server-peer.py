"""Compares how long the suites in evals/ take on the local engine and on llama-server.

`scripts/benchmark suite --peer llama-server` calls this script. Both sides get the same prompts,
limits, sampling settings and grammar, with compact white space. The times differ in what they
include:

- assay: the whole `assay run`, which also loads the model, measures decisions, and judges, stores
  and reports attempts
- llama-server: only the requests, eight at a time; the server has already loaded the model
"""
import argparse
import concurrent.futures
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request

parser = argparse.ArgumentParser(prog="scripts/benchmark suite --peer llama-server")
parser.add_argument("program")
parser.add_argument("--model", required=True, help="a GGUF file")
parser.add_argument("--rounds", type=int, default=2)
parser.add_argument("--slots", type=int, default=8)
parser.add_argument("--every", type=int, default=1, help="send the server only every Nth request")
options = parser.parse_args()
here = os.path.dirname(os.path.abspath(__file__))
cores = os.cpu_count() or 1


def compact_suites(folder):
    """Copies the suites in evals/, and sets their white space to compact."""
    copy = os.path.join(folder, "evals")
    shutil.copytree(os.path.join(here, "..", "..", "evals"), copy, ignore=shutil.ignore_patterns("models", "assay.yaml"))
    for name in sorted(os.listdir(copy)):
        path = os.path.join(copy, name, "suite.yaml")
        if os.path.isfile(path):
            text = open(path).read()
            text, count = re.subn(r"(?m)^options:\n", "options:\n  whitespace: compact\n", text)
            if not count:
                text += "\noptions: { whitespace: compact }\n"
            open(path, "w").write(text)
    return copy


def run_assay(suites, folder, number):
    """Runs the suites; returns the duration and the attempts of the run."""
    reports = os.path.join(folder, f"reports-{number}")
    start = time.monotonic()
    ended = subprocess.run(
        [options.program, "run", suites, "-b", "local", "-m", options.model, "--baseline", "none", "--reports", reports],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    seconds = time.monotonic() - start
    if ended.returncode > 1:
        sys.exit(ended.stdout)
    database = sqlite3.connect(os.path.join(reports, "results.sqlite"))
    rows = database.execute("""
        SELECT prompt.body, schema.body, suite.options, suite.details, attempt.case_id, attempt.seed,
               attempt.prompt_tokens, attempt.output_tokens
        FROM attempt JOIN suite ON suite.id = attempt.suite_id AND suite.run_id = attempt.run_id
        JOIN variant ON variant.suite_id = suite.id AND variant.id = attempt.variant_id
                    AND variant.run_id = attempt.run_id
        JOIN text AS schema ON schema.id = variant.schema_text
        JOIN text AS prompt ON prompt.id = attempt.prompt_text ORDER BY attempt.id""").fetchall()
    return seconds, rows


def grammars(rows, folder):
    """Returns the grammar of each schema in GBNF."""
    found = {}
    for schema in {row[1] for row in rows}:
        path = os.path.join(folder, "schema.json")
        open(path, "w").write(schema)
        found[schema] = subprocess.run(
            [options.program, "schema", "gbnf", path, "--whitespace", "compact", "--dialect", "apple"],
            stdout=subprocess.PIPE, check=True, text=True).stdout
    return found


def post(port, path, body):
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}{path}", json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=600) as response:
        return json.load(response)


def request(row, grammar):
    """Returns the request that the script sends to the server for an attempt."""
    prompt, _, settings, details, case, seed, _, _ = row
    settings = json.loads(settings)
    own = (json.loads(details or "{}").get("cases") or {}).get(case, {}).get("options")
    settings = own or settings
    greedy = settings.get("isGreedy", False)
    return {"prompt": prompt, "grammar": grammar, "n_predict": settings.get("maximumTokens", 512),
            "temperature": 0 if greedy else settings.get("temperature", 1),
            "top_k": 0, "top_p": settings.get("topP") or 1, "min_p": 0, "seed": seed & 0x7FFFFFFF,
            "samplers": ["top_p", "temperature"], "cache_prompt": True}


def run_server(port, requests):
    """Sends all requests, several at a time; returns the duration and the responses."""
    start = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(options.slots) as pool:
        responses = list(pool.map(lambda body: post(port, "/completion", body), requests))
    return time.monotonic() - start, responses


with tempfile.TemporaryDirectory() as folder:
    suites = compact_suites(folder)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = open(os.path.join(folder, "server.log"), "w")
    server = subprocess.Popen(
        [os.path.join(here, "llama-server"), options.model, str(port), "-t", str(cores), "-c",
         str(2048 * options.slots), "-np", str(options.slots)], stdout=log, stderr=log)
    try:
        for _ in range(600):
            if server.poll() is not None:
                sys.exit("llama-server ended: " + open(log.name).read()[-500:])
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=2)
                break
            except OSError:
                time.sleep(0.5)
        for number in range(options.rounds):
            # Pause the server while Assay runs, so that it takes no processor time from Assay.
            server.send_signal(signal.SIGSTOP)
            seconds, rows = run_assay(suites, folder, number)
            server.send_signal(signal.SIGCONT)
            grammar = grammars(rows, folder)
            # The rows are in the order in which answers finished, so each part has all suites.
            sent = rows[::options.every]
            requests = [request(row, grammar[row[1]]) for row in sent]
            if number == 0:
                post(port, "/completion", requests[0])
            theirs, responses = run_server(port, requests)
            ours, outputs = len(rows) / seconds, sum(row[7] for row in rows)
            produced = sum(response["tokens_predicted"] for response in responses)
            different = sum(
                row[6] != response["tokens_evaluated"] for row, response in zip(sent, responses))
            complete = sum(response.get("stop_type") != "limit" for response in responses)
            load = os.getloadavg()[0]
            print(f"""round {number + 1}, load {load:.1f}, {cores} cores
  assay         {len(rows)} attempts in {seconds:.1f} s: {ours:.2f} a second; {outputs} tokens, {outputs / seconds:.0f} a second
  llama-server  {len(responses)} answers in {theirs:.1f} s: {len(responses) / theirs:.2f} a second; {produced} tokens, \
{produced / theirs:.0f} a second; {complete} complete
  assay makes {ours / (len(responses) / theirs):.2f} times as many attempts and \
{outputs / seconds / (produced / theirs):.2f} times as many tokens a second; {different} prompts differ in length""",
                  flush=True)
    finally:
        server.send_signal(signal.SIGCONT)
        server.terminate()
        server.wait()
