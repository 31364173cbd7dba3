"""Task 1: turn a passage into a set with as many cards as the guide asks for.

If the guide states no number, the sets are short and sometimes empty, especially for short passages.
This is intended, because on-device models do the same.

If the guide states a range of four or more values, the number of cards is never the lowest or the
highest value. So a model that writes one card too many or too few stays within the range.
"""

import prompt as render
from sentences import lay_out, passage, sentence
from words import NOUNS, count, pseudo

TYPES = """DraftCardSet DraftCard cards|CardSet Card cards|FlashcardDeck Flashcard flashcards|Deck Card cards
StudySet StudyCard cards|StudyDeck Flashcard cards|NoteList Note notes|FactSheet Fact facts|TipList Tip tips
Digest Point points|Summary KeyPoint points|Quiz QuizItem items|QuizSet Question questions|Review Entry entries
LessonCards LessonCard cards|Outline Item items|CardList DraftCard cards|Revision Card cards""".replace(
    "\n", "|").split("|")

FIELDS = (("question", "answer"),) * 9 + (
    ("prompt", "reply"), ("ask", "tell"), ("front", "back"), ("query", "response"), ("q", "a"),
    ("term", "text"), ("title", "body"), ("heading", "detail"))

ASKS = ("question", "prompt", "ask", "front", "query", "q")

RANGES = """From {a} to {b} {t}|from {a} to {b} {t}|Between {a} and {b} {t}|between {a} and {b} {t}|{a} to {b} {t}
{a}-{b} {t}|{a}–{b} {t}|No fewer than {a} and no more than {b} {t}|At least {a} and at most {b} {t}
at least {a}, at most {b} {t}|A minimum of {a} and a maximum of {b} {t}|Never fewer than {a} and never more than {b} {t}
{a} or more {t}, up to {b}|Keep the number of {t} between {a} and {b}|Not less than {a} and not more than {b} {t}
The list has {a} to {b} {t}|Write {a} to {b} {t}|Make between {a} and {b} {t}|Always {a} to {b} {t}, whatever the length
Minimum {a} {t}, maximum {b}|The number of {t} must lie between {a} and {b}|Give anywhere from {a} to {b} {t}
There must be at least {a} {t} and there may be up to {b}|You always write at least {a} {t}, but never over {b}
{t}: {a} to {b}|Somewhere between {a} and {b} {t}|Stay within {a} to {b} {t}|Not under {a} {t}, not over {b}
Return at least {a} {t}; stop at {b}|{a} is the smallest number of {t}, {b} the largest""".replace("\n", "|").split("|")

LOWER = """At least {a} {t}|at least {a} {t}|No fewer than {a} {t}|{a} or more {t}|A minimum of {a} {t}
Never fewer than {a} {t}|Always {a} {t} or more|Write at least {a} {t}|There must be {a} {t} or more
not less than {a} {t}|Not fewer than {a} {t}|Make {a} {t} at the very least|Give a minimum of {a} {t}
Even a short text gets at least {a} {t}""".replace("\n", "|").split("|")

UPPER = """At most {b} {t}|at most {b} {t}|No more than {b} {t}|Up to {b} {t}|A maximum of {b} {t}
Never more than {b} {t}|{b} {t} at most|Not over {b} {t}|One to {b} {t}""".replace("\n", "|").split("|")

EXACT = """Exactly {a} {t}|exactly {a} {t}|{a} {t}, no more and no fewer|Write {a} {t}|Precisely {a} {t}
Make {a} {t}|Always {a} {t}|A list of {a} {t}""".replace("\n", "|").split("|")

SHORT = """If the passage is short, ask about parts of its sentences.|If the text is too short, split its sentences.
When there is little text, add {t} on related parts.|If there is not enough text, ask again in another way.
For a short input, break a sentence into several {t}.|With a short passage, make more than one of a sentence.
Where the text is short, divide it into smaller facts.|If the input is too short for that, use related facts.
When the passage has too few facts, split them up.|Never leave the list empty.|An empty list is never right.
If you run out of facts, look at the details.|Short input is no excuse: split a fact into parts.
Should the passage say too little, reuse its sentences from another angle.""".replace("\n", "|").split("|")

