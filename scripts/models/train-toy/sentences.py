"""Sentences and passages to copy from: grammatical sentences, or words in random order."""

from words import (ADJECTIVES, ADVERBS, BASE, COMMON, FUNCTION, NOUNS, PAST, PREPOSITIONS, PRESENT, count,
                   noun, number, person, place, pseudo)

PATTERNS = """The {n} {p} the {a} {n}.
A {n} {s} the {n} {r} the {n}.
{N} {p} the {n} in {y}.
{N} {p} a {a} {n} {r} {L}.
In {y}, {N} {p} the {n} of {L}.
The {a} {n} of {L} {p} {#} {n}s {r} the {n}.
{A} {n}s {b} {r} the {n}, and {a} {n}s {b} {r} the {n}.
{L} has {#} {n}s and one {n}.
Every {n} needs a {n} and a {a} {n}.
It {s} the {n} because the {n} is {a}.
They {p} {#} {n}s {d}.
When the {n} is {a}, the {n} {s} {d}.
Most {n}s {b} {d} {r} the {n}.
The {n} is about {#} metres long.
The {n} was {a}, but the {n} was {a}.
Without {n}, the {n} could not {b}.
After the {n}, {N} {p} the {n} and {p} the {n}.
{N} was a {n} who {p} {a} {n}s.
This {n} is called the {w}.
The {w} {s} {n}s {r} the {a} {n}.
{L} lies {r} {L}.
{#} {n}s were {p} {r} {L} in {y}.
You can {b} the {n} if you {b} the {n} {d}.
There are {#} kinds of {n}: the {w}, the {w} and the {w}.
Its {n} is {a} and {a}.
{N}'s {n} {p} the {n}.
A {n} is a {n} that {s} the {n}.
The {n}, which {s} the {n}, is {a}.
{D}, the {n} {s} the {n}.
For {#} years the {n} of {L} was {a}.
We {b} the {n} to {b} the {n}.
Some {n}s {b}; others {b} {d}.
{n} and {n} {b} together.
The first {n} was {p} by {N}.
About {#} percent of the {n} is {n}.
At {#} degrees the {n} {s}.
It takes {#} days to {b} a {n}.
As a result, {n}s {b} more {d} than {n}s.
Today the {n} is {p} by {#} {n}s.
He {p} the {n}, then he {p} the {a} {n}.
She {p} {#} {n}s and {p} them {r} the {n}.
Because of this, a {n} can {b} {r} the {n}.
In the {a} {n}, the {n} {s} {d}.
{N} and {N} {p} the {n} {r} {L}.
So what does a {n} {b}?
Now, the {n} is not really {a}; it is {a}.
Let us {b} the {n} before the {n}.
The {n} – a {a} {n} – {s} the {n}.
One {n} ({a} and {a}) {s} another.
People once thought the {n} was {a}.
The well-known {n} of {L} dates from {y}.
Unlike the {n}, the {n} doesn't {b}.""".split("\n")


def fill(rng, pattern, invented):
    out = []
    at = 0
    while at < len(pattern):
        mark = pattern[at]
        if mark == "{":
            slot = pattern[at + 1]
            out.append(SLOTS[slot](rng, invented))
            at += 3
        else:
            out.append(mark)
            at += 1
    text = "".join(out)
    return text[0].upper() + text[1:]


def _or_pseudo(words):
    return lambda rng, invented: pseudo(rng) if rng.random() < invented else rng.choice(words)


SLOTS = {
    "n": lambda rng, invented: noun(rng, invented),
    "a": _or_pseudo(ADJECTIVES),
    "A": lambda rng, invented: rng.choice(ADJECTIVES).capitalize(),
    "p": _or_pseudo(PAST),
    "s": _or_pseudo(PRESENT),
    "b": _or_pseudo(BASE),
    "r": lambda rng, invented: rng.choice(PREPOSITIONS),
    "d": lambda rng, invented: rng.choice(ADVERBS),
    "D": lambda rng, invented: rng.choice(ADVERBS).capitalize(),
    "N": lambda rng, invented: person(rng),
    "L": lambda rng, invented: place(rng),
    "w": lambda rng, invented: pseudo(rng),
    "y": lambda rng, invented: str(rng.randint(1050, 2029)),
    "#": lambda rng, invented: number(rng),
}

POOLS = (NOUNS, NOUNS, ADJECTIVES, PAST, PRESENT, BASE, FUNCTION, FUNCTION, COMMON, COMMON, COMMON, ADVERBS,
         PREPOSITIONS)


def soup(rng, low=4, high=16):
    """Listed and invented words in random order, so that the toy has to copy them."""
    size = rng.randint(low, high)
    words = []
    for position in range(size):
        draw = rng.random()
        if draw < 0.12:
            word = pseudo(rng, rng.random() < 0.3)
        elif draw < 0.16:
            word = number(rng)
        elif draw < 0.2:
            word = person(rng)
        else:
            word = rng.choice(rng.choice(POOLS))
        if 2 < position < size - 1:
            draw = rng.random()
            word += "," if draw < 0.07 else ";" if draw < 0.08 else ":" if draw < 0.088 else ""
            if draw > 0.985:
                word = "“" + word + "”"
            elif draw > 0.975:
                word = word + "-" + rng.choice(NOUNS)
            elif draw > 0.968:
                word = '"' + word + '"'
            elif draw > 0.96:
                word = word + "’s"
            elif draw > 0.952:
                word = word + " —"
        words.append(word)
    text = " ".join(words)
    return text[0].upper() + text[1:] + rng.choices(".?!", (94, 4, 2))[0]


def sentence(rng, high=16):
    """One sentence ending in a full stop, a question mark or an exclamation mark."""
    draw = rng.random()
    if draw < 0.58:
        text = fill(rng, rng.choice(PATTERNS), 0.03 if draw < 0.4 else 0.35)
        if rng.random() < 0.15:
            tail = fill(rng, rng.choice(PATTERNS), 0.1)
            joint = rng.choice((", and ", ", but ", ", so ", "; ", ", while "))
            text = text[:-1] + joint + tail[0].lower() + tail[1:]
        return text
    if draw < 0.62 and high > 8:
        return soup(rng, 14, 30)
    return soup(rng, 4, max(6, high - 4))


def passage(rng, size, high=16):
    """`size` different sentences."""
    out = []
    while len(out) < size:
        candidate = sentence(rng, high)
        if candidate not in out:
            out.append(candidate)
    return out


def lay_out(rng, sentences, plain=False):
    """Sentences as running text: one line, paragraphs, or lines wrapped at a width."""
    draw = 0 if plain else rng.random()
    if draw < 0.55:
        text = " ".join(sentences)
    elif draw < 0.75:
        text = "".join(
            s + (rng.choice(("\n", "\n\n")) if rng.random() < 0.3 else " ") for s in sentences
        ).rstrip()
    else:
        text, width = "", rng.randint(60, 120)
        used = 0
        for word in " ".join(sentences).split(" "):
            if used and used + 1 + len(word) > width:
                text += "\n" + word
                used = len(word)
            else:
                text += (" " if used else "") + word
                used += len(word) + (1 if used else 0)
    return text + ("\n" if not plain and rng.random() < 0.35 else "")


def topic(rng):
    """A noun phrase of one to three words."""
    draw = rng.random()
    if draw < 0.3:
        return pseudo(rng, rng.random() < 0.4)
    if draw < 0.6:
        return noun(rng, 0.1)
    return rng.choice(ADJECTIVES) + " " + noun(rng, 0.25)
