"""Phrases about habits, from which `notes.py` composes notes.

For each habit: gerunds, infinitives, objects, triggers of urges, relapses, and substitutes.
"""


def rows(text):
    return [[cell.strip().split("; ") for cell in row.split("|")] for row in text.strip().split("\n\n")]


_HABITS = """
betting; gambling; placing bets|bet; gamble; place a bet; play the slots|a bet; the odds; the slots; the tables
|an advert for free spins; the match on television; my old betting account; the roulette table in a film; a tip from {n}; the lottery stand; the online casino; the derby this weekend
|lost {#} euros at roulette; put my rent on a football game; deposited {#} euros again; chased my losses all night; logged in and bet on {#} matches; played the machines until closing; spent the holiday money on poker; bought {#} scratch cards; gambled away my wages; opened a new betting account
|blocked the betting site; gave {n} my bank card; watched the match without a bet; closed my betting account for good; deleted the casino app; paid back {#} euros of debt

smoking; lighting up|smoke; light one; have a cigarette; smoke one|a cigarette; a smoke; a drag; nicotine; my pack
|the smell of tobacco; the lighter in my drawer; the smokers outside the office; an ashtray on the balcony; a half-full pack in my coat; {n} rolling a cigarette; the kiosk at the corner; coffee without a cigarette
|smoked {#} cigarettes; bought a pack and finished it; bummed a cigarette from {n}; lit up in the car; smoked on the balcony again; went through a whole pack; took a few drags behind the house; smoked with {n} after work
|chewed gum; put on a nicotine patch; threw my lighter away; ran {#} kilometres without coughing; kept my hands busy with a pencil; stood inside while they smoked

drinking; having wine|drink; have a beer; have a glass of wine; open a bottle|a beer; a glass of wine; a drink; the whisky; alcohol
|the pub by the bridge; the wine shelf in the shop; a cold beer on an advert; champagne at the wedding; the bottle {n} brought; everyone raising a glass; the minibar; happy hour with the team
|drank {#} beers; finished the bottle alone; had wine with dinner and did not stop; got drunk at the wedding; woke up with a hangover; emptied the minibar; poured myself one and then {#} more; ordered a whisky and drank it
|ordered a lemonade; poured the wine down the sink; drove home sober; went to my meeting; drank tea on the terrace; told the waiter no alcohol for me

vaping|vape; take a puff; hit the vape|my vape; a puff; the mango flavour
|{n} blowing clouds; the vape shop; my charger with the vape in it; the sweet smell in the toilet
|bought a new vape; vaped all evening; took {#} puffs in the bathroom; vaped in bed; finished a whole pod
|gave my vape to {n}; threw the pods out; went without a puff; breathed deeply {#} times

eating sweets; snacking; bingeing|eat sweets; snack; binge; have chocolate|chocolate; sweets; ice cream; a doughnut; a bag of chips; cake
|the cake in the office; the sweets at the till; cookies on the counter; the bakery window; {n} unwrapping chocolate; leftover birthday cake; ice cream in the freezer
|ate a whole bar of chocolate; finished the bag of chips; had {#} doughnuts; emptied the biscuit tin; ate ice cream out of the tub; binged after everyone slept; ordered a pizza and ate it all; licked the plate and took more
|ate an apple; left the cake untouched; cooked vegetables; walked past the sweets; put the cookies back; brushed my teeth early

scrolling; being on my phone; checking the feed|scroll; open the app; check my phone; go online|my phone; the feed; one more video; the app
|the phone on the table; a notification; the empty evening; the wait at the bus stop; a funny clip from {n}; my screen lighting up
|scrolled until {#} in the morning; lost {#} hours on the feed; installed the app again; watched videos all night; checked my phone under the desk; opened the app and forgot the time; spent the whole Sunday online
|left my phone in the hall; read a book; turned off all notifications; sat in the garden without a screen; had my phone off for {#} hours; talked to {n} for an evening

gaming; playing the game|play; game; start the game|the game; one round; the console
|the new season; {n} inviting me to a match; the console under the television; a trailer; the controller on the sofa
|played {#} hours straight; skipped work to play; bought another {#} euros of gems; played until sunrise; reinstalled the game; started one round and played all night
|sold the console; finished my homework; played football outside; uninstalled the game; went to bed at ten

shopping; ordering things online|buy stuff; shop; order something|a new jacket; the sale; a parcel; new shoes
|the sale in the window; an email with a discount; a full basket; the shopping mall; {n} with new shoes
|ordered {#} things at midnight; maxed out my card; bought shoes that I don't need; spent {#} euros in the sale; clicked on buy again; came home with {#} bags
|returned the parcel; closed the basket without paying; wore my old coat; unsubscribed from the newsletters; saved {#} euros

using; getting high; smoking weed|use; get high; roll a joint; take pills|a joint; pills; a hit; the stuff; a line
|my old dealer's number; the smell of weed; {n} rolling a joint; the party downstairs; the pills in the cabinet; the club we used to go to
|got high with {n}; took {#} pills; rolled a joint and smoked it; called my dealer; used in the toilet of the club; took a line
|flushed the pills; deleted the dealer's number; stayed clean at the party; left before it was passed around; saw my counsellor

drinking coffee; drinking energy drinks|have coffee; drink an energy drink|a coffee; an energy drink; an espresso
|the machine in the kitchen; the smell of roasted beans; a tired afternoon; {n} with a cup in hand
|drank {#} coffees; bought an energy drink and drank it; had an espresso after lunch; emptied the pot
|had herbal tea; drank water; slept at noon instead; left the cup standing

biting my nails; picking my skin|bite my nails; pick my skin|my nails; my skin
|the exam; a boring call; waiting for the doctor; a scary film
|bit my nails until they bled; chewed {#} nails; picked my skin open; bit them all down
|wore gloves; painted my nails; squeezed a ball; filed my nails

eating meat; ordering fast food|order fast food; get a burger|a burger; fries; a kebab
|the drive-in; the smell of fries; a coupon; {n} ordering for the team
|ordered {#} burgers; got a kebab at midnight; drove to the drive-in and ate in the car; had fries with everything
|made soup at home; ate a salad; cooked with {n}; packed my own lunch
"""
KEYS = ("ing", "base", "thing", "cue", "did", "instead")
HABITS = [dict(zip(KEYS, row)) for row in rows(_HABITS.replace("\n|", "|"))]

