"""Tasks 4 to 7: objects with titled parts, choices among named options, profiles, small records."""

import prompt as render
from sentences import sentence, topic
from words import ADJECTIVES, NOUNS, NUMBER_WORDS, PLACES, person, place, pseudo

PARTS = """Ingredients Method Garnish Glass Steps Tools Story Taste Origin History Serving Mood Colour Notes Tips Music
Aroma Texture Base Topping Sauce Equipment Warnings Preparation Pairing Variations Summary Materials Setting
Characters Plot Theme Budget Route Packing Food Season Safety""".split()
PAIRS = ("Glass Type", "Serving Tip", "Food Pairing", "Back Story", "Main Steps", "Next Steps", "Side Notes")

THINGS = """Cocktail Cocktail Cocktail Drink Recipe Mocktail Dessert Salad Soup Dish Trip Story Workout Outfit Bouquet
Poem Party Garden Sandwich Smoothie Tea Perfume Playlist Lesson""".split()

FLAVOURS = """gin rum vodka tequila mezcal whisky bourbon cognac vermouth campari lime lemon mint ginger basil rosemary
cucumber grapefruit orange pineapple coconut honey cinnamon vanilla chocolate coffee cream bitters soda tonic cola
apple pear peach cherry berry smoke chilli salt sugar syrup saffron lavender elderflower thyme""".split()

STYLE = """smoky sweet sour fresh bitter dry fruity spicy creamy light strong warm cold tropical classic simple fancy
refreshing festive elegant herbal floral tart mellow bold salty dark bright""".split()

PARTY = ("for a summer evening", "for two", "for a party", "for a rainy day", "after dinner", "with little alcohol",
         "without alcohol", "for a birthday", "for a hot day", "before dinner", "", "", "", "", "")

ASK = """{A} with {F} and {G} {p}|I want something {a} with {F} and {G} {p}|Make me a {a} {k} with {F} and {G} {p}
A {a} {k} with {F} and {G} {p}|Something {a} and {b} with {F} {p}|{F}, {G} and something {a} {p}|A {a} {k} {p}
I have {F}, {G} and {H} at home|Create a {a} {k} from {F} and {G} {p}|Please mix something {a} with {F} {p}
Surprise me with {F}|a {a} {k}, not too {b}, with {F}|{F} and {G}|I like {F} and {G}, I don't like {H}
Give me a {a} {k} with a bit of {F} {p}|What can I do with {F} and {G}?|Bartender, a {a} {k} with {F} please""".replace("\n", "|").split("|")

SYSTEMS = """You are a bartender.|You invent drinks for guests.|You are a friendly bartender who likes short answers.
You write recipes.|You are a creative assistant.|Answer with the object the user asks for.|You help the user to plan.
You describe things in short sentences.|You are an expert.|You build a small object from the request.""".replace("\n", "|").split("|")

BODY = """What goes in.|Describe it in one sentence.|Short and clear.|One sentence.|How it is done.|A short text.
List it in one line.|Be brief.|What the guest sees.|A detail the guest will like.|Keep it simple.|""".replace("\n", "|").split("|")


