"""The hand-written wordings of the notes. Slots: a habit's forms, numbers, times, names, topics."""

_HABITS = """betting;bet;bet;a bet|gambling;gamble;gambled;the slots|smoking;smoke;smoked;a cigarette
vaping;vape;vaped;my vape|drinking;drink;drank;a beer|drinking;have a drink;had a drink;a glass of wine
eating sweets;eat sweets;ate sweets;chocolate|snacking at night;snack;snacked;a bag of chips
scrolling;scroll;scrolled;my phone|playing games;play;played for hours;the game
shopping online;buy stuff;bought stuff;a shopping spree|biting my nails;bite my nails;bit my nails;my nails
drinking energy drinks;have an energy drink;had an energy drink;an energy drink|using;use;used;a hit
poker;play poker;played poker;a poker hand|smoking weed;smoke weed;smoked weed;a joint
eating junk food;order fast food;ordered fast food;a burger|watching videos;watch videos;watched videos;one more episode
drinking soda;drink soda;drank soda;a soda|sports betting;place a bet;placed a bet;a bet on the match
trading on my phone;open a trade;opened a trade;a quick trade|buying lottery tickets;buy a ticket;bought a ticket;a scratch card
checking social media;check social media;checked social media;the feed|drinking coffee;have coffee;had coffee;a coffee"""
HABITS = [dict(zip(("ing", "base", "past", "obj"), row.split(";"))) for row in _HABITS.replace("\n", "|").split("|")]

TIMES = """after work|tonight|this morning|last night|at lunch|on Friday|on Sunday|yesterday|before bed|on the way home
at a party|after the fight|when I was alone|this weekend|around midnight|on the train|after dinner|during the game
at the office|on payday|today|this afternoon|on Monday""".replace("\n", "|").split("|")

OPENERS = """Long day.|So.|Okay.|Hi.|It's {t}.|I am at home.|Work was stressful.|Could not sleep.|Not much to say.
I talked to {n}.|Rainy day here.|Just got paid.|Alone again.|Had a fight with {n}.|Feeling tired.|Bored.|Quick note.
Day {#}.|Checking in.|Honest note:|I was with {n}.|The kids are asleep.|Busy week.|Friends came over.|Payday.
It's been a strange week.|Sitting in the car.|I don't know.|Writing this {t}.|Hello.""".replace("\n", "|").split("|")