WANT = """I want {thing}|I need {thing}|I would love {thing}|I can't get {thing} out of my head|I keep thinking of {thing}
every nerve asks for {thing}|I am close to {ing}|I am tempted to {base}|I feel the urge to {base}|the pull is enormous
my heart is racing|my mouth waters|my head is full of it|it is hard to resist|I don't trust myself|I could {base} any minute
the wish to {base} grows|I am fighting it|I fight with myself|I hold on, but barely|I am still resisting|it is calling me
I have to leave or I will {base}|I nearly turned back for it|I am afraid that I will {base}|I am counting the minutes
nothing else is on my mind|I dream of {ing}|I catch myself planning it|I am looking for an excuse to {base}
I wonder if one would hurt|I say no, but my head says yes|the voice says just once|I am restless|the desire is back
everything in me wants to {base}|I long to {base}|I feel weak|I crave {thing}|it tugs at me|my fingers tingle
I am trying not to {base}|I haven't done it, but I want to|so far I have held out, but the urge stays|I miss {ing}
I don't know if I can make it without {thing}|I might give in|I'm on the edge|it won't leave me alone|how do I get through this?
I am arguing with myself about {thing}|one would be enough, says my head|I almost did it|I walked up to it twice
I'd give anything to {base}|I am dying to {base}|I feel jumpy and want {thing}|resisting is so hard""".replace("\n", "|").split("|")