DISTINCT = """No two alike.|no two alike.|Do not repeat a question.|Each one covers another fact.|All different.
No near-duplicates.|Never ask the same thing twice.|Every one is about something else.|Avoid repetition.
They must differ from each other.""".replace("\n", "|").split("|")

NAIVE = """Some {t} about the text.|The {t}.|The list of {t}.|Study {t}.|{T} for the student.|A list of helpful {t}.
{T} made from the passage.|Helpful {t}, short and clear.|The most important facts as {t}.|Good {t}.|the {t}
Useful {t} for learning.|{T} that help to remember the passage.|All {t} of the set.|What the reader should know.
The key facts of the passage.|A few {t}.|Several {t}.|{T} on the main ideas.|Whatever is worth learning.
{T} to study with.|Clear {t} about the text.|{T}, each with one fact.|The main points.|Interesting {t} about the topic.
A set of {t} that covers the passage.|Generated {t}.|{T} based on the input.|the generated {t}|Nice {t}
An array of {t}.|{T} a student can use before an exam.|Short {t}.|A collection of {t} about what is described.
Important {t} from the text below.|{T} drawn from the given text, in the order of the text.""".replace("\n", "|").split("|")

INSTRUCTIONS = """You turn a passage into {t}.|You make {t} from a passage.|Turn the text into {t}.
You are a tutor. You write {t}.|Read the passage and write {t}.|You help students study.|Make {t} from the text.
Create {t} that help a student learn the passage.|You write short {t} about a text.|Write {t} for the passage.
You are a helpful assistant.|You are a teacher who prepares {t} for a class.|Summarise the passage as {t}.
From the text of the user you make {t}.|Read what the user gives you and answer with {t}.|You prepare {t}.
Your job is to write {t}. Use only the passage.|Use the words of the passage.|Extract {t} from the passage.
You are a study assistant that reads notes and lectures.|Produce {t}. Stick to what the text says.
The user pastes a text; you return {t} about it.|Help the user to remember a text.""".replace("\n", "|").split("|")

TYPE_NOTES = """A set of {t}.|{T} for one passage.|What the student studies.|A deck made from a passage.
The result.|A set made from what the user wrote.|{T}.|Study material.""".replace("\n", "|").split("|")

ITEM_NOTES = """One card.|A question with its answer.|One fact.|A single item.|A small piece of knowledge.
One thing to learn.""".replace("\n", "|").split("|")

FIRST_NOTES = """A short question.|The question.|A question about one fact.|What is asked.|One question, one line.
A clear question about the text.|The question on the front.|Asks for one thing.|""".replace("\n", "|").split("|")

SECOND_NOTES = """The answer in one sentence.|The answer.|A short answer.|One sentence from the text.|What the text says.
The answer, in the words of the passage.|A complete sentence.|The correct answer in a sentence.|""".replace(
    "\n", "|").split("|")

LEADS = """Passage:\n|Text: |Make {t} from this:\n\n|Here is the passage.\n\n|Make {t} of the following text.\n
The text:\n\n|Please make {t} from this passage: |Notes from today:\n""".replace("\n|", "\n|").split("|")


def things(rng, name):
    draw = rng.random()
    return name if draw < 0.7 else rng.choice(("cards", "items", "entries", "of them", "questions"))


def clause(rng, pattern, a, b, named):
    """A statement of the bound, with its numbers in words or in digits."""
    words = rng.random() < 0.6
    text = pattern
    for slot, value in (("{a}", a), ("{b}", b)):
        if value is not None:
            text = text.replace(slot, count(rng, value, words))
    text = text.replace("{t}", things(rng, named))
    if text[:1].islower() and rng.random() < 0.7:
        text = text[0].upper() + text[1:]
    return text + "."


