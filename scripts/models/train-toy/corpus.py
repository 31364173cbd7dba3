"""The training examples: seven tasks in one prompt format, generated from hand-written lists.

    python corpus.py --show 5        prints five examples of every task
"""

import argparse
import random

import cards
import meetings
import notes
import objects
from words import ADJECTIVES, ADVERBS, BASE, COMMON, FUNCTION, NAMES, NOUNS, PAST, PLACES, PREPOSITIONS, PRESENT

TASKS = {
    "cards": lambda rng, level: cards.sample(rng, level),
    "notes": lambda rng, level: notes.sample(rng),
    "meetings": lambda rng, level: meetings.sample(rng),
    "titled": lambda rng, level: objects.titled(rng),
    "choice": lambda rng, level: objects.choice(rng),
    "profile": lambda rng, level: objects.profile(rng),
    "record": lambda rng, level: objects.record(rng),
}
# Shares of examples, not of tokens: a set of cards is several times as long as any other answer.
SHARES = {"cards": 34, "notes": 38, "meetings": 11, "titled": 4, "choice": 7, "profile": 4, "record": 2}


def sample(rng, level=1.0):
    """One example of a random task; `level` in 0...1 is the position in the curriculum."""
    task = rng.choices(list(SHARES), list(SHARES.values()))[0]
    return TASKS[task](rng, level)


def tokenizer_text(rng, size):
    """Yields the training texts of the tokenizer: examples, listed words, empty lists."""
    for _ in range(size):
        example = sample(rng)
        yield example["request"] + example["answer"]
    pools = (NOUNS, ADJECTIVES, PAST, PRESENT, BASE, PREPOSITIONS, ADVERBS, FUNCTION, NAMES, PLACES, COMMON, COMMON)
    for _ in range(size // 10):
        yield " ".join(" ".join(rng.sample(pool, len(pool))) for pool in pools)
        yield note_words(rng)
    for row in cards.TYPES:
        for _ in range(size // 120):
            yield '{"' + row.split(" ")[2] + '":[]}'


def note_words(rng):
    return " ".join(notes.note(rng, branch) for branch in notes.BRANCHES)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--show", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    generator = random.Random(options.seed)
    for task in TASKS:
        for _ in range(options.show):
            example = TASKS[task](generator, 1.0)
            print("-" * 30, task)
            print(example["request"] + example["answer"])
