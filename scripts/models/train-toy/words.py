"""Word lists, written by hand for this model, and a generator of invented words."""

NOUNS = """river mountain valley forest ocean island harbour bridge tower castle village city street garden
farm field orchard barn mill engine train ship boat sail rope wheel clock lamp mirror window door table chair
carpet kitchen oven bread cheese butter honey salt pepper sugar flour rice bean tomato potato onion apple pear
plum grape lemon orange cherry tea coffee wine beer juice soup stew cake pie egg milk cream horse cow sheep goat
pig dog cat mouse rabbit fox wolf bear deer eagle owl hawk crow sparrow whale shark salmon trout crab spider bee
ant beetle butterfly snake lizard frog turtle tree oak pine birch leaf root branch seed flower rose tulip grass
moss mushroom stone rock sand clay iron copper silver gold glass paper ink book letter poem song drum violin
piano flute painting statue museum library school college hospital market shop factory mine road railway station
airport airplane rocket planet star moon sun comet galaxy telescope microscope cell atom molecule virus bacteria
protein gene enzyme muscle bone brain heart lung liver skin blood nerve eye ear nose hand foot child mother
father brother sister teacher student doctor nurse farmer sailor soldier painter writer singer king queen prince
emperor president senator judge lawyer engineer scientist merchant pilot baker tailor carpenter law treaty war
battle army fleet peace trade tax coin price wage debt bank loan vote council court temple church priest monk
winter summer spring autumn morning evening night storm rain snow wind cloud fog ice fire smoke heat light shadow
sound noise energy pressure temperature weight speed distance surface edge centre layer wave current tide crust
volcano earthquake glacier desert jungle swamp lake pond shore beach reef coral coast continent region border
capital country empire kingdom colony republic century decade year month week day hour minute method theory law
experiment result question answer problem solution idea plan machine tool device sensor battery circuit signal
computer program memory network message screen keyboard file code number letter map chart model pattern shape
colour line circle square crowd family team club member guest friend neighbour worker owner customer visitor
traveller hunter fisherman shepherd gardener cook captain crew passenger driver museum archive document record
story legend myth language word sentence alphabet grammar culture festival dance costume mask game ball rule
player coach match score prize medal race runner swimmer climber cloth wool cotton silk leather dress coat hat
shoe ring crown sword shield arrow bow cannon wall gate roof floor stair cellar tunnel canal dam well pump pipe
valve filter furnace kiln pot cup bowl plate spoon knife lecture passage section chapter example process system
structure function species habitat predator prey climate atmosphere oxygen carbon nitrogen hydrogen water plant
animal insect bird fish mammal reptile crop harvest soil fertilizer population community government economy
industry technology medicine vaccine disease symptom treatment patient diet vitamin exercise sleep dream emotion
attention habit skill lesson course exam essay history geography physics chemistry biology mathematics art music
literature philosophy religion politics science nature space time world people life death birth growth change
movement force mass gravity light lens spectrum particle electron proton photon""".split()

ADJECTIVES = """old young small large big little tall short long wide narrow deep shallow high low heavy light
fast slow warm cold hot cool dry wet soft hard smooth rough sharp dull bright dark pale loud quiet sweet sour
bitter fresh stale clean dirty empty full rich poor cheap expensive rare common ancient modern early late new
strange famous local foreign royal public private natural artificial simple complex strong weak brave careful
gentle wild tame hungry thirsty tired busy lazy happy sad angry calm proud honest clever wise foolish curious
patient quick red blue green yellow white black brown grey golden silver wooden metal stone northern southern
eastern western central upper lower inner outer main minor major special ordinary important useful dangerous
safe healthy sick living dead frozen molten liquid solid hollow round flat steep distant nearby broken whole
single double daily annual medieval tropical polar coastal rural urban active thin thick tiny huge certain
different similar several many few most first second third last next own possible human social political economic
electric chemical physical marine mental musical national""".split()

PAST = """built crossed carried found lost kept sold bought made drew painted wrote read sang played taught
learned opened closed moved lifted pushed pulled turned covered filled emptied washed cleaned cooked baked
boiled froze melted burned broke repaired measured weighed counted studied explored discovered invented designed
described explained recorded copied stored collected gathered planted watered picked fed caught chased followed
led joined left entered reached passed visited watched guarded attacked defended won ruled served helped saved
protected destroyed replaced removed produced absorbed released reflected attracted repelled changed shaped
formed divided connected separated supported surrounded supplied improved reduced increased controlled needed
used held sent received showed hid changed began finished started stopped traded named called ordered""".split()