def draw_bound(rng):
    """(kind, lowest, highest): the kind of statement, and the bounds that it states."""
    kind = rng.choices(("range", "lower", "exact", "upper"), (74, 14, 7, 5))[0]
    if kind == "range":
        if rng.random() < 0.45:
            return kind, 3, 8
        low = rng.choice((1, 2, 2, 3, 3, 4, 4, 5, 6))
        return kind, low, low + rng.randint(1, 6)
    if kind == "lower":
        return kind, rng.choice((2, 3, 3, 3, 4, 4, 5, 6)), None
    if kind == "exact":
        value = rng.randint(1, 8)
        return kind, value, value
    return kind, None, rng.randint(1, 8)


HELD_RANGES = """The deck holds {a} {t} at the least and {b} at the most|From {a} up to {b} {t}, never less
Give me a minimum of {a} and at most {b} {t}|Aim for {a} to {b} {t} in all|No less than {a}, no more than {b} {t}
Between {a} and {b} {t} in total, neither more nor fewer""".replace("\n", "|").split("|")

HELD_NAIVE = """{T} for revision.|The {t} of this set.|Handy {t} that cover the text.|What to remember, as {t}.
Facts worth keeping.|The {t} in the deck.""".replace("\n", "|").split("|")

PATTERNS = {"range": RANGES, "lower": LOWER, "exact": EXACT, "upper": UPPER}


def draw_size(rng, size, kind, low, high):
    """The number of cards for a passage of `size` sentences."""
    if kind == "naive":
        empty = {1: 0.24, 2: 0.16, 3: 0.1}.get(size, 0.03)
        if rng.random() < empty:
            return 0
        if size == 1:
            return 1 if rng.random() < 0.93 else 2
        if size == 2:
            return rng.choice((1, 2))
        if size == 3:
            return rng.choices((1, 2, 3), (25, 45, 30))[0]
        share = rng.uniform(0.25, 0.7)
        return max(1, min(round(size * share), 6))
    if kind == "some":
        return max(1, min(size, 9))
    lowest, highest = low or 1, high if high is not None else max(low, 8)
    if low and highest - lowest >= 3:
        lowest, highest = lowest + 1, highest - 2 + (highest - lowest == 3)
    return max(lowest, min(size, highest))


def words_of(text, start, length):
    return " ".join(text.split(" ")[start : start + length])


def write_cards(rng, sentences, size):
    """The cards as tuples: first those for whole sentences, then those for parts of sentences.

    A tuple is the phrase to ask about, the answer, and whether the card is for a part.
    """
    cards, reached = [], [0] * len(sentences)
    for text in sentences[:size]:
        span = 3 if len(text.split(" ")) > 5 else 2
        cards.append((words_of(text, 0, span), text, False))
    at = 0
    while len(cards) < size:
        text = sentences[at]
        total = len(text.split(" "))
        reached[at] = reached[at] + 2 if reached[at] + 4 <= total else 1
        start = reached[at]
        rest = words_of(text, start + 2, total)
        cards.append((words_of(text, start, 2), rest if rest.count(" ") else text, True))
        at = (at + 1) % len(sentences)
    return cards


STYLES = (("How does “{}” go on?", "What comes after “{}”?"),) * 3 + (
    ("What is said about “{}”?", "What follows “{}”?"),)


