#!/usr/bin/env python3
"""A program that Assay evaluates: one process answers many requests.

    assay run evals/tips -b "exec:python3 docs/exec/tips.py"
"""
import json
import random
import sys


def tips(text, seed, temperature):
    """Stands for your own code, which would ask a model here."""
    found = [part.strip() + "." for part in text.split(".") if part.strip()]
    while len(found) < 3:
        found.append(f"Ask an expert question {len(found) + 1} about this.")
    if temperature > 0:
        random.Random(seed).shuffle(found)
    return {"tips": found}


for line in sys.stdin:
    request = json.loads(line)
    reply = {"id": request["id"], "version": "tips 1"}
    try:
        reply["answer"] = tips(
            request["prompt"], request["seed"], request["options"]["temperature"])
        reply["usage"] = {"promptTokens": len(request["prompt"].split())}
    except Exception as error:  # a failure of the program says nothing about the model
        reply["failure"] = {"kind": "backend", "message": repr(error)}
    print(json.dumps(reply), flush=True)
