"""Task 2: turn a short note about quitting a habit into a case of an enum with payloads."""

import guide_texts
import habit_texts as parts
import prompt as render
from note_texts import CORES, HABITS, OFF_TOPIC, OPENERS, TAILS, TIMES
from sentences import sentence, soup
from words import NAMES, count, place, topic_words

BRANCHES = ("craving", "slip", "progress", "unclear")

GUIDES = {
    "craving": """The user feels an urge but has not given in.|An urge or temptation right now.|The writer wants to do it.
The user is tempted.|A craving that was not acted on.|The person feels the pull of the habit.|Wants to, has not.
An urge the user talks about.|The note describes temptation.""".replace("\n", "|").split("|"),
    "slip": """The user gave in.|The user did it again.|A lapse or relapse.|The habit happened.|The person broke the rule.
The writer went back to the habit.|The note admits a lapse.|A setback that already happened.|Gave in.""".replace(
        "\n", "|").split("|"),
    "progress": """The user resisted or kept going.|A success or a good day.|Something went well.|The streak goes on.
The person stayed away from the habit.|The note reports a win.|A step forward.|The writer is proud of something.
Days without the habit.""".replace("\n", "|").split("|"),
    "unclear": """It cannot be told.|None of the others fits.|The note is vague or about something else.|Off topic.
Not enough to go on.|Anything else.|The note says too little.|No sign of the habit.|Use this when in doubt.""".replace(
        "\n", "|").split("|"),
}

FIELD_GUIDES = {
    "reframe": "Another way to see the urge.|One sentence that reframes the urge.|A helpful thought.|",
    "acknowledgement": "A kind sentence about what happened.|Say that it happened, without blame.|Acknowledge it.|",
    "nextStep": "One small next step.|What to do next.|A next step for today.|",
    "compliment": "A warm sentence.|Praise for what went well.|One sentence of praise.|",
    "reason": "Why it is unclear.|What is missing.|One sentence on why no case fits.|",
}

ENDINGS = {
    "reframe": """is an urge, and urges pass.|is only a wave, and it will go down.|is a feeling, not an order.
can wait ten minutes, and then it is weaker.|is a signal to take a break.|will be smaller in an hour.""",
    "acknowledgement": """happened, and it does not undo your work.|was a slip, not the end.|happens to many people.
is one moment, and today is another.|took honesty to write down.|is hard to say, thank you for saying it.""",
    "nextStep": """Call a friend today.|Write down what came before it.|Start again with the next hour.
Remove one trigger this evening.|Go for a short walk now.|Plan tomorrow in one sentence.""",
    "compliment": """is real progress.|is worth being proud of.|shows how strong you are.|is a good step, well done.
took effort, and it paid off.|is a win, keep going.""",
    "reason": """does not say what happened.|is not about the habit.|leaves open what you feel.
says too little to tell.|could mean many things.|needs more detail.""",
}
ENDINGS = {k: v.replace("\n", "|").split("|") for k, v in ENDINGS.items()}

FIELDS = {"craving": ("reframe",), "slip": ("acknowledgement", "nextStep"), "progress": ("compliment",),
          "unclear": ("reason",)}

INSTRUCTIONS = """You sort a note into one case.|Read the note and choose the case that fits.|You are a kind coach.
You support people who quit a habit.|Decide what kind of note this is.|Classify the note and answer kindly.
You read diary notes of people who are quitting.|Sort the note. Choose exactly one case.|You are a recovery assistant.
The user writes a short note after a check-in.|Understand the note and reply with an insight.|Pick one kind.
You are a supportive companion in an app.|Find out what the note is about.""".replace("\n", "|").split("|")

TYPES = """SessionInsight SessionInsight SessionInsight SessionInsight Insight NoteInsight CheckIn NoteKind Reading
Reflection DiaryInsight JournalInsight Outcome Verdict Assessment""".split()

PREFIXES = ("Note: ", "My note: ", "Today: ", "Check-in: ", "The note: ", "Journal: ", "Note:\n")


def fill(rng, text):
    """Fills a template's slots: one habit's forms, then numbers, times, names, topics."""
    habit = rng.choice(HABITS)
    out = text
    for key in ("ing", "base", "past", "obj"):
        out = out.replace("{" + key + "}", habit[key])
    while "{#}" in out:
        out = out.replace("{#}", count(rng, rng.choice((2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 21, 30, 60, 90))), 1)
    while "{t}" in out:
        out = out.replace("{t}", rng.choice(TIMES), 1)
    while "{n}" in out:
        out = out.replace("{n}", rng.choice(NAMES + ["my wife", "my brother", "my sponsor", "a friend", "my boss"]), 1)
    while "{x}" in out:
        out = out.replace("{x}", topic_words(rng), 1)
    return out


def held_out(index):
    return index % 9 == 4


PEOPLE = NAMES + ["my wife", "my brother", "my sponsor", "a friend", "my boss", "my sister", "a colleague"]


def fill_parts(rng, text, habit):
    """Fills the slots of composed notes: a habit's phrases, then numbers, times, names, topics."""
    for key in parts.KEYS:
        while "{" + key + "}" in text:
            text = text.replace("{" + key + "}", rng.choice(habit[key]), 1)
    while "{#}" in text:
        text = text.replace("{#}", count(rng, rng.choice((2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 20, 40, 100, 200))), 1)
    for slot, draw in (("{t}", lambda: rng.choice(TIMES)), ("{n}", lambda: rng.choice(PEOPLE)),
                       ("{x}", lambda: topic_words(rng)), ("{L}", lambda: place(rng))):
        while slot in text:
            text = text.replace(slot, draw(), 1)
    return text


def statement(rng, pool, habit):
    text = fill_parts(rng, rng.choice(pool), habit)
    return text[0].upper() + text[1:]