PRESENT = """builds crosses carries finds keeps sells buys makes draws teaches opens closes moves lifts pushes
pulls turns covers fills cools heats boils freezes melts burns breaks measures weighs explores describes explains
stores collects gathers feeds catches follows leads joins leaves enters reaches passes guards serves helps saves
protects replaces removes produces absorbs releases reflects attracts repels changes shapes forms divides
connects separates supports surrounds supplies improves reduces increases controls needs uses holds sends
receives shows hides contains includes requires causes prevents allows becomes remains means""".split()

BASE = """build cross carry find keep sell buy make draw teach open close move lift push pull turn cover fill
cool heat boil melt burn break measure explore describe explain store collect gather feed catch follow lead join
leave enter reach pass guard serve help save protect replace remove produce absorb release reflect attract change
shape form divide connect support supply improve reduce increase control need use hold send receive show hide
live grow swim fly run walk eat drink sleep work play travel survive breathe rest wait learn speak write read
sing dance climb fall rise shine""".split()

PREPOSITIONS = """in on under over near beside behind beyond across along around through inside outside above
below between into onto from with without against toward upon within among during before after since""".split()

ADVERBS = """slowly quickly often rarely usually sometimes always never quietly carefully finally suddenly soon
later early again together alone almost nearly mostly partly easily still already once twice there here today
everywhere however therefore instead perhaps indeed thus then""".split()

FUNCTION = """the a an and or but of to in on for with by from at as is was are were be been has have had it its
they their he his she her we our you your that this these those which who what when where how why because if
while although not no only also very more less than so such each every some any all both either most much many
can could may might must will would should do does did there then""".split()

NAMES = """Anna Ben Clara David Elena Felix Grace Hugo Irene Jonas Karin Leo Maria Nora Oscar Paula Quentin Rosa
Simon Tara Ursula Victor Wanda Yusuf Zoe Amir Bruno Chen Diego Emma Farah Goran Hana Ivan Julia Kofi Lena Marco
Nadia Olga Pedro Ravi Sofia Tomas Uma Vera Wei Ximena Yara Aisha Boris Celia Dana Eric Fiona Gita Henry Ines Jack
Kenji Lucy Miguel Nina Otto Priya Ruth Sam Theo Viola Walter Sarah Peter Laura Mark Jane Alex Chris Kim Max Tom
Mia Ella Liam Noah Omar Lily""".split()

PLACES = """Paris London Rome Berlin Madrid Vienna Athens Cairo Delhi Tokyo Lima Quito Oslo Prague Lisbon Dublin
Boston Chicago Texas Ohio Alaska Kenya Egypt India China Japan Peru Chile Brazil Spain France Italy Greece Norway
Sweden Poland Turkey Persia England Scotland Ireland Germany Russia Mexico Canada Australia Africa Asia Europe
America Antarctica Atlantic Pacific Nile Amazon Danube Alps Andes""".split()

ONSETS = "b c d f g h j k l m n p r s t v w z br cr dr fl gr pl st tr sh ch th kl sn".split()
VOWELS = "a e i o u a e i o ai ea oo ou ie".split()
CODAS = ["", "", "", "n", "r", "l", "s", "t", "m", "x", "nd", "rt", "ck", "st", "ng"]


def pseudo(rng, capital=False):
    """An invented word, usually pronounceable, which the toy can only copy."""
    word = "".join(
        rng.choice(ONSETS) + rng.choice(VOWELS) + rng.choice(CODAS)
        for _ in range(rng.choice((1, 2, 2, 2, 3)))
    )
    if rng.random() < 0.12:
        word = "".join(rng.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(rng.randint(3, 7)))
    return word.capitalize() if capital else word


def person(rng):
    """A listed or invented name, sometimes with a second name or a title."""
    first = rng.choice(NAMES) if rng.random() < 0.6 else pseudo(rng, True)
    draw = rng.random()
    if draw < 0.12:
        return first + " " + pseudo(rng, True)
    if draw < 0.16:
        return rng.choice(("Dr. ", "Mr. ", "Mrs. ", "St. ", "Prof. ")) + pseudo(rng, True)
    return first


def place(rng):
    return rng.choice(PLACES) if rng.random() < 0.6 else pseudo(rng, True)


def noun(rng, invented=0.12):
    return pseudo(rng) if rng.random() < invented else rng.choice(NOUNS)


