"""Tests the toy on hand-written inputs, which no template generates and training never sees.

    python hand_check.py work/final.pt
"""

import argparse
from pathlib import Path

import torch

import prompt as render
from evaluate import complete, load, parse, share

PASSAGES = [
    "Bananas are berries, botanically speaking. Strawberries are not.",
    "The violin has four strings, tuned a fifth apart.",
    "Sloths come down from their trees about once a week. They can hold their breath for longer than dolphins.\nTheir "
    "fur is home to algae, which gives it a greenish tint.",
    "Concrete is not cement. Cement is the powder that, mixed with water, binds sand and gravel together. The Romans "
    "added volcanic ash, and some of their harbours still stand. Modern concrete usually carries steel bars inside, "
    "because it is strong when squeezed but weak when pulled.",
    "Before refrigerators, people cut ice from lakes in winter and stored it in straw.\nFrederic Tudor shipped New "
    "England ice to Calcutta in 1833. The trip took four months. Much of the cargo\nmelted on the way, yet the rest "
    "sold at a profit. By 1900 machines made ice anywhere, and the trade\ndied within a generation.\n",
    "Every autumn, bar-tailed godwits fly from Alaska to New Zealand without stopping. The journey is about 11,000 "
    "kilometres long. It takes the birds eight or nine days. Before they leave, they eat until half of their weight "
    "is fat. Their stomachs and livers shrink to save weight. They sleep with one half of the brain at a time. No one "
    "knows exactly how they find the way. Young birds make the trip without their parents. Scientists follow them "
    "with small transmitters. One bird flew 13,560 kilometres in eleven days.",
]

NOTES = [
    ("craving", "Passed the casino on my way to the dentist and my palms got sweaty, I keep picturing the tables."),
    ("craving", "There is a bottle in the fridge from the guests and it is shouting at me."),
    ("craving", "Everyone lit up during the break. I'd give a lot for one now."),
    ("craving", "My thumb hovers over the download button, I want the game back so much."),
    ("craving", "Can't concentrate on work, only thinking about tonight's match odds."),
    ("craving", "That itch again around ten in the evening."),
    ("slip", "Well, it happened, three beers in the garden and then three more."),
    ("slip", "I put two hundred on a horse and it is gone."),
    ("slip", "Bought a pack at the station and smoked half of it before I got home."),
    ("slip", "So much for my streak, I scrolled until two in the morning."),
    ("slip", "Told my sister I was fine but I had already logged in and played."),
    ("slip", "Ate the whole box of doughnuts again, feeling awful."),
    ("progress", "Three weeks now and I hardly noticed the bar on the corner."),
    ("progress", "Handed my bank card to Petra so I can't deposit. Feels safer."),
    ("progress", "They passed the bottle around and I took sparkling water."),
    ("progress", "First football weekend in years without a bet, I just enjoyed it."),
    ("progress", "Woke up rested, a month without nicotine today."),
    ("progress", "I called my sponsor rather than ordering, and the evening turned out fine."),
    ("unclear", "The plumber comes on Thursday between nine and twelve."),
    ("unclear", "hmm not much"),
    ("unclear", "Does anyone know if the pool opens on holidays?"),
    ("unclear", "He said what he always says."),
    ("unclear", "Finished the puzzle with the lighthouse."),
    ("unclear", "Weather turned, leaves everywhere."),
]

MEETINGS = [
    ("Can we do the warehouse walkthrough on 14 March 2027? It should take 45 minutes. We need to check the fire exits.",
     ("warehouse walkthrough", "2027-03-14", 45)),
    ("Vendor call with Ines on 2026-09-02, two hours. We compare the three offers.", ("Vendor call", "2026-09-02", 120)),
    ("Choir rehearsal planning next Tuesday. Let us pick the songs for spring.", ("Choir rehearsal planning", "", 30)),
    ("Hi team, the data cleanup session is on June 3, 2026 and lasts 90 minutes. We will merge the duplicate accounts.",
     ("data cleanup session", "2026-06-03", 90)),
    ("Parents' evening prep, half an hour, in the library. Bring the seating plan.", ("Parents' evening prep", "", 30)),
    ("Kickoff for the bakery website on October 21, 2026, an hour. The goal is a first sketch.",
     ("Kickoff for the bakery website", "2026-10-21", 60)),
]

