"""Nothing in, closed word classes out: the small hand-made lists that the rules lean on.

They are lists of grammar, calendar and office, never of things in the world: what a document is
about has to come from the document.
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Every word of scikit-learn's English stop list is here (a test compares them), with contractions.
ENGLISH = _words("""
a about above across after afterwards again against ago all almost alone along already also
although always am among amongst amoungst amount an and another any anybody anyhow anyone anything
anyway anywhere are aren't around as at away back be became because become becomes becoming been
before beforehand behind being below beside besides best better between beyond bill both bottom
but by call came can can't cannot cant co come con could couldn't couldnt cry de describe detail
did didn't do does doesn't doing don't done dont down due during each eg eight either eleven else
elsewhere empty enough etc even ever every everybody everyone everything everywhere except few
fifteen fifty fill find fire first five for former formerly forty found four from front full
further get gets getting give go goes going gone got had hadn't has hasn't hasnt have haven't
having he he'd he'll he's hence her here here's hereafter hereby herein hereupon hers herself hi
him himself his hitherto how however hundred i i'd i'll i'm i've ie if in inc indeed instead
interest into is isn't it it'd it'll it's its itself just keep last later latter latterly least
less let let's like likely ltd made make makes many may maybe me meanwhile might mill mine more
moreover most mostly move much must my myself name namely near neither never nevertheless next
nine no nobody none noone nor not nothing now nowhere of off often ok okay on once one ones only
onto or other others otherwise our ours ourselves out over own part per perhaps please put quite
rather re really same see seem seemed seeming seems serious several shall she she's should
shouldn't show side since sincere six sixty so some somehow someone something sometime sometimes
somewhere soon still such system take ten than that that's the their theirs them themselves then
thence there there's thereafter thereby therefore therein thereupon these they they'd they'll
they're they've thick thin third this those though three through throughout thru thus to today
together too top toward towards twelve twenty two un under unless unlike until up upon us use used
uses using usually very via was wasn't way we we'd we'll we're we've well were weren't what what's
whatever when whence whenever where whereafter whereas whereby wherein whereupon wherever whether
which while whither who who's whoever whole whom whose why will with within without won't would
wouldn't yes yet you you'd you'll you're you've your yours yourself yourselves
""")
# Words of the stop list that also stand in names: `Old Crow Medicine Show`, `First Division`.
NAME_PARTS = _words("""
amount best bill bottom call co cry detail down eight eleven empty fifty fill find fire first five
forty found four front full hundred inc interest last less ltd mill mine move much my name near
next nine part per show side six sixty system take ten third three top twelve twenty two under up
very via well whole
""")
STRICT = ENGLISH - NAME_PARTS  # these never stand in a name but at the front of a title
OTHERS = {
    "de": _words("""
aber alle allem allen aller alles als also am an andere anderen auch auf aus bei beim bereits bis
bzw da dabei damit danach dann daran darauf daraus das dass davon dazu dein deine dem den denn der
deren des dessen deshalb die dies diese diesem diesen dieser dieses doch dort durch ein eine einem
einen einer eines einfach er erst es etwa etwas euch eure für gegen gibt habe haben hat hatte hier
hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im immer in indem ins ist ja je jede jedem
jeden jeder jedes jedoch jetzt kann kein keine keinen können könnte man mehr mehrere mein meine
meist mit muss müssen nach neben nicht nichts noch nun nur ob oder oft ohne schon sehr sein seine
seinem seinen seiner seit sich sie sind so sobald sofern sogar soll sollen sollte sondern sonst
sowie statt über um und uns unser unter viel viele vom von vor war waren warum was weil weitere
welche welcher wenn wer werden wie wieder wir wird wo wurde wurden während zu zum zur zwar
zwischen zwei drei
"""),
    "fr": _words("""
