"""Trains the toy: one process, one thread, one seed.

    python train.py --minutes 36 --layers 4 --tokens 20e6 --out one/
    python train.py --start one/final.pt --tokens 40e6 --minutes 120 --seed 20261121 --out two/
"""

import argparse
import json
import math
import os
import random
import time
from pathlib import Path

os.environ["TOKENIZERS_PARALLELISM"] = "false"
os.environ["RAYON_NUM_THREADS"] = "1"

import torch
import torch.nn.functional as F

import corpus
import evaluate
import tokenizer as vocabulary
from model import Shape, Toy
from tokenizers import Tokenizer

BRANCHES = ("craving", "slip", "progress", "unclear")


class Muon:
    """Momentum with steps that a Newton-Schulz iteration makes orthogonal (Jordan et al., 2024).

    It updates all matrices of one shape, or of its transpose, together.
    """

    def __init__(self, matrices, momentum=0.95, decay=0.01):
        self.momentum, self.decay = momentum, decay
        self.groups = {}
        for p in matrices:
            self.groups.setdefault(tuple(sorted(p.shape)), []).append(p)
        self.state = {id(p): torch.zeros_like(p) for p in matrices}

    @torch.no_grad()
    def step(self, rate):
        for parameters in self.groups.values():
            updates = []
            for p in parameters:
                m = self.state[id(p)]
                m.lerp_(p.grad, 1 - self.momentum)
                update = p.grad.lerp(m, self.momentum)
                updates.append(update.T if update.shape[0] > update.shape[1] else update)
            x = torch.stack(updates)
            x = (x / (x.norm(dim=(1, 2), keepdim=True) + 1e-7)).bfloat16()
            for _ in range(5):
                a = x @ x.mT
                x = 3.4445 * x + (-4.7750 * a + 2.0315 * a @ a) @ x
            for p, update in zip(parameters, x.float()):
                update = update.T if p.shape[0] > p.shape[1] else update
                p.mul_(1 - rate * self.decay)
                p.add_(update, alpha=-rate * max(1.0, p.shape[0] / p.shape[1]) ** 0.5)


def weights_of(tokenizer):
    """The weight of each token of an answer: brackets of lists and names of enum cases count more."""
    weight = torch.ones(tokenizer.get_vocab_size())
    for text, index in tokenizer.get_vocab().items():
        if "]" in text or "[" in text or "},{" in text:
            weight[index] = 8.0
    for branch in BRANCHES:
        weight[tokenizer.encode(branch).ids[0]] = 8.0
    return weight


def grown(shape, weights, layers):
    """A deeper model with the same outputs: the new blocks add nothing until they are trained."""
    deeper = Toy(Shape(**{**shape, "layers": layers}))
    new = layers - shape["layers"]
    at = shape["layers"] // 2
    moved = {}
    for name, value in weights.items():
        if name.startswith("blocks."):
            index = int(name.split(".")[1])
            name = name.replace(f"blocks.{index}.", f"blocks.{index + new if index >= at else index}.", 1)
        moved[name] = value
    deeper.load_state_dict(moved, strict=False)
    for block in deeper.blocks[at : at + new]:
        for matrix in (block.output.weight, block.down.weight):
            torch.nn.init.zeros_(matrix)
    return deeper