CRAVING = """I really want to {base} right now.|I want to {base} so badly.|I can't stop thinking about {ing}.
The urge to {base} is strong {t}.|I keep thinking about {obj}.|I feel like {ing} {t}.|I'm craving {obj}.
All I can think of is {obj}.|I'm so tempted to {base}.|Part of me wants to {base} again.|My hands itch for {obj}.
I'm itching to {base}.|I could {base} right now and nobody would know.|I'm this close to {ing}.
Just one would be fine, my head says.|My mind keeps going back to {ing}.|I feel the pull again.|The itch is back.
I'm fighting the urge to {base}.|{t} is when I want to {base} most.|Everyone around me is {ing} and I want to join.
I walked past the shop and wanted {obj}.|I saw an ad and now I want to {base}.|Strong cravings {t}.
I haven't yet, but I want to {base}.|I almost want to give in.|I don't know how long I can hold out.
It would be so easy to {base}.|I keep opening the app and closing it.|My whole body wants {obj}.
I'd love {obj} now.|I would give anything for {obj}.|I miss {ing}.|I miss {obj} so much.|I'm thinking of {ing} {t}.
Should I {base}? I really want to.|Help, I'm about to {base}.|I need something to stop me from {ing}.
The temptation is huge {t}.|Temptation everywhere.|I'm dying for {obj}.|I long for {obj}.|I feel restless and want to {base}.
Stress makes me want to {base}.|When I'm bored I want to {base}.|Whenever {n} calls I want to {base}.
My brain says one time won't hurt.|A voice tells me to {base}.|I'm telling myself that just once is okay.
I caught myself looking for {obj}.|I was standing in front of {obj} and my heart raced.|I want it so bad.
It's hard not to {base} {t}.|I struggle with wanting to {base}.|I'm having a really strong urge.|Cravings hit hard {t}.
Thinking about {ing} all day.|I'm dreaming of {obj}.|The thought of {obj} won't leave me.|I can almost taste it.
I feel like I need {obj} to relax.|I'd do anything to {base}.|I'm afraid I will {base} {t}.|I'm scared I'm going to {base}.
There's {obj} in the house and I can't stop looking at it.|I'm tempted by {obj}.|My friends invited me to {base} and I want to say yes.
I got the urge {t}.|An urge came up {t}.|Urges are back.|I feel weak right now.|I'm on the edge of {ing}.
I can feel myself wanting {obj}.|It's calling me.|I want to win it back.|If I had money I would {base} now.
I'm hovering over the button.|Every hour I think about {obj}.|The wish to {base} comes in waves.|I'm desperate for {obj}.
Nothing else on my mind but {ing}.|I'm tense and I'd like to {base}.|Now I'm hungry for {obj}.|I wish I could {base}.
Wanting {obj} more than ever.|I keep checking where I could {base}.|It's tugging at me.|I'm sweating, I want {obj}.
The desire to {base} won't go away.|Feeling the urge.|I crave it {t}.|I nearly gave in, still want to.
I'm arguing with myself about {ing}.|Can't get {obj} out of my head.|Smelled it and instantly wanted {obj}.
Tell me not to {base}.|What if I {base} just once?|Would one {t} be so bad?|I have {obj} in my hand but haven't started.
Resisting is so hard {t}.|Hard to say no to {obj} right now.|The hunger for it is loud.|I'm going crazy without {obj}."""

SLIP = """I gave in and {past}.|I {past} again.|I {past} {t}.|I slipped.|I slipped {t} and {past}.|I messed up.
I relapsed {t}.|I broke my streak.|I couldn't resist and {past}.|I ended up {ing} {t}.|I went back to {ing}.
Well, I {past}.|I failed.|I caved.|I caved in {t}.|I had {obj} {t}.|I had {obj} after {#} days.|I lost control and {past}.
I told myself only once, then I {past} all night.|I did it again.|I've been {ing} again.|I fell off the wagon.
I wasn't strong enough and {past}.|After {#} days I {past}.|I threw away {#} days.|I lost money again.
I spent {#} hours {ing}.|I blew my whole wage.|I promised not to, but I {past}.|I {past} and I feel ashamed.
I {past} and I regret it.|I feel guilty because I {past}.|I'm ashamed, I {past}.|I bought {obj} and finished it.
{n} offered and I said yes.|I said yes to {obj}.|One became {#}.|One turned into many.|I started again.
I'm back to {ing}.|I opened the app and {past}.|I was drunk and {past}.|I hid it from {n}, but I {past}.
I lied to {n} about {ing}.|I woke up and remembered that I {past}.|I ruined it {t}.|I undid {#} weeks of work.
I let myself down.|I went to the shop and bought {obj}.|I downloaded it again and {past}.|I put in {#} euros and lost it all.
I couldn't help it, I {past}.|It happened again.|It happened {t}.|I crumbled {t}.|I wasn't going to, but then I {past}.
I lasted {#} days, then I {past}.|I reset the counter today.|Back to day one.|Day zero again.|Starting over, I {past}.
I had just one {t}.|Only one, but I {past}.|I took {obj} when nobody was watching.|I let my guard down and {past}.
I broke my promise.|I broke the rule {t}.|I fell back into {ing}.|I gave up {t}.|I gave in to it.|Gave in.
Lost the fight {t}.|So I {past}, and now I feel terrible.|I {past} with {n}.|{n} caught me {ing}.
I thought I could stop after one, but I {past}.|I borrowed money to {base}.|I stayed up {ing} until {#}.
I binged {t}.|A lapse {t}.|Had a setback: I {past}.|I swore I wouldn't, and I did.|I did what I said I would not do.
I finished the whole thing.|I feel awful about what I did {t}.|I wish I hadn't {past}.|I shouldn't have {past}.
My streak is gone.|I stumbled {t}.|I went too far {t}.|I drove there and {past}.|I made an exception and {past}.
I've undone everything.|I used my savings to {base}.|I sneaked {obj} {t}.|I ordered {obj} and had it.
Another slip {t}.|I confess: I {past}.|To be honest, I {past}.|I tripped up.|I was weak and {past}.|I had {#} of them {t}."""