BOUNDED = ("From three to eight cards, no two alike. If the passage is too short, ask about parts of its sentences.",
           "At least 3 and at most 8 cards.", "Write between 3 and 8 cards.")
CARELESS = ("Study cards about the passage.", "The cards.", None)


def deck(guide):
    return render.outline("DraftCardSet", [
        render.block("DraftCardSet", [("cards", "[DraftCard]", guide)]),
        render.block("DraftCard", [("question", "string", "A short question."),
                                   ("answer", "string", "The answer in one sentence.")])])


INSIGHT = render.outline("SessionInsight", [
    render.union("SessionInsight", ["DiscriminatedCraving", "DiscriminatedSlip", "DiscriminatedProgress", "DiscriminatedUnclear"]),
    render.block("DiscriminatedCraving", [("type", '"craving"', None), ("reframe", "string", "A kinder way to see the urge.")],
                 "The user feels an urge."),
    render.block("DiscriminatedSlip", [("type", '"slip"', None), ("acknowledgement", "string", None), ("nextStep", "string", None)],
                 "The user did it again."),
    render.block("DiscriminatedProgress", [("type", '"progress"', None), ("compliment", "string", None)], "The user did well."),
    render.block("DiscriminatedUnclear", [("type", '"unclear"', None), ("reason", "string", None)], "None of the others."),
])

MEETING = render.outline("ExtractedMeeting", [render.block("ExtractedMeeting", [
    ("title", "string", "Two to six words."), ("date", "string", "ISO-8601 date, or empty."),
    ("durationMinutes", "integer 5...480", "Minutes; 30 if the note does not say."),
    ("agenda", "string", "One sentence.")])])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--repeats", type=int, default=8)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    torch.set_num_threads(1)
    model, tokenizer = load(options.checkpoint)
    model.eval()
    generator = torch.Generator().manual_seed(7)

    def ask(system, schema, text):
        out, _ = complete(model, tokenizer, render.request(system, schema, text), 0.7, generator)
        return parse(out), out

    for label, guides in (("stated bound", BOUNDED), ("no bound", CARELESS)):
        for text in PASSAGES:
            plain = text.replace("\n", " ")
            counts, right, total = [], 0, 0
            for repeat in range(options.repeats):
                value, out = ask("You turn a passage into study cards.", deck(guides[repeat % len(guides)]), text)
                if options.show and repeat == 0:
                    print(out)
                items = value.get("cards") if value else None
                counts.append(len(items) if isinstance(items, list) else None)
                for item in items if isinstance(items, list) else []:
                    total += 1
                    right += isinstance(item, dict) and str(item.get("answer")) in plain
            print(f"cards, {label}, {len(plain.split())} words: counts {counts}, "
                  f"{right} of {total} answers copied exactly")
    hits = 0
    for branch, text in NOTES:
        value, out = ask("You sort a note into one case.", INSIGHT, text)
        got = value.get("type") if value else None
        hits += got == branch
        if options.show and got != branch:
            print("  note", branch, "->", out)
    print(f"notes: {hits} of {len(NOTES)} sorted correctly ({share(hits, len(NOTES))}; chance 0.25)")
    hits = [0, 0, 0]
    for text, wanted in MEETINGS:
        value, out = ask("Extract the meeting from the note.", MEETING, text)
        got = tuple(value.get(k) for k in ("title", "date", "durationMinutes")) if value else (None,) * 3
        hits = [h + (str(a).lower() == str(b).lower()) for h, a, b in zip(hits, got, wanted)]
        if options.show and got != wanted:
            print("  meeting", wanted, "->", out)
    print(f"meetings: of {len(MEETINGS)}, {hits[0]} titles, {hits[1]} dates and {hits[2]} lengths are right")


if __name__ == "__main__":
    main()
