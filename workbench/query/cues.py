"""Words of a question, in several languages, that tell what kind of question it is.

English, German, French, Spanish, Chinese and Arabic, a line each; a question is folded to small
letters first. They are words of asking, never of what is asked about.
"""

from __future__ import annotations

import re


def _cues(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns))


RELATES = _cues(
    r"\brelat(?:e|es|ed|ion|ions|ionship)\b|\bconnect(?:s|ed|ion|ions)\b|\bconnect\b(?! to\b)",
    r"\bties?\b|\btied\b|\blink(?:s|ed)?\b|\bbetween\b|\bcompar(?:e|es|ed|ison)\b|\bdiffer(?:s|ence|ences|ent)?\b",
    r"\bversus\b|\bvs\b|\bin common\b|\btogether\b|\bto do with\b|\bdepends? on\b",
    r"\bverb(?:indet|unden|indung)|\bzusammenh|\bhäng(?:t|en) .* zusammen|\bzwischen\b",
    r"\bunterschied|\bverhält|\bvergleich",
    r"\blien\b|\brelient\b|\bentre\b|\bdifférence|\brapport\b",
    r"\brelaci[oó]n|\bconecta|\bdiferencia",
    r"关系|联系|区别|比较|之间",
    r"علاقة|الفرق|بين",
)
THEMES = _cues(
    r"\b(?:themes?|topics?|takeaways?|lessons?|trends?|patterns?|perspectives)\b",
    r"\b(?:main|central|recurring|common|key|major) (?:ideas?|points?|subjects?|threads?)\b",
    r"\boverview\b|\bsummar(?:y|ise|ize|ies)\b|\bbig picture\b",
    r"\bthem(?:a|en)\b|\büberblick|\bzusammenfass|\bfasse\b.*\bzusammen\b|\bhauptthem",
    r"\bthèmes?\b|\baperçu\b|\brésum|\bgrandes lignes\b",
    r"\btemas?\b|\bresum|\bpanorama\b",
    r"主题|总结|概述|概览|综述",
    r"مواضيع|موضوعات|ملخص|لخص|لمحة",
)
CORPUS = _cues(
    r"\b(?:corpus|collection|handbook|novella|story|book|dataset|archive|documents|chapters)\b",
    r"\b(?:handbuch|buch|sammlung|geschichte|dokumente)\b",
    r"\b(?:manuel|recueil|histoire|livre)\b",
    r"\b(?:manual|colección|historia|libro|documentos)\b",
    r"手册|书中|文档",
    r"الوثائق|المجموعة|الدليل|الكتاب",
)
WHOLE = _cues(
    r"\b(?:everything|everyone|overall|throughout|across|entire|whole)\b|\bin general\b",
    r"\ball (?:the |these |of )*(?:documents|chapters|texts|people|parts|systems)",
    r"\b(?:insgesamt|gesamt\w*|alles|ganze[mnrs]?|überhaupt)\b",
    r"\b(?:ensemble|dans tout|en général)\b",
    r"\b(?:en general|en todo|a lo largo)\b",
    r"全部|整个|整体|所有|总体",
    r"كلها|بأكمله|عموما",
)
OVERVIEW_OF = re.compile(
    r"\b(?:overview|summary|summari[sz]e|überblick|aperçu|résumé|resumen|panorama)\b"
    r"(?: (?:of|about|on|over|über|von|zu|de|du|des|sobre|del))*"
    r"(?: (?:the|a|an|le|la|el|der|die|das))* (?!how|what|why|who|when|where|wie|was)(\S+)"
)
HOW_TO = _cues(
    r"\bhow (?:do|can|should|would) (?:i|we|you|one)\b|\bhow to\b",
    r"\bwie (?:kann |muss |soll )?(?:ich|man)\b|\bwie \w+ (?:ich|man)\b",
    r"\bcomment (?:puis-je|faire|\w+er)\b",
    r"\bcómo (?:puedo|se|\w+r)\b",
    r"如何|怎么|怎样",
    r"كيف",
)
CHAIN = _cues(
    r"\b(?:of|by|from) (?:the|a|an) [^,?]* (?:of|that|which|who|whose|where)\b",
    r"\bwhose\b|\bthe (?:\w+ ){0,2}\w+['’]s\b|\w,? and (?:who|what|how|when|where|which|why)\b",
    r"\b(?:that|which|who|where) (?:\w+ ){1,6}(?:also|and|then|was|is|were|had|has|did)\b",
    r"\bwelche\w* .*, (?:der|die|das|dessen|deren)\b|, und (?:wer|was|wie|wo|wann|welche\w*)\b",
    r"\bdont\b",
    r"\bcuy[oa]s?\b",
)
FACT = _cues(
    r"^\W*(?:who|what|when|where|which|how (?:many|much|long|old|far))\b",
    r"^\W*(?:wer|was|wann|wo|welche\w*|wie viele?)\b",
    r"^\W*(?:qui|que|quand|où|quel\w*|combien)\b",
    r"^\W*(?:quién|qué|cuándo|dónde|cuál\w*|cuánt\w*)\b",
    r"谁|什么|哪|几|多少",
    r"من هو|ما هو|متى|أين",
)
ABOUT = _cues(
    r"\b(?:who|what) (?:is|was|are|were)\b|\babout\b|\bdescribe\b|\brole\b",
    r"\bwer (?:ist|war)\b|\bwas (?:ist|sind)\b",
    r"\bqui est\b|\bqu'est-ce\b",
    r"\bquién\b|\bqué es\b",
    r"是谁|是什么|介绍",
    r"من هو|ما هو|ما هي",
)