PROGRESS = """I didn't {base} {t}.|{#} days without {ing}.|I have not {past} for {#} days.|I resisted {t}.
I said no to {obj}.|I walked away from {obj}.|I stayed strong {t}.|I'm {#} days clean.|{#} weeks sober.
I went to the party and didn't {base}.|I deleted the app.|I called {n} instead of {ing}.|I went for a run instead.
I made it through {t} without {ing}.|I feel proud.|I'm proud of myself.|The urge came and I let it pass.
I turned down {obj}.|{n} offered me {obj} and I said no.|It's getting easier.|I slept well for the first time.
I saved {#} euros by not {ing}.|I haven't thought about {ing} all day.|A whole week without {obj}.|One month today!
Another day without {obj}.|Another clean day.|I hit {#} days today.|New record: {#} days.|My longest streak so far.
I told {n} the truth about {ing}.|I went to a meeting.|I talked to a counsellor {t}.|I threw {obj} away.
I blocked the sites.|I gave {n} my cards so that I can't {base}.|I managed not to {base}.|I kept my promise.
I didn't even want to {base} {t}.|I drank water instead.|I went to bed early instead of {ing}.|I cooked a healthy dinner instead.
I used the breathing exercise and it worked.|The plan worked {t}.|I got through the weekend clean.|I got past the shop without going in.
I feel so much better since I stopped {ing}.|I notice I have more energy.|{n} said that I look better.
I'm free of it for {#} days.|It has been {#} weeks since I last {past}.|Not one in {#} days.|Zero {t}.
I held out {t}.|I beat the urge.|I won {t}.|I wanted to, but I didn't.|I wanted {obj}, but I went for a walk.
I took a walk until the craving was gone.|I stuck to my plan.|I stuck with it.|I cut down to {#} a week.
I only look at {obj} once a day now.|Less and less every week.|Down from {#} to {#}.|I paid back some debt.
I put the money in my savings instead.|I bought flowers with the money I saved.|I can say no now.|I chose the gym over {ing}.
I left when they started {ing}.|I stayed home and read a book instead of {ing}.|I asked for help.|I reached out to {n} when it got hard.
I passed the test {t}.|Good day, no {ing}.|No {ing} {t}.|No {obj} for {#} days.|Still clean.|Still sober.|Still going strong.
I made it to {#} months.|I celebrated {#} days with {n}.|I'm back in control.|I feel stronger every day.|It felt good to refuse.
I was offered {obj} and passed.|I handled the stress without {ing}.|Today went well.|Today was a good day, I didn't {base}.
I stopped after {#} minutes.|I put my phone away at nine.|I got my {#} day chip.|My {n} noticed that I quit.
I finally quit.|I've quit for good, I think.|I'm doing it, {#} days!|I did it, a full day without {obj}.|A small victory {t}.
I woke up clear-headed.|My streak is at {#}.|I replaced {ing} with running.|Managed to skip {obj} {t}.|I survived {t} without {obj}."""