def titled(rng):
    """An object with a summary, a confidence, and one text for every title."""
    kind = rng.choice(THINGS) if rng.random() < 0.85 else pseudo(rng, True)
    f, g, h = rng.sample(FLAVOURS, 3)
    if rng.random() < 0.35:
        f = pseudo(rng)
    if rng.random() < 0.25:
        g = pseudo(rng)
    a, b = rng.sample(STYLE, 2)
    ask = rng.choice(ASK)
    text = (ask.replace("{A}", a.capitalize()).replace("{a}", a).replace("{b}", b).replace("{F}", f).replace("{G}", g)
            .replace("{H}", h).replace("{k}", kind.lower()).replace("{p}", rng.choice(PARTY))).strip()
    text = text[0].upper() + text[1:] if rng.random() < 0.8 else text
    if rng.random() < 0.5:
        text += "." if not text.endswith("?") else ""
    used = [w for w in (f, g) if w in text] or [f"a {a} touch"]
    style = a if a in text.lower() else None
    subject = " and ".join(used)
    parts = rng.sample(PARTS, rng.randint(1, 5))
    if rng.random() < 0.2:
        parts[0] = rng.choice(PAIRS)
    elif rng.random() < 0.2:
        parts[0] = pseudo(rng, True)
    if rng.random() < 0.15:
        parts = [p.lower() for p in parts]
    described = rng.random() < 0.75
    names = {"summary": rng.choice(("summary",) * 5 + ("description", "overview")),
             "confidence": rng.choice(("confidence",) * 5 + ("score", "rating"))}
    box = rng.choice(("subComponents",) * 6 + ("parts", "sections", "details"))
    inner = box[0].upper() + box[1:]
    blocks = [
        render.block(kind, [
            (names["summary"], "string", rng.choice(("One sentence about it.", "A short summary.", "Describe the drink in one sentence.", "What it is.")) if described else None),
            (names["confidence"], rng.choice(("integer 0...100",) * 3 + ("integer",)), rng.choice(("How sure you are, 0 to 100.", "Confidence from 0 to 100.", "A percentage.")) if described else None),
            (box, inner, None)], rng.choice((None, "What the guest gets.", "A drink for the guest.", "The result of the request."))),
        render.block(inner, [(p, "string", rng.choice(BODY) if described else None) for p in parts]),
    ]
    made = f"A {style + ' ' if style else ''}{kind.lower()} with {subject}."
    values = {}
    for p in parts:
        values[p] = rng.choice((f"{p} with {subject}.", f"Use {rng.choice(used)} here.", f"{rng.choice(used)} and a little patience.",
                                f"Some {rng.choice(used)}, {rng.choice(('stirred', 'shaken', 'chopped', 'warm', 'served cold', 'as you like it'))}."))
    answer = {names["summary"]: made, names["confidence"]: rng.choice((60, 65, 70, 75, 80, 85, 90, 95)), box: values}
    return {"task": "titled", "request": render.request(rng.choice(SYSTEMS) if rng.random() < 0.85 else None, render.outline(kind, blocks), text + rng.choice(("", "", "\n"))),
            "answer": render.compact(answer), "parts": parts, "box": box, "used": used}


MENU = """Tomato|Chicken Noodle|Clam Chowder|Lentil|Pumpkin|Onion|Minestrone|Potato Leek|Mushroom|Pea|Fish|Beetroot|Carrot
Red|Green|Blue|Small|Medium|Large|Low|High|Urgent|Normal|Billing|Shipping|Refund|Technical|Sales|Coffee|Green Tea|Water
Pasta|Rice|Salad|Burger|Pizza|Apple Pie|Ice Cream|Train|Bus|Car|North|South|East|West|Morning|Evening|Rose|Tulip
Chess|Tennis|Football|Guitar|Piano|Drums|Winter|Summer|Spring|Autumn|Yes|No|Maybe|Beef Stew|Corn Bread""".replace("\n", "|").split("|")

CHOOSE = """Today we have {o}.|The {o}, please.|I would like the {o}.|Today's choice is {o}.|{o} today|{o}|Let's have {o} today.
The cook made {o}.|It is {o} day.|We are out of {q}, so {o} it is.|Not {q} today; {o} instead.|I'd go for {o}.|Give me {o}.
On the menu: {o}.|The guest wants {o}.|My favourite is {o}, not {q}.|Please choose {o}.|I think {o} is best.|There is {o} left.
Everyone asks for {o}.|We cooked a big pot of {o}.|{o} sounds good.|They ran out of everything but {o}.|Take {o}.""".replace("\n", "|").split("|")


