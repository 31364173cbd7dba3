"""Samples answers without a mask to examples that aren't in the training data, and counts the right ones.

    python evaluate.py work/final.pt --each 40
"""

import argparse
import json
import random
from pathlib import Path

import torch

import cards
import meetings
import notes
import objects
from model import Shape, Toy
from tokenizers import Tokenizer


@torch.no_grad()
def complete(model, tokenizer, request, temperature=0.7, generator=None, limit=700):
    """Returns the text of the answer, and whether the model ended it by itself."""
    ids = tokenizer.encode(request).ids
    end = tokenizer.token_to_id("<|im_end|>")
    cache = [{} for _ in model.blocks]
    limit = min(limit, model.shape.context - len(ids) - 1)
    logits = model(torch.tensor([ids]), cache=cache)[0, -1]
    out = []
    for _ in range(limit):
        if temperature == 0:
            token = logits.argmax().item()
        else:
            token = torch.multinomial((logits.float() / temperature).softmax(-1), 1, generator=generator).item()
        if token == end:
            return tokenizer.decode(out, skip_special_tokens=False), True
        out.append(token)
        logits = model(torch.tensor([[token]]), cache=cache, start=len(ids) + len(out) - 1)[0, -1]
    return tokenizer.decode(out, skip_special_tokens=False), False


def parse(text):
    try:
        value = json.loads(text)
        return value if isinstance(value, dict) else None
    except ValueError:
        return None


def share(part, whole):
    return round(part / whole, 3) if whole else None


def report(model, tokenizer, seed, each, temperature=0.7):
    """Measures the answers to the examples of each task.

    It samples `each` sets of cards for each kind of guide and each length of passage. It samples
    four times as many meetings, and twice as many examples of every other task and of every enum
    case."""
    model.eval()
    rng = random.Random(seed)
    generator = torch.Generator().manual_seed(seed)

    def answer(example):
        text, _ = complete(model, tokenizer, example["request"], temperature, generator)
        return parse(text), text

    out = {}
    right = total = 0
    for kind, testing in (("3...8", False), ("3...8", True), ("naive", False), ("naive", True), ("any", False)):
        row = {}
        for size in (1, 2, 3, 5, 8, 12):
            inside = empty = few = valid = own = 0
            counts = []
            for _ in range(each):
                example = cards.sample(rng, 1.0, "stated" if kind == "any" else kind, size, testing)
                value, _ = answer(example)
                name, field = example["path"]
                items = value.get(name) if value else None
                if not isinstance(items, list):
                    continue
                valid += 1
                counts.append(len(items))
                inside += 3 <= len(items) <= 8
                empty += not items
                few += len(items) < 3
                low, high = example["low"] or 0, example["high"] or 99
                own += low <= len(items) <= high
                passage = " ".join(example["sentences"])
                for item in items:
                    text = item.get(field) if isinstance(item, dict) and field else item
                    total += 1
                    right += isinstance(text, str) and len(text) > 3 and text in passage
            row[size] = {"n": each, "valid": valid, "mean": share(sum(counts), len(counts)), "in3to8": inside,
                         "empty": empty, "under3": few}
            if kind == "any":
                row[size]["inStated"] = own
        out[f"cards, {kind}{', unseen wording' if testing else ''}"] = row
    out["cards, answers copied exactly"] = {"right": right, "of": total, "share": share(right, total)}

    for testing in (False, True):
        row = {}
        for branch in notes.BRANCHES:
            hits = 0
            for _ in range(each * 2):
                example = notes.sample(rng, True, branch) if testing else seen_note(rng, branch)
                value, text = answer(example)
                hits += bool(value) and value.get("type") == branch
            row[branch] = share(hits, each * 2)
        out["notes, unseen wording" if testing else "notes, seen wording"] = row

    hits = dict.fromkeys(("title", "date", "durationMinutes", "agenda"), 0)
    for _ in range(each * 4):
        example = meetings.sample(rng)
        value, _ = answer(example)
        for key, label in zip(hits, example["keys"]):
            hits[key] += bool(value) and value.get(label) == example["values"][label]
    out["meetings, exact"] = {k: share(v, each * 4) for k, v in hits.items()}

    whole = filled = picked = copied = 0
    for _ in range(each * 2):
        example = objects.titled(rng)
        value, _ = answer(example)
        whole += bool(value)
        box = value.get(example["box"]) if value else None
        filled += isinstance(box, dict) and list(box) == example["parts"] and all(box.values())
        example = objects.choice(rng)
        value, _ = answer(example)
        picked += bool(value) and example["picked"] in value.values()
        example = objects.profile(rng)
        value, _ = answer(example)
        copied += bool(value) and (example["vague"] or tuple(value.values()) == example["values"])
    n = each * 2
    out["titled"] = {"valid": share(whole, n), "all parts filled": share(filled, n)}
    out["choice, right"] = share(picked, n)
    out["profile, all copied"] = share(copied, n)
    model.train()
    return out


def seen_note(rng, branch):
    while True:
        example = notes.sample(rng, False, branch)
        if f'"type":"{branch}"' in example["answer"]:
            return example


def load(path):
    stored = torch.load(path)
    model = Toy(Shape(**stored["shape"]))
    model.load_state_dict(stored["weights"])
    return model, Tokenizer.from_file(str(Path(path).parent / "tokenizer.json"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--each", type=int, default=30)
    parser.add_argument("--seed", type=int, default=99)
    parser.add_argument("--temperature", type=float, default=0.7)
    options = parser.parse_args()
    torch.set_num_threads(1)
    trained, words = load(options.checkpoint)
    print(json.dumps(report(trained, words, options.seed, options.each, options.temperature), indent=1))