UNCLEAR = """I don't know.|Nothing special.|Hm.|Same as always.|It is what it is.|Fine I guess.|Whatever.|Not sure what to write.
Some day.|Things happened.|You know how it is.|Maybe tomorrow.|Just checking in.|Nothing to report.|Hard to say.
It was okay.|So so.|Meh.|Tired.|Long story.|I will write more later.|Is this working?|Test.|Hello?|Hi there.
What should I write here?|How does this app work?|Can you help me?|Blah.|Thinking.|A lot going on.|Not now.|Ask me later.
Mixed feelings about everything.|It happened at work.|She said something.|He was there too.|That thing again, you know.
I'm here.|Well.|And then there was this.|No idea.|Today was a day.|What a week.|Ok.|Sure.|Yes and no.|Something came up.
I guess so.|It depends.|Let's see.|I have to think about it.|Talked to {n}.|Saw {n} {t}.|We had dinner {t}.
Nothing new.|Normal day.|Just a normal day, really.|asdf|...|Good morning.|Good night.|Thanks.|See you tomorrow.
I feel something but can't say what.|Words are hard.|I'd rather not say.|Things could be better or worse.|Kind of a blur."""

OFF_TOPIC = """It rained all day.|The weather is nice {t}.|I need to buy {x}.|I'm looking for {x}.|Where can I find {x}?
I bought groceries {t}.|We are planning a trip with {n}.|My train was late.|{n} has a new job.|I watched a film with {n}.
What time is it?|Remind me about {x}.|I have to call the plumber about {x}.|The cat slept on {x}.|I painted the hall.
Milk, eggs, bread and {x}.|The meeting {t} was moved.|I read about {x}.|{n} told me about {x}.|My back hurts.
I should clean the kitchen.|How do I fix {x}?|The neighbours are loud.|It's cold outside.|I lost {x}.|I found {x}.
We talked about {x} {t}.|Can you recommend a book?|What's the capital of Peru?|I like {x}.|Traffic was bad {t}.
My phone battery is dead.|The food at the office was good.|I have a dentist appointment {t}.|{n}'s birthday is {t}.
The game ended {#} to {#}.|I forgot {x}.|{x} arrived {t}.|I don't like {x}.|We ate soup {t}.|I need {#} screws for {x}.
The bus leaves at {#}.|Wi-Fi is down again.|There is something wrong with {x}.|I'm learning Spanish.|Snow {t}.
I have to do my taxes.|Do you know {n}?|Sunny with some clouds.|The plants need water.|My son started school.
We moved {x} to the cellar.|A parcel came {t}.|I am thinking about {x}.|{n} and I went to the zoo.|Nice sunset {t}.
I have a cold.|The coffee machine at work is broken.|I should write to {n}.|My shoes are wet.|Got a new haircut.
The museum was closed.|Need to renew my passport.|{x} is too expensive.|Dinner with {n} {t}, pasta.|My leg fell asleep."""


def _split(text):
    return [line for line in text.replace("\n", "|").split("|") if line]


CORES = {"craving": _split(CRAVING), "slip": _split(SLIP), "progress": _split(PROGRESS), "unclear": _split(UNCLEAR)}
OFF_TOPIC = _split(OFF_TOPIC)

TAILS = {
    "craving": _split("""What can I do?|I haven't done it.|I don't want to give in.|It's so hard.|Please help.|Still holding on.
It's been {#} days.|I'm shaking.|I don't know what to do.|I'm trying to resist.|Not yet at least.|It won't go away.
The feeling comes every evening.|My friends don't understand."""),
    "slip": _split("""I feel terrible.|I'm so ashamed.|I hate myself for it.|Now I feel sick.|I thought I was over this.
I don't want to tell {n}.|After {#} days.|I regret it.|Back to the start.|I'm disappointed in myself.|It was stupid.
I lost {#} euros.|What now?|I had been doing so well.|It only made things worse."""),
    "progress": _split("""It feels great.|I'm proud.|It was hard, but I did it.|It gets easier.|{n} was proud of me.|I feel good.
Small steps.|One day at a time.|The urge passed.|I slept well.|I hope it stays like this.|I didn't think I could.
I even enjoyed it.|Onwards."""),
}
