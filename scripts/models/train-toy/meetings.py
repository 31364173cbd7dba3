"""Task 3: turn a meeting note into a title, an ISO date, minutes and an agenda sentence."""

import prompt as render
from sentences import sentence, topic
from words import ADJECTIVES, NOUNS, NUMBER_WORDS, person, place, pseudo

KINDS = """review meeting sync call workshop planning kickoff interview lunch retrospective demo briefing training
update session standup check-in discussion hearing presentation walkthrough""".split()
FRONT = """budget design team project product sales hiring security release marketing quarterly weekly monthly annual
board staff customer roadmap sprint data legal safety press vendor office onboarding strategy research website
garden museum school library client""".split()

TEMPLATES = """{T} {w}. {g}|{T}, {w}. {g}|Reminder: {T} {w}. {g}|We have the {T} {w}. {g}|Let's meet for the {T} {w}. {g}
{g} The {T} is {w}.|Please join the {T} {w}. {g}|{N} scheduled the {T} {w}. {g}|Invitation: {T}, {w}. {g}
Hi all, the {T} takes place {w}. {g}|The {T} was moved, it is now {w}. {g}|{T} with {N} {w}. {g}|Subject: {T}\n\n{W}. {g}
Next up is the {T}, {w}. {g}|Hello {N}, can we hold the {T} {w}? {g}|Don't forget the {T} {w}. {g} Thanks, {N}
I booked {R} for the {T} {w}. {g}|{T} in {R} {w}. {g}|{N} and {N} want a {T} {w}. {g}|Meeting: {T}. {W}. {g}
{T}\n{W}\n{g}|Title: {T}. When: {w}. {g}|Notes for the {T}: {g} We meet {w}.|{W}: {T}. {g}|Dear {N}, I invite you to the {T} {w}. {g}
Could everyone come to the {T} {w}? {g}|{N} asked for a {T} {w}. {g}|Calendar: {T}, {w}. {g}|The {T} happens {w}. {g}""".replace(
    "\n{W}\n{g}|", "\\n{W}\\n{g}|").replace("\n\n{W}", "\\n\\n{W}")
TEMPLATES = [t.replace("\\n", "\n") for t in TEMPLATES.replace("\n", "|").split("|")]

GOALS = """We will go through {x}.|We will talk about {x} and {x}.|The goal is to agree on {x}.|On the agenda: {x}.
Agenda: {x} and {x}.|We need to decide on {x}.|We want to review {x}.|{N} presents {x}.|The topic is {x}.
Bring your notes on {x}.|Main point is {x}.|We plan {x} for {L}.|First {x}, then {x}.|Let us look at {x}.
We'll discuss {x}.|{N} will show {x}, and we decide about {x}.|Discuss {x} with {N}.|It is about {x}.|Purpose: {x}.""".replace(
    "\n", "|").split("|")

ROWS = (
    ("title", "string", """A title of two to six words.|Two to six words.|Short title|A short title of 2 to 6 words, taken from the note.|The title.|"""),
    ("date", "string", """The date as YYYY-MM-DD, or empty if there is none.|ISO-8601 date, or an empty string.|The ISO 8601 date; empty when unknown.|Date (YYYY-MM-DD) or empty|The date of the meeting.|"""),
    ("durationMinutes", "integer 5...480", """Minutes; 30 when the note does not say.|Duration in minutes. Use 30 if it is not given.|How many minutes it takes, 30 as fallback.|Length in minutes (default 30)|"""),
    ("agenda", "string", """One sentence on what is to be discussed.|The agenda in one sentence.|One sentence.|What it is about, one sentence.|"""),
)

NAMES = {"title": ("title",) * 6 + ("name", "subject"), "date": ("date",) * 6 + ("day", "when"),
         "durationMinutes": ("durationMinutes",) * 6 + ("duration", "minutes", "length"),
         "agenda": ("agenda",) * 6 + ("topic", "summary", "purpose")}

INSTRUCTIONS = """Extract the meeting from the note.|You extract meetings.|You read a note and fill in the meeting.
Find the title, date, duration and agenda.|You are an assistant that files meetings.|Pull the meeting details out of the text.
Fill in the fields from the note. Do not invent anything.|Turn the message into a calendar entry.|You extract structured data.
Read the mail and answer with the event.""".replace("\n", "|").split("|")