SEEN = """I saw {cue}|There was {cue}|I came across {cue}|First {cue}|Then {cue}|{cue}|It is {cue} again|I can't ignore {cue}
I sit here and look at {cue}|Right in front of me: {cue}|Suddenly {cue}|{cue} set it off|{cue} woke it up|I noticed {cue}
Because of {cue}|{cue}, of all things|After {cue}|I keep looking at {cue}|I'm thinking about {cue}|{cue} reminded me""".replace("\n", "|").split("|")

STATE = """I'm alone at home|I'm stressed|I can't sleep|It is evening|The weekend is long|Work was awful|I'm bored
I feel empty|My boss shouted at me|I'm waiting for the train|It's payday|I'm nervous about tomorrow|We argued again
I'm sitting in the car|It's been {#} days|I'm at a party|The kids are in bed|I'm in the kitchen|Nobody is watching
I have {#} euros in my pocket|I feel lonely|It's raining and I'm inside|I'm celebrating|I'm angry""".replace("\n", "|").split("|")

DID_LEADS = """I {did}|Last night I {did}|Today I {did}|Again I {did}|I was weak and {did}|I was angry and {did}|I {did} {t}
After {#} clean days I {did}|I promised {n} to stop and {did}|It was meant to be just a little, but I {did}|So I {did}
I am sorry, I {did}|Nobody knows that I {did}|I couldn't stop myself and {did}|I told myself no and still {did}
{cue} was too much, I {did}|I saw {cue} and {did}|I lied to {n} and {did}|I was bored, so I {did}|Stupidly, I {did}
I {did}, just like before|I went back and {did}|I {did} and hid it|In the end I {did}|I gave in and {did}
I had a bad day and {did}|Before I knew it I had {thing}|I did it, I {did}|Yes, I {did}|{n} left and I {did}
I relapsed: I {did}|My plan failed, I {did}|I held on until ten, then I {did}|Against my own rule I {did}""".replace("\n", "|").split("|")

DID_AFTER = """I feel awful|I'm ashamed|I regret it|I hate this|Back to zero|All my work is gone|I'm so angry with myself
I let everyone down|The streak is over|Now I feel sick|What a waste|I can't look {n} in the eye|I don't know why I did it
Now I have to start again|I feel guilty|It was not worth it|I had {#} days before that|I feel like a failure|Never again
It's all gone|I cried afterwards|I don't want to talk about it|My money is gone|I broke my word|I knew better""".replace("\n", "|").split("|")

WIN_LEADS = """First {t} without {thing}, and it was fine|I thought I would {base}, I didn't|Passed {cue} and walked on|My {#}th day without {thing}
I almost {did}, but {n} talked me out of it and I {instead}|When {cue} appeared, I {instead}|I used to {base} at this hour, today I {instead}
Half a year ago I {did}; this week I {instead}|I woke up and did not think of {thing}|{n} asked for {thing} with me, I {instead}
I deserve praise: I {instead}|Whole weekend, no {thing}|It's the longest I've gone without {ing}|The craving lasted ten minutes, then I {instead}
I went to the party, had no {thing} and enjoyed it|I am past the worst, {#} days now|I noticed the urge, {instead} and it passed
I wanted to {base}. I {instead} and the wish was gone|I survived {cue}|I did it: {t} without {ing}|I stopped {ing} {#} days ago and still hold
I saw {cue} and {instead}|{cue} did not get me, I {instead}|The urge came and I {instead}|I {instead} {t}
I {instead} and felt fine|Instead of {ing} I {instead}|I wanted {thing}, but I {instead}|I {instead} and slept well
I didn't {base} {t}|I did not {base}, I {instead}|For {#} days I have not touched {thing}|{#} days without {thing}
{#} weeks without {ing}|I haven't had {thing} since {t}|No {thing} {t}|I got through {t} without {ing}|I said no to {thing}
{n} offered me {thing} and I {instead}|There was {cue}, and I stayed strong|There was {cue}, and I did not even look
I kept away from {thing}|I've gone {#} days without {ing}|I managed a whole evening without {thing}|I turned {thing} down
A month ago I would have {did}, now I {instead}|Not once did I {base} {t}|I refused {thing}|I resisted {cue}
I no longer want {thing}|It's day {#} without {ing}|I beat it {t} and {instead}|I told {n} that I stopped {ing}
It was hard, but I did not {base}|I went home without {thing}|I left {thing} where it was|My counter shows {#} days
I can look at {cue} and feel nothing|I enjoyed {t} without {ing}|Since I stopped {ing}, I sleep better""".replace("\n", "|").split("|")