def sample(rng, level=1.0, kind=None, size=None, testing=False):
    """One example. `level` from 0 to 1 lengthens the passages (the curriculum).

    If `testing` is true, guides that state a range, and guides that say nothing about the number,
    use wordings that training never sees.
    """
    if rng.random() < 0.9:
        root, item, named = rng.choice(TYPES).split(" ")
    else:
        item = pseudo(rng, True)
        root, named = item + rng.choice(("Set", "List", "Deck", "Box")), rng.choice(NOUNS) + "s"
    plain = rng.random() < 0.1
    fields = rng.choice(FIELDS)
    if kind is None:
        kind = rng.choices(("naive", "stated", "some"), (33, 64, 3))[0]
    low = high = None
    if kind == "stated":
        kind, low, high = draw_bound(rng)
    elif kind == "3...8":
        kind, low, high = "range", 3, 8
    if size is None:
        weights = (15, 15, 14, 12, 10, 8, 6, 5, 4, 3, 2, 2, 1.5, 1.5)
        longest = 1 + round(level * (len(weights) - 1)) if level < 1 else len(weights)
        size = rng.choices(range(1, longest + 1), weights[:longest])[0]
        if level >= 1 and rng.random() < 0.03:
            size = rng.randint(15, 28)
    # Half of the passages have short sentences, so that the same number of training tokens contains
    # more decisions about the end of the list.
    short_words = rng.choice((7, 10)) if size > 8 or level < 0.4 else rng.choice((7, 8, 12, 16))
    sentences = passage(rng, size, short_words)
    number = draw_size(rng, size, kind, low, high)
    cards = write_cards(rng, sentences, number)

    guide, type_note, system = None, None, None
    bound = ""
    if rng.random() < 0.88:
        system = rng.choice(INSTRUCTIONS)
    if rng.random() < 0.35:
        type_note = rng.choice(TYPE_NOTES)
    if kind == "naive":
        guide = rng.choice(HELD_NAIVE if testing else NAIVE) if testing or rng.random() < 0.85 else None
        if guide and rng.random() < 0.12:
            guide += " " + rng.choice(DISTINCT)
    elif kind == "some":
        guide = rng.choice(NAIVE) + " " + rng.choice(("Never leave the list empty.", "At least one.",
                                                      "The list is never empty.", "Not empty."))
    else:
        wordings = HELD_RANGES if testing and kind == "range" else PATTERNS[kind]
        stated = clause(rng, rng.choice(wordings), low, high, named)
        extra = []
        if rng.random() < 0.5:
            extra.append(rng.choice(DISTINCT))
        if low and rng.random() < 0.55:
            extra.append(rng.choice(SHORT))
        rng.shuffle(extra)
        where = rng.choices(("guide", "type", "system", "outline", "both"), (62, 11, 11, 10, 6))[0]
        if testing:
            where = "guide"
        statement = " ".join([stated] + extra)
        if rng.random() < 0.15:
            statement = rng.choice(NAIVE) + " " + statement
        if where in ("guide", "both"):
            guide = statement
        elif where == "type":
            type_note = statement
        elif where == "system":
            system = (system + " " if system else "") + statement
        if where in ("outline", "both"):
            bound = {"range": f" {low}...{high}", "lower": f" {low}...", "upper": f" ...{high}",
                     "exact": f" {low}...{low}"}[kind]
        if where != "guide" and guide is None and rng.random() < 0.6:
            guide = rng.choice(NAIVE)

    def fit(text):
        return text and text.replace("{t}", named).replace("{T}", named.capitalize())

    blocks = [render.block(root, [(named, f"[{'string' if plain else item}]{bound}", fit(guide))],
                           fit(type_note))]
    if not plain:
        notes = rng.random() < 0.75
        first = rng.choice(FIRST_NOTES) if notes else None
        second = rng.choice(SECOND_NOTES) if notes else None
        blocks.append(render.block(item, [(fields[0], "string", first), (fields[1], "string", second)],
                                   rng.choice(ITEM_NOTES) if rng.random() < 0.2 else None))
    user = lay_out(rng, sentences, plain=level < 0.4)
    if rng.random() < 0.12:
        user = rng.choice(LEADS).replace("{t}", named) + user

    whole, part = rng.choice(STYLES)
    values = []
    for phrase, answer, tail in cards:
        if plain:
            values.append(answer)
            continue
        head = (part if tail else whole).format(phrase) if fields[0] in ASKS else phrase
        values.append({fields[0]: head, fields[1]: answer})
    return {
        "task": "cards",
        "request": render.request(fit(system), render.outline(root, blocks), user),
        "answer": render.compact({named: values}),
        "kind": kind, "low": low, "high": high, "size": size, "sentences": sentences,
        "path": (named, None if plain else fields[1]),
    }