TYPES = "ExtractedMeeting ExtractedMeeting ExtractedMeeting Meeting MeetingDetails Event CalendarEntry Appointment MeetingNote".split()

PATTERN = r" /^(\d{4}-\d{2}-\d{2})?$/"


def title(rng):
    draw = rng.random()
    if draw < 0.35:
        words = [rng.choice(FRONT), rng.choice(KINDS)]
    elif draw < 0.6:
        words = [rng.choice((pseudo(rng, True), rng.choice(NOUNS))), rng.choice(KINDS)]
    elif draw < 0.75:
        words = [rng.choice(ADJECTIVES), rng.choice(NOUNS + FRONT), rng.choice(KINDS)]
    elif draw < 0.85:
        words = [pseudo(rng, rng.random() < 0.5), rng.choice(NOUNS), rng.choice(KINDS + NOUNS)]
    else:
        words = [f"Q{rng.randint(1, 4)}", rng.choice(FRONT), rng.choice(KINDS)]
    if rng.random() < 0.12:
        words.append(str(rng.randint(1, 40)))
    text = " ".join(words)
    draw = rng.random()
    if draw < 0.4:
        return " ".join(w[0].upper() + w[1:] for w in words)
    return text[0].upper() + text[1:] if draw < 0.7 else text


def date(rng):
    """Returns a date as (text, ISO date); the ISO date is empty if the text has no exact date."""
    year, month, day = rng.randint(2024, 2029), rng.randint(1, 12), rng.randint(1, 28)
    iso = f"{year}-{month:02d}-{day:02d}"
    name = "January February March April May June July August September October November December".split()[month - 1]
    suffix = "th" if 10 <= day <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    week = rng.choice("Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split())
    draw = rng.random()
    if draw < 0.2:
        return f"on {iso}", iso
    if draw < 0.38:
        return f"on {name} {day}, {year}", iso
    if draw < 0.52:
        return f"on {day} {name} {year}", iso
    if draw < 0.56:
        return f"on {name} {day}{suffix}, {year}", iso
    if draw < 0.6:
        return f"on the {day}{suffix} of {name} {year}", iso
    if draw < 0.66:
        return f"on {week}, {name} {day}, {year}", iso
    if draw < 0.7:
        return f"on {week}, {day} {name} {year}", iso
    if draw < 0.72:
        return f"on {name[:3]} {day}, {year}", iso
    return rng.choice((f"on {week}", "tomorrow", "next week", "soon", "this afternoon", f"next {week}", "", "", "",
                       "at noon", "in the morning", "some day", f"every {week}", "later this month")), ""


def duration(rng):
    """Returns a duration as (text, minutes); if the minutes are None, SPELLED has them."""
    value = rng.choice((10, 15, 20, 25, 30, 40, 45, 50, 55, 60, 75, 80, 90, 100, 105, 120, 150, 180))
    hours = rng.randint(2, 8)
    draw = rng.random()
    if rng.random() < 0.08:
        value = 5 * rng.randint(1, 40)
        return f"{value} {rng.choice(('minutes', 'min'))}", value
    if draw < 0.24:
        return f"{value} {rng.choice(('minutes', 'minutes', 'min', 'mins'))}", value
    if draw < 0.30:
        return rng.choice((("thirty", 30), ("fifteen", 15), ("forty-five", 45), ("twenty", 20), ("ninety", 90),
                           ("ten", 10), ("sixty", 60)))[0] + " minutes", None
    if draw < 0.4:
        return rng.choice(("an hour", "one hour", "1 hour", "1h")), 60
    if draw < 0.52:
        return rng.choice((f"{NUMBER_WORDS[hours]} hours", f"{hours} hours", f"{hours}h")), hours * 60
    if draw < 0.58:
        return rng.choice(("half an hour", "half an hour", "30 minutes")), 30
    if draw < 0.61:
        return rng.choice(("three quarters of an hour", "45 minutes", "three-quarters of an hour")), 45
    if draw < 0.66:
        return rng.choice(("1.5 hours", "an hour and a half", "one and a half hours")), 90
    if draw < 0.7:
        return rng.choice((f"{hours}.5 hours", f"{NUMBER_WORDS[hours]} and a half hours")), min(hours * 60 + 30, 480)
    if draw < 0.73:
        return rng.choice(("a quarter of an hour", "15 minutes")), 15
    if draw < 0.76:
        extra = rng.choice((10, 15, 20, 30, 45))
        return rng.choice((f"an hour and {extra} minutes", f"1 hour {extra} minutes", f"1h{extra}")), 60 + extra
    return "", 30


SPELLED = {"thirty": 30, "fifteen": 15, "forty-five": 45, "twenty": 20, "ninety": 90, "ten": 10, "sixty": 60}


def sample(rng):
    name = title(rng)
    when, iso = date(rng)
    span, minutes = duration(rng)
    if minutes is None:
        minutes = SPELLED[span.split(" ")[0]]
    clock = rng.choice(("", "", "", "at 10:30", "at 3 pm", "at 9 o'clock", "at 14:00", f"at {rng.randint(7, 19)}:{rng.choice(('00', '15', '30', '45'))}"))
    where = rng.choice(("", "", "", f"in {place(rng)}", "online", "in room " + str(rng.randint(1, 30))))
    lasting = rng.choice(("for {}", "{}", "and takes {}", "({})", ", {}", "for about {}", "lasting {}")).format(span) if span else ""
    parts = [p for p in (when, clock, where, lasting) if p]
    if rng.random() < 0.2:
        rng.shuffle(parts)
    text = " ".join(parts).replace(" ,", ",").lstrip(", ") or "as usual"
    goal = rng.choice(GOALS)
    while "{x}" in goal:
        goal = goal.replace("{x}", rng.choice(("", "the ", "the ", "our ")) + topic(rng), 1)
    while "{N}" in goal:
        goal = goal.replace("{N}", person(rng), 1)
    goal = goal.replace("{L}", place(rng))
    if rng.random() < 0.15:
        goal = sentence(rng, 9)
    note = rng.choice(TEMPLATES)
    note = note.replace("{T}", name).replace("{w}", text).replace("{W}", text[0].upper() + text[1:])
    while "{N}" in note:
        note = note.replace("{N}", person(rng), 1)
    note = note.replace("{R}", pseudo(rng, True)).replace("{g}", goal)
    # Sometimes, move the duration to a separate sentence.
    if span and rng.random() < 0.25:
        note = note.replace(lasting, "", 1).replace("  ", " ").replace(" .", ".").replace(" ?", "?")
        note += " " + rng.choice(("It takes {}.", "Plan {}.", "Duration: {}.", "It should last {}.", "We need {}.",
                                  "Length: {}.", "Expect {}.", "Please reserve {}.")).format(span)
    if rng.random() < 0.2:
        note += " " + rng.choice(("Thanks!", "See you there.", "Bring coffee.", f"Best, {person(rng)}", "No need to prepare.",
                                  f"{person(rng)} takes notes."))
    rows, keys = [], []
    noted = rng.random() < 0.8
    patterned = rng.random() < 0.35
    for key, kind, guides in ROWS:
        label = rng.choice(NAMES[key]) if rng.random() < 0.25 else key
        if key == "date" and patterned:
            kind += PATTERN
        rows.append((label, kind, rng.choice(guides.split("|")) if noted else None))
        keys.append(label)
    root = rng.choice(TYPES)
    schema = render.outline(root, [render.block(root, rows, rng.choice((None, None, "A meeting found in a note.", "One meeting.")))])
    answer = dict(zip(keys, (name, iso, minutes, goal)))
    user = (rng.choice(("Note: ", "Mail: ", "Note:\n")) if rng.random() < 0.1 else "") + note + ("\n" if rng.random() < 0.35 else "")
    return {"task": "meetings", "request": render.request(rng.choice(INSTRUCTIONS) if rng.random() < 0.9 else None, schema, user),
            "answer": render.compact(answer), "values": answer, "keys": keys}