WIN_AFTER = """I'm proud|It feels good|I feel free|It gets easier|{n} is proud of me|What a relief|I slept like a stone
I can do this|One more day done|I feel strong|My head is clear|I saved {#} euros|I'm happy with myself|That is a first
I celebrate with tea|I feel healthier|It worked|I'm on track|I have my life back|I never thought I could|Yes""".replace("\n", "|").split("|")

# The parts of everyday statements, which mention no habit.
WHO = "I|I|I|I|We|{n}|My brother|The neighbour|My mother|The boss|Our teacher|My son|The kids|Somebody".split("|")
DAILY = """repaired {x}|painted the hall|walked the dog|called the bank about a form|bought {x}|cooked rice|went to the dentist
had a meeting about the budget|sold {x}|cleaned the windows|watered the plants|wrote a letter|moved {x}|read about trains
drove to {L}|visited {L}|took the bus to {L}|planned a trip to {L}|learned some Spanish|looked for {x}|lost {x}|found {x}
watched a film about {L}|talked about {x}|ordered {x}|cut the grass|got a haircut|met {n} in {L}|fixed the printer
asked about {x}|returned {x}|forgot the keys|paid the electricity bill|started a new job|missed the train|baked bread
renewed the passport|slept badly because of the heat|had soup for lunch|played chess with {n}|swam in the lake|has a cold
is learning the piano|needs {x}|moved to {L}|finished the puzzle of {L}|voted|counted {#} birds|took {#} photos of {x}
drank some water|ate lunch at the desk|opened a window|closed the office early|bought {#} tickets for the museum""".replace("\n", "|").split("|")
WHEN = "|||||today|yesterday|this morning|on Monday|on Friday|last week|after lunch|with {n}|at noon|again|as usual|at work".split("|")
STATES = """It is raining in {L}|The heating is broken|The bus was late|The coffee machine is being repaired|My back hurts|The cat is asleep
The meeting was moved to Monday|{n} has a birthday soon|Dinner is at seven|The internet is slow|The shop closes at {#}|It's cold
There is snow in {L}|The garden looks nice|School starts next week|The flight is at {#}|The neighbours got a new car|Lunch was good
The washing machine makes a noise|Traffic was terrible|The moon is full|The film was boring|A parcel is waiting for me|The soup is hot""".replace("\n", "|").split("|")
ASKS = """Where is {x}?|How does {x} work?|What is the time in {L}?|Can you translate this?|Who is {n}?|When does the train to {L} leave?
What should I cook?|How do I clean {x}?|Is {L} nice in spring?|Can you set a timer?|What's the weather in {L}?|How far is {L}?
Do I need an umbrella?|Could you recommend a film?|Why is the sky blue?|How many grams are in a pound?""".replace("\n", "|").split("|")
VAGUE = """Not good, not bad|I have nothing to say|It was one of those days|Just thoughts|So many things|A bit of this, a bit of that|Hm, well
I don't feel like writing|Something is off|No words today|Everything and nothing|It's complicated|The usual|Let me think|Maybe later
I'm not sure what I feel|Who knows|It went how it went|Nothing happened|There is not much to tell|Fine|Strange mood|Just here
Something happened and I don't want to say what|He did it again, you know who|You would understand|That thing came up|Later more
Some days are like that|I'll explain another time|Could be worse|Neither here nor there|I'm thinking|Good question|Empty page""".replace("\n", "|").split("|")