alors au aucun aussi autre aux avec avoir car ce cela ces cet cette chaque comme comment dans de
des donc dont du elle elles en encore entre est et être eux fait il ils je la le les leur leurs
lui mais même mes moins mon ne nos notre nous on ont ou où par pas peu peut plus pour quand que
qui sa sans ses si son sont sur tous tout toute très tu un une vers vos votre vous était
"""),
    "es": _words("""
al algo antes como con contra cual cuando de del desde donde dos el ella ellos en entre era es
esta estas este esto estos está fue ha hasta hay la las le les lo los me muy más nos o otro para
pero poco por porque que se ser si sin sobre son su sus también tiene todo un una uno unos y ya
"""),
    "it": _words("""
al alla anche che chi come con cui da dal dalla dei del della delle di dove e ed era gli ha il in
io la le lei lo loro lui ma mi molto nel nella non o per perché più quale quando quella questo se
sono su sua sul tra un una uno è
"""),
    "nl": _words("""
aan als bij dan dat de deze die dit door een en er had heeft het hij hoe ik is kan maar met naar
niet nog of om ook op over te tot uit van veel voor was wat we wel werd wordt zal ze zich zij zijn
"""),
}
ARABIC = _words("""
من في على إلى عن أن إن هذا هذه ذلك تلك التي الذي الذين هو هي هم كان كانت يكون تكون مع أو و ثم قد
لا ما لم لن كل بعض عند بين حتى إذا كما لكن أي أيضا أيضاً غير بعد قبل خلال حيث لأن فقط نحن أنت هنا
هناك يمكن
""")
CHINESE = frozenset(
    "的了和是在与或及也都就而但为以于从到把被对这那有我你他她它们个不会能可要用中上下之其并则等"
)
CHINESE_WORDS = _words("""
什么 怎么 我们 他们 它们 你们 这个 那个 可以 没有 不是 就是 如果 因为 所以 但是 一个 哪些
这些 那些 多少 自己 已经
还是 或者 这样 那样 时候 之间 以及 其中 通过 进行
使用 需要 可能 应该
""")
FUNCTION_WORDS = ENGLISH.union(ARABIC, CHINESE_WORDS, *OTHERS.values())

# Before a noun these make no term of it: `current page`, `new parameters`.
PLAIN_ADJECTIVES = _words("""
new current good bad previous main different same simple old big small large real next certain
various specific possible common general important entire actual original following above right
wrong available additional extra existing particular proper special normal usual great little long
short high low early late own single
""")
# Small words that titles in title case leave small.
TITLE_SMALL = _words("a an the of and or in to on for with at by from it as de la le el du von und")
DETERMINERS = _words("""
a an the this that these those my your his her its our their each every any no some another both
all one two three which what whose several many more most other multiple single
""")
CALENDAR = _words("""
january february march april may june july august september october november december monday
tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays
saturdays sundays jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun
january. januar februar märz mai juni juli oktober dezember montag dienstag mittwoch donnerstag
freitag samstag sonntag janvier février mars avril juin juillet août septembre octobre novembre
décembre enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
bc ad bce ce am pm
""") - {"may", "sun", "mars", "sat", "mon"} | {"may"}
# Words that name the form of a page and not its subject.
UNITS = _words("gb mb kb tb kib mib gib ms hz ghz mhz khz km kg cm mm utc gmt usd eur gbp")
PAGE_WORDS = _words("""
part pt phase version day week page post article series item thing introduction conclusion
conclusions overview summary contents prerequisites requirements references reference note notes
tip tips warning important example examples further reading background appendix chapter section
figure table faq todo toc update updates edit disclaimer caveats usage setup results result
discussion abstract acknowledgements links sources tldr tl;dr einleitung zusammenfassung fazit
voraussetzungen beispiel beispiele hinweis übersicht inhalt thanks pros cons cost costs goal goals
option options step steps problem problems solution solutions why how what when where who
everything nothing hello hey wrapping finally first second third lastly yay oh wow sorry true
false null
""")
# Words after whose `of` or `for` a name may go on with `and`: `Council for Peace and Order`.
ORGANIZATION_HEADS = _words("""
council committee ministry department institute institution center centre campaign society
foundation organization organisation association agency board bureau office school faculty academy
college university museum initiative conference commission federation congress union fund party
secretary minister
""")
# `Docker-based`, `GPU-heavy`: the first part alone is the name. So with parts in -ed and -ing.
ADJECTIVE_PARTS = _words("""
like style era born led specific only free ready aware side level wide native heavy friendly
compatible first made built run style esque wise old long most
""")
# `Convention People 's Party`: whose possessive is part of a name.
POSSESSORS = _words("people peoples worker workers women men children winners farmers veterans")
CONNECTORS = _words("of the de del della di da do dos du la le les van von der den des al el bin y")
TITLES = _words("""
mr mrs ms miss dr prof professor sir lord lady dame captain capt colonel col general gen major maj
lieutenant lt sergeant sgt agent president king queen prince princess pope father sister brother
saint st rev reverend senator judge doctor herr frau chancellor minister emperor empress duke
count countess baron commander admiral detective inspector officer director uncle aunt vice prime
rear petty chief justice deputy mayor governor bishop archbishop cardinal chairman secretary
ambassador representative agents ceo cto associate
""")
ABBREVIATIONS = _words("""
mr mrs ms dr prof st sr jr vs etc e.g i.e eg ie cf no nos vol fig approx inc ltd co corp dept est
gen col capt lt sgt rev hon bzw usw ca mt ft
""")
ORGANIZATION_WORDS = _words("""
inc ltd llc corp corporation company co gmbh ag plc university college school academy institute
institution association society council committee commission party union club team orchestra band
agency ministry department bureau office bank group foundation trust organization organisation
army navy force forces regiment brigade division squad police court senate parliament congress
assembly church records films studios pictures entertainment productions press publishing museum
library hospital airlines airways railway network league federation conference government house
companies brothers services consortium laboratory laboratories guild alliance squadron corps
battalion
""")
ORGANIZATION_SURE = _words("inc ltd llc corp corporation gmbh university foundation institute")
PLACE_WORDS = _words("""
city town village county district province state river lake mountain mount mountains island
islands valley bay ocean sea coast desert street road avenue park square bridge station airport
harbour harbor port castle cathedral palace region republic kingdom empire territory peninsula
hills hill forest creek falls beach canyon base north south east west northern southern eastern
western central
""")
PLACE_FIRST = _words("mount lake river port cape fort san santa los gulf bay saint st isle")
EVENT_WORDS = _words("""
war battle siege revolution olympics games championship championships cup tournament festival
awards award election elections summit treaty operation expedition crusade massacre riots grammy
prix bowl series tour season census marathon uprising rebellion campaign crisis strike
""")
TECHNOLOGY_WORDS = _words("""
api sdk cli framework server client database engine library protocol runtime compiler language
kernel cache proxy driver plugin container cluster core studio code desktop compose hub cloud sql
db linux
""")
PERSON_BEFORE = TITLES | _words("""
singer actor actress author writer composer wife husband son daughter mother player guitarist
drummer politician journalist artist poet painter architect scientist engineer developer producer
songwriter photographer novelist historian philosopher coach manager physician footballer lawyer
bassist vocalist musician colleague friend
""")
PERSON_AFTER = _words("""
said says asked asks replied answered wrote writes nodded smiled whispered murmured born died
married laughed shouted sighed thought grinned frowned shrugged remarked explained who whose
interjected told suggested proposed noticed decided remembers remembered insisted joked prefers
liked likes wanted wants believes knows taught hopes hoped wondered recalled admits admitted says
smiles chimed mused muttered agreed argues argued felt knew looked turned stood
""")
PLACE_BEFORE = _words("in near from across throughout toward towards outside inside at nach aus")
VERB_BEFORE = _words("""
to will can could would should must may might shall i you he she we they it who don't doesn't
didn't let's not won't can't cannot please and then
""") - {"and"}
THING_BEFORE = _words(
    "a an the this each every its der die das den dem ein eine einen le la les el los"
)