def number(rng):
    draw = rng.random()
    if draw < 0.35:
        return str(rng.randint(2, 99))
    if draw < 0.6:
        return str(rng.randint(1000, 2030))
    if draw < 0.7:
        return f"{rng.randint(1, 99)}.{rng.randint(0, 9)}"
    if draw < 0.8:
        return f"{rng.randint(1, 99)},{rng.randint(0, 999):03d}"
    return rng.choice("two three four five six seven eight nine ten twelve twenty thirty fifty hundred".split())


NUMBER_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()


def count(rng, value, words=None):
    """A small number as a word or in digits."""
    spelled = rng.random() < 0.6 if words is None else words
    return NUMBER_WORDS[value] if spelled and value <= 12 else str(value)


THINGS = """the new sofa|the kitchen tap|my neighbour's dog|the bus timetable|a birthday present|the garden fence|the tax form
a dentist appointment|the school play|a broken lamp|the weather|the car insurance|my sister's wedding|a pasta recipe
the library book|the laundry|the train to Leeds|the printer|a new raincoat|the football result|my passport
the living room paint|a parcel|the elevator|the holiday photos|the dishwasher|my bike""".replace("\n", "|").split("|")


def topic_words(rng):
    """A subject of a note that has nothing to do with a habit."""
    if rng.random() < 0.7:
        return rng.choice(THINGS)
    return "the " + rng.choice(ADJECTIVES) + " " + rng.choice(NOUNS)


# More common words, for the tokenizer and for sentences in random order.
COMMON = """about actually again against ago already although among amount another answer anyone anything around
asked away back because became become been before began being believe below best better between bigger body book
both bought bring broken brought building built business called came cannot care carried case cause caused causes
century certain chance change changed child children choose chosen clear close closer cold colder come comes coming
company complete completely control could couldn't country covered create created cut daily dark days decided deep
deeper despite developed didn't different difficult discovered doesn't doing done down drive during each earlier
early easier easily east eaten effect effects eight either eleven else end ended enough entire especially even
evening ever every everyone everything exactly example except expected explain eyes face fact facts falling family
far faster feel feeling feet fell felt few field fifteen fifty fifth final finally fire first five floating flow
follow following food form found four fourth free fresh from front full further gave general get gets getting give
given gives giving glad goes going gone good got great greater green grew ground group grow growing grows grown had
half hand happen happened happens hard harder having head hear heard heat heavy held help helps her here herself
high higher highest himself hold holds home hour hours house how hundred hundreds idea important inside instead
into isn't itself job just keep kept kind kinds knew know known knows land large larger largest last late later
learn learned least leave leaves leaving left length less let letters level life lifetime light like likely line
little lived lives living long longer longest look looked looking looks lose lost lot lots low lower made main
make makes making man many material matter maybe mean means meant measure men metre metres kilometre kilometres
middle might mile miles million millions minutes moment money month months more morning most mostly move moved
movement moves moving much must name named names natural near nearly need needed needs never new next nine nobody
north nothing noticed now number numbers off often oil okay old older oldest once one ones only onto open opened
or order original other others our ourselves out outside over own part particular parts past pay people percent
perhaps period person piece pieces place placed places plants point points possible power present press pressure
probably problem process produce produced produces program proved public pull put quickly quite ran rather reach
reached reaches read reading ready real really reason reasons received recent remain remained remember result
return returned right rise rises rising role room roughly round rule running runs safe said same save saw say says
scientists sea season second seconds see seem seems seen seven several shape share sharp she short shorter should
show showed shown shows side sides simple since single six size sleep slow slower slowly small smaller smallest
some someone something sometimes soon sort sound source south space speak special spend spent spread stand stands
start started starts stay stayed still stood stop stopped strength strong stronger study such sudden suddenly
support sure surface take taken takes taking talk tell ten test text than thanks that that's their them themselves
then there these they thick thing things think third thirty this those though thought thousand thousands three
through time times today together told too took top total toward town travel travels tree tried trip true try
trying turn turned turns twelve twenty twice two type types under understand unit until upon use used useful uses
using usually value very visible wait walk walking want wanted was wasn't watch watching water way ways weak week
weeks weight went were west what whatever when where whether which while white who whole whose why wide will wind
wish with within without woman women won't wonder work worked working works world worse worth would wouldn't write
writing written wrong wrote year years yes yesterday yet you young younger your yourself""".split()