class Batches:
    """Examples sorted by length inside a pool, cut into batches of about `budget` tokens."""

    def __init__(self, tokenizer, seed, budget, context, longest=1600):
        self.tokenizer, self.rng, self.budget, self.context = tokenizer, random.Random(seed), budget, context
        self.end = tokenizer.token_to_id("<|im_end|>")
        self.longest = longest
        self.ready, self.examples = [], 0

    def refill(self, level):
        pool = []
        longest = 260 + level * (min(self.context, self.longest) - 260)
        while len(pool) < 640:
            example = corpus.sample(self.rng, level)
            head = self.tokenizer.encode(example["request"]).ids
            tail = self.tokenizer.encode(example["answer"]).ids + [self.end]
            if len(head) + len(tail) <= longest:
                pool.append((head, tail))
        self.examples += len(pool)
        pool.sort(key=lambda e: len(e[0]) + len(e[1]))
        batch, width = [], 0
        for entry in pool:
            width = len(entry[0]) + len(entry[1])
            if batch and (len(batch) + 1) * width > self.budget:
                self.ready.append(batch)
                batch = []
            batch.append(entry)
        self.ready.append(batch)
        self.rng.shuffle(self.ready)

    def next(self, level):
        if not self.ready:
            self.refill(level)
        batch = self.ready.pop()
        width = max(len(h) + len(t) for h, t in batch)
        ids = torch.zeros(len(batch), width, dtype=torch.long)
        part = torch.zeros(len(batch), width - 1)
        for row, (head, tail) in enumerate(batch):
            ids[row, : len(head) + len(tail)] = torch.tensor(head + tail)
            part[row, : len(head) - 1] = 0.3
            part[row, len(head) - 1 : len(head) + len(tail) - 1] = 1.0
        return ids, part


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=36,
                        help="the maximum duration; by its end, the learning rate has fallen to zero")
    parser.add_argument("--tokens", type=float, default=20e6, help="the maximum number of tokens")
    parser.add_argument("--start", type=Path, help="continue from these weights, with their tokenizer")
    parser.add_argument("--out", type=Path, default=Path("work"))
    parser.add_argument("--seed", type=int, default=20261120)
    parser.add_argument("--vocabulary", type=int, default=2048)
    parser.add_argument("--width", type=int, default=160)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--heads", type=int, default=5)
    parser.add_argument("--hidden", type=int, default=384)
    parser.add_argument("--budget", type=int, default=6000)
    parser.add_argument("--longest", type=int, default=1600, help="the maximum length of an example, in tokens")
    parser.add_argument("--rate", type=float, default=0.015)
    parser.add_argument("--decay", type=float, default=0.55,
                        help="the last share of the training, during which the learning rate falls")
    parser.add_argument("--adam-rate", type=float, default=0.003)
    parser.add_argument("--report-minutes", type=float, default=1000)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)

    began = time.time()
    if options.start:
        tokenizer = Tokenizer.from_file(str(options.start.parent / "tokenizer.json"))
        stored = torch.load(options.start)
        model = grown(stored["shape"], stored["weights"], options.layers)
        shape = model.shape
    else:
        tokenizer = vocabulary.train(options.vocabulary, 12000, options.seed)
        shape = Shape(tokenizer.get_vocab_size(), options.width, options.layers, options.heads, options.hidden)
        model = Toy(shape)
    tokenizer.save(str(options.out / "tokenizer.json"))
    total = sum(p.numel() for p in model.parameters())
    print(f"parameters {total} vocabulary {shape.vocabulary} tokenizer {time.time() - began:.0f}s", flush=True)

    matrices = [p for n, p in model.named_parameters() if p.dim() == 2 and "embedding" not in n]
    others = [p for n, p in model.named_parameters() if p.dim() == 1 or "embedding" in n]
    muon = Muon(matrices)
    adam = torch.optim.Adam(others, lr=options.adam_rate, betas=(0.9, 0.98))
    batches = Batches(tokenizer, options.seed + 1, options.budget, shape.context, options.longest)
    weight = weights_of(tokenizer)
    picker = torch.Generator().manual_seed(options.seed + 2)

    def save(name):
        torch.save({"shape": shape.as_dict(), "weights": model.state_dict()}, options.out / name)

    start = time.time()
    limit = options.minutes * 60
    step, seen, reported, losses, spent = 0, 0, 0, [], 0.0
    while True:
        progress = max((time.time() - start - spent) / limit, seen / options.tokens)
        if progress >= 1:
            break
        # The rate warms up, stays constant, and then falls linearly to zero over the last part.
        factor = min((step + 1) / 60, 1.0) * min(1.0, (1 - progress) / options.decay)
        level = 1.0 if options.start else min(1.0, 0.15 + progress / 0.35)
        ids, part = batches.next(level)
        target = ids[:, 1:].reshape(-1)
        part = part.reshape(-1)
        keep = (part == 1) | ((part > 0) & (torch.rand(part.shape, generator=picker) < 0.08))
        chosen = keep.nonzero()[:, 0]
        goal = target[chosen]
        scale = part[chosen] * torch.where(part[chosen] == 1, weight[goal], torch.ones(()))
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = model(ids[:, :-1], chosen)
        loss = (F.cross_entropy(logits.float(), goal, reduction="none") * scale).sum() / scale.sum()
        for p in model.parameters():
            p.grad = None
        loss.backward()
        torch.nn.utils.clip_grad_norm_(others, 1.0)
        for group in adam.param_groups:
            group["lr"] = options.adam_rate * factor
        adam.step()
        muon.step(options.rate * factor)
        step += 1
        seen += ids.numel()
        losses.append(loss.item())
        if step % 50 == 0:
            elapsed = time.time() - start - spent
            print(f"step {step} loss {sum(losses) / len(losses):.4f} tokens {seen} examples {batches.examples} "
                  f"({seen / elapsed:.0f} tokens/s) level {level:.2f} {elapsed / 60:.1f} min", flush=True)
            losses = []
            save("latest.pt")
        if time.time() - start - spent >= (reported + 1) * options.report_minutes * 60:
            reported += 1
            pause = time.time()
            result = evaluate.report(model, tokenizer, seed=99, each=3)
            print(json.dumps(result), flush=True)
            spent += time.time() - pause
    save("final.pt")
    print(f"finished: {step} steps, {seen} tokens, {batches.examples} examples, "
          f"{(time.time() - start) / 60:.1f} minutes", flush=True)


if __name__ == "__main__":
    main()
