"""Guides for the enum cases of notes. They are composed of parts, so that few guides occur twice.

A guide says when to choose its case, and often also when *not* to. Such a guide contains words of
other cases, and the toy must still sort the note correctly.
"""


def rows(text):
    return [cell.strip() for cell in text.replace("\n", "|").split("|") if cell.strip()]


HEADS = rows("""Choose this when|Use this if|When|For notes in which|Only when|This case is for notes where|If
Applies when|Pick it if|Right when|Take this one when|Meant for notes in which|Select this if|Fits when|Whenever
This is the one when|To be used when""")

WHO = rows("the user|the writer|the person|someone|the author|the client|the note's author|he or she")

BODIES = {
    "craving": rows("""feels an urge and has not acted on it|wants it badly and still holds out|is tempted at this moment
fights the wish to do it again|speaks of wanting it, not of having done it|is near giving in but has not
is drawn to the habit|asks how to get through the next hour|longs for it|cannot stop thinking about it
has the habit on the mind all day|describes a trigger and the pull of it|is afraid of doing it again
feels restless and looks for an excuse|resists, and says how hard that is|imagines doing it|misses the habit
is in front of it and undecided|has an itch for it|is bargaining about just one time"""),
    "slip": rows("""did it again|gave in|went back to the habit, even once|admits a lapse|broke the plan
had some of it and regrets it|tells of a relapse|reports that the streak has ended|could not resist and did it
has already done it|starts over because of last night|confesses to it|did what they had promised to leave
lost the count of days|fell back|used, drank, smoked, played or bought|feels guilty after doing it|ruined a good run
says that it happened|did it and hides it from others"""),
    "progress": rows("""stayed away from it|got through a hard moment without it|reports a success|counts days without it
said no|did something else in its place|is proud of a step|notices that it gets easier|reached a milestone
walked past and went on|kept the promise|was offered it and turned it down|feels better since stopping
handled a trigger well|tells of a good evening without it|made a change that helps|resisted and is past it
took a step against the habit|has gone a while without it|celebrates a clean week"""),
    "unclear": rows("""says nothing about the habit|writes about something else|leaves open what happened|is too brief to tell
only talks about the day|asks something off topic|gives no hint of an urge, a lapse or a success
could mean several things|writes single words|tells a story about other people|mentions no feeling and no deed
talks about the weather, work or plans|is impossible to sort|does not say enough"""),
}

CONTRASTS = {
    "craving": rows("""Not when it has already happened.|A lapse belongs elsewhere.|If they gave in, it is a slip.
Resisting with pride is progress.|Past urges that were beaten do not count.|An old slip in the note changes nothing."""),
    "slip": rows("""Not for mere wishes.|An urge alone is a craving.|Even a small amount counts.|Also when they are sorry.
Days before it do not make it progress.|Only deeds count, not thoughts."""),
    "progress": rows("""Not when they are still fighting an urge.|A craving that is over counts here.|Small wins count.
If they gave in at the end, it is a slip.|Even if it was hard.|Numbers of days are a sign of it."""),
    "unclear": rows("""Better this than a guess.|When in doubt, take this.|Not for cravings, slips or progress.
Use it instead of guessing.|The way out for notes that fit nothing.|Do not invent a feeling."""),
}

FILLERS = rows("""Read the whole note first.|The tone does not matter.|One case only.|Look at what was done.|Be careful here.
Think of the last sentence.|The habit can be anything.|Names and places are not important.|The user trusts you.""")

ODD = rows("""A case.|One case.|A kind of note.|See the name.|Case of the enum.|The name says it.|-|Description.|A note of this kind.""")

FIELD_HEADS = rows("""One short sentence|A single sentence|One warm sentence|A sentence|A few words|One line|In one sentence,
At most fifteen words|Plain words|A gentle line|Short text""")

FIELD_BODIES = {
    "reframe": rows("""that shows the urge in another light|on why the urge will pass|that helps to wait|to make the pull smaller
about the wave that goes down"""),
    "acknowledgement": rows("""that says what happened, without blame|on the honesty of telling it|that accepts the lapse
to say that it was heard|about the slip"""),
    "nextStep": rows("""with one thing to do today|that names a small step|on how to go on|about the next hour|to try now"""),
    "compliment": rows("""of praise|about what went well|that honours the effort|to say well done|on the win"""),
    "reason": rows("""on why none of the cases fits|about what is not said|that tells what is lacking|naming what would help to tell"""),
}

INSTRUCTIONS = rows("""You help people leave a habit behind. Sort what they write.|The app asks what a diary note is about.
You get one note. Decide which case it belongs to and fill it in.|Each note belongs to exactly one of the cases.
You answer people in recovery with kindness.|Look at the note of a person in recovery and name its kind.
Be brief and kind. Choose the case by its description.|You are an assistant in a habit tracker.
People send notes while they give up something. Say which case it is.|First decide what happened, then answer.
Do not guess: sort the note by what it says.|You label notes for a counsellor.|Understand what the writer went through.""")


def guide(rng, branch):
    """Returns a guide for an enum case: one to three sentences, or words that say nothing."""
    draw = rng.random()
    if draw < 0.08:
        return rng.choice(ODD)
    who, body = rng.choice(WHO), rng.choice(BODIES[branch])
    if draw < 0.55:
        text = f"{rng.choice(HEADS)} {who} {body}"
    elif draw < 0.85:
        text = who[0].upper() + who[1:] + " " + body
    else:
        text = "The note says that " + who + " " + body
    if rng.random() < 0.25:
        text += rng.choice((" or ", ", or ")) + rng.choice(BODIES[branch])
    text += "."
    if rng.random() < 0.4:
        text += " " + rng.choice(CONTRASTS[branch])
    if rng.random() < 0.12:
        text += " " + rng.choice(FILLERS)
    return text


def field_guide(rng, field):
    return f"{rng.choice(FIELD_HEADS)} {rng.choice(FIELD_BODIES[field])}."