def daily(rng):
    """A statement of everyday life."""
    draw = rng.random()
    if draw < 0.6:
        when = rng.choice(parts.WHEN)
        return rng.choice(parts.WHO) + " " + rng.choice(parts.DAILY) + (" " + when if when else "")
    return rng.choice(parts.STATES if draw < 0.85 else parts.ASKS)


def composed(rng, branch):
    """A note put together from one habit's phrases, so that few notes occur twice."""
    habit = rng.choice(parts.HABITS)
    if branch == "craving":
        front = statement(rng, parts.SEEN if rng.random() < 0.65 else parts.STATE, habit)
        want = fill_parts(rng, rng.choice(parts.WANT), habit)
        sentences = [rng.choice((front + " and " + want, front + ", " + want, front + ". " + want[0].upper() + want[1:],
                                 want[0].upper() + want[1:]))]
        more, after = 0.3, parts.WANT
    elif branch == "slip":
        sentences = [statement(rng, parts.DID_LEADS, habit)]
        more, after = 0.45, parts.DID_AFTER
    elif branch == "progress":
        sentences = [statement(rng, parts.WIN_LEADS, habit)]
        more, after = 0.45, parts.WIN_AFTER
    else:
        text = fill_parts(rng, rng.choice(parts.VAGUE) if rng.random() < 0.3 else daily(rng), habit)
        sentences = [text[0].upper() + text[1:]]
        more, after = 0.3, parts.VAGUE
        if rng.random() < 0.25:
            extra = fill_parts(rng, daily(rng), habit)
            sentences.append(extra[0].upper() + extra[1:])
    if rng.random() < more:
        sentences.append(statement(rng, after, habit))
    if branch != "unclear" and rng.random() < 0.12:
        sentences.insert(0, statement(rng, parts.STATE, habit))
    joint = ", " if rng.random() < 0.06 else ". "
    text = joint.join(sentences)
    text = (text if text[-1] in ".?!" else text + rng.choices((".", "", "!"), (80, 14, 6))[0]).replace("?.", "?")
    return text.lower() if rng.random() < 0.1 else text


def note(rng, branch, testing=False):
    """Returns a note for an enum case. Training never uses the wordings that are held out for tests."""
    if not testing and rng.random() < 0.55:
        return composed(rng, branch)
    if branch == "unclear" and rng.random() < 0.25:
        draw = rng.random()
        text = sentence(rng, 10) if draw < 0.6 else soup(rng, 2, 8)
        return text
    cores = CORES[branch] + (OFF_TOPIC if branch == "unclear" else [])
    index = rng.choice([i for i in range(len(cores)) if held_out(i) == testing])
    text = fill(rng, cores[index])
    if rng.random() < 0.35:
        text = fill(rng, rng.choice(OPENERS)) + " " + (text if rng.random() < 0.7 else text[0].lower() + text[1:])
    if rng.random() < 0.3 and branch != "unclear":
        text += " " + fill(rng, rng.choice(TAILS[branch]))
    if rng.random() < 0.08:
        text += " " + fill(rng, rng.choice(OPENERS))
    draw = rng.random()
    if draw < 0.12:
        text = text.lower()
    elif draw < 0.2:
        text = text.rstrip(".!") or text
    return text[0].upper() + text[1:] if draw >= 0.12 else text


NEAREST = {"craving": "progress", "slip": "craving", "progress": "craving", "unclear": "craving"}


def quote(text):
    return " ".join(text.replace("\n", " ").split(" ")[:4]).rstrip(".,!?;:")


def case_guide(rng, branch):
    return rng.choice(GUIDES[branch]) if rng.random() < 0.25 else guide_texts.guide(rng, branch)


def field_guide(rng, field):
    if rng.random() < 0.4:
        return rng.choice(FIELD_GUIDES[field].split("|"))
    return guide_texts.field_guide(rng, field)


def sample(rng, testing=False, branch=None):
    branch = branch or rng.choice(BRANCHES)
    text = note(rng, branch, testing)
    present = list(BRANCHES)
    rng.shuffle(present)
    if rng.random() < 0.5:
        present = list(BRANCHES)
    target = branch
    if not testing and rng.random() < 0.07:
        gone = rng.choice(BRANCHES)
        present.remove(gone)
        if gone == branch:
            target = NEAREST[branch]
    # Short examples leave room for more notes. So in half of the examples, the properties have no
    # guides, and in a quarter, the enum cases have no properties except `type`.
    described = rng.random() < 0.75
    fields_described = rng.random() < 0.5
    bare = not testing and rng.random() < 0.25
    blocks = [render.union(rng.choice(TYPES), ["Discriminated" + b.capitalize() for b in present],
                           rng.choice(("What the note is about.", "How the session went.", None, None, None)))]
    root = blocks[0].split(" ")[0]
    for b in present:
        rows = [("type", f'"{b}"', None)]
        for field in () if bare else FIELDS[b]:
            text_guide = field_guide(rng, field) if fields_described else None
            rows.append((field, "string", text_guide))
        blocks.append(render.block("Discriminated" + b.capitalize(), rows,
                                   case_guide(rng, b) if described else None))
    answer = {"type": target}
    for field in () if bare else FIELDS[target]:
        ending = rng.choice(ENDINGS[field])
        answer[field] = ending if field == "nextStep" else f"“{quote(text)}” {ending}"
    user = (rng.choice(PREFIXES) if rng.random() < 0.12 else "") + text + ("\n" if rng.random() < 0.35 else "")
    return {
        "task": "notes",
        "request": render.request(rng.choice(INSTRUCTIONS + guide_texts.INSTRUCTIONS) if rng.random() < 0.9 else None,
                                  render.outline(root, blocks), user),
        "answer": render.compact(answer),
        "branch": branch,
    }