def choice(rng):
    """The answer is the option that the input names."""
    size = rng.randint(2, 6)
    options = []
    while len(options) < size:
        option = rng.choice(MENU) if rng.random() < 0.65 else " ".join(
            rng.choice((pseudo(rng, True), rng.choice(NOUNS).capitalize())) for _ in range(rng.choice((1, 1, 2))))
        if option not in options:
            options.append(option)
    if rng.random() < 0.15:
        options = [o.lower() for o in options]
    picked, other = rng.sample(options, 2)
    form = picked.lower() if rng.random() < 0.45 else picked
    text = rng.choice(CHOOSE).replace("{o}", form).replace("{q}", other.lower())
    text = text[0].upper() + text[1:] if rng.random() < 0.8 else text
    if rng.random() < 0.3:
        extra = sentence(rng, 8)
        text = text + " " + extra if rng.random() < 0.5 else extra + " " + text
    root = rng.choice(("Menu", "Menu", "Menu", "Choice", "Order", "Ticket", "Pick", pseudo(rng, True)))
    key = rng.choice(("dailySoup", "dailySoup", "soup", "choice", "option", "category", "kind", "colour", "value", pseudo(rng)))
    kind = " | ".join(f'"{o}"' for o in options)
    schema = render.outline(root, [render.block(root, [(key, kind, rng.choice((None, "The soup of the day.", "One of the options.", "The choice.")))],
                                                rng.choice((None, None, "The menu of today.", "What was chosen.")))])
    system = rng.choice((None, "You pick the option the text names.", "You write the menu.", "Choose one.", "You are a waiter.", "Choose the soup of the day.", "You sort messages."))
    return {"task": "choice", "request": render.request(system, schema, text + rng.choice(("", "", "\n"))),
            "answer": render.compact({key: picked}), "picked": picked}


TRAITS = """sleeps on the sofa all day|loves to climb curtains|likes fish and quiet rooms|is shy but sweet|hunts paper balls
purrs when it rains|follows everyone around the house|hides in boxes|sits in the window in the morning|was found near a barn
gets along with dogs|likes to be brushed|is afraid of the vacuum cleaner|plays with string|waits at the door every evening
eats too fast|is calm and friendly|has one white paw|talks a lot|likes children""".replace("\n", "|").split("|")
PETS = ("Miso", "Pepper", "Luna", "Biscuit", "Shadow", "Tiger", "Olive", "Mocha", "Pixel", "Willow")
BEASTS = ("cat",) * 6 + ("kitten", "dog", "rabbit", "parrot", "horse", "person", "rescue cat", "old cat")

PROFILE = """{N} is a {y} year old {k}. {S}|{N}, {y}, {k}. {S}|Our {k} {N} is {y} years old. {S}|This is {N}. Age {y}. {S}|{S} That is {N}, our {k}, aged {y}.
Meet {N}, a {y}-year-old {k}. {S}|{N} the {k} turned {y} this year. {S}|A {k} called {N}, {y} years. {S}|Name: {N}. Age: {y}. {S}|The {k} is named {N} and is {y}. {S}
{N} has been with us for a while and is {y} years old. {S}|We found a {k} of {y} years; we call it {N}. {S}|{S} The name is {N}, the age is {y}.""".replace("\n", "|").split("|")
VAGUE = """Generate a cute rescue {k}.|Make up a {k}.|Invent a {k} for the shelter page.|A {k}, please.|Write the profile of a {k}.|Create a playful {k}.|A shy {k} from the shelter""".replace("\n", "|").split("|")


def profile(rng):
    """An object with a name, an age and a sentence, which are copied from the input if it has them."""
    beast = rng.choice(BEASTS)
    name = rng.choice(PETS) if rng.random() < 0.25 else person(rng) if rng.random() < 0.3 else pseudo(rng, True)
    age = rng.randint(0, 20)
    about = sentence(rng, 10) if rng.random() < 0.45 else rng.choice(("It ", "It ", "She ", "He ", name + " ")) + rng.choice(TRAITS) + "."
    vague = rng.random() < 0.15
    if vague:
        name, age = rng.choice(PETS), rng.randint(1, 12)
        about = f"A {rng.choice(('calm', 'shy', 'playful', 'gentle', 'curious'))} {beast} who {rng.choice(TRAITS)}."
        text = rng.choice(VAGUE).replace("{k}", beast)
    else:
        shown = NUMBER_WORDS[age] if 0 < age <= 12 and rng.random() < 0.35 else str(age)
        text = rng.choice(PROFILE).replace("{N}", name).replace("{y}", shown).replace("{k}", beast).replace("{S}", about)
    labels = ("name", "age", "profile") if rng.random() < 0.6 else (
        rng.choice(("name", "petName", "label", "who")), rng.choice(("age", "years", "ageInYears")), rng.choice(("profile", "about", "story", "text", "bio")))
    bound = rng.choice((" 0...20",) * 3 + ("", " 0...30", " 1...20"))
    root = rng.choice(("CatProfile",) * 4 + ("Cat", "PetProfile", "Animal", "Profile", pseudo(rng, True)))
    noted = rng.random() < 0.6
    rows = [(labels[0], "string", rng.choice(("The name.", "The name of the cat.", None)) if noted else None),
            (labels[1], "integer" + bound, rng.choice(("The age of the cat.", "Age in years.", None)) if noted else None),
            (labels[2], "string", rng.choice(("A one sentence profile.", "One sentence about the cat's personality.", "What the text says.", None)) if noted else None)]
    schema = render.outline(root, [render.block(root, rows, rng.choice((None, "Basic facts about a cat.", "A profile.")))])
    system = rng.choice((None, "You write profiles of cats.", "Fill in the profile from the text.", "You work at a shelter.", "You extract structured data.", "Describe the animal."))
    return {"task": "profile", "request": render.request(system, schema, text + rng.choice(("", "", "\n"))),
            "answer": render.compact(dict(zip(labels, (name, age, about)))), "values": (name, age, about), "vague": vague}


FIELDS = """city colour item price owner street product brand country code team winner animal material tool book author room
station ship river dish score year amount phone street""".split()


def record(rng):
    """Any fields in any order: `key: value` pairs or short statements, copied into an object."""
    keys = rng.sample(sorted(set(FIELDS)), rng.randint(1, 5))
    rows, facts, answer = [], [], {}
    for key in keys:
        if key in ("price", "score", "year", "amount", "code") and rng.random() < 0.8:
            value = rng.randint(1, 3000)
            kind = "integer"
        else:
            value = rng.choice((topic(rng), person(rng), place(rng), pseudo(rng, True)))
            kind = "string"
        if rng.random() < 0.08:
            value, kind = rng.random() < 0.5, "boolean"
        answer[key] = value
        rows.append((key, kind, rng.choice((None, None, f"The {key}."))))
        shown = {True: "yes", False: "no"}[value] if isinstance(value, bool) else value
        facts.append(rng.choice((f"{key}: {shown}", f"The {key} is {shown}", f"{key} = {shown}", f"Its {key} is {shown}")))
    if rng.random() < 0.5:
        rng.shuffle(facts)
    if rng.random() < 0.4:
        facts.insert(rng.randint(0, len(facts)), sentence(rng, 8).rstrip("."))
    joint = rng.choice((". ", ". ", "\n", "; ", ", "))
    root = rng.choice(("Record", "Item", "Details", "Product", "Entry", "Fact", pseudo(rng, True)))
    schema = render.outline(root, [render.block(root, rows, rng.choice((None, None, "What the text says.")))])
    return {"task": "record", "request": render.request(rng.choice((None, "You extract structured data.", "Fill in the fields.", "Read the text and answer with the object.")), schema, joint.join(facts) + rng.choice((".", "", "\n"))),
            "answer": render.compact(answer)}
