"""English."""

from veridical.rag.refusals.phrases.table import Phrases

__all__ = ["PHRASES"]

_META = (
    r"(?:contexts?|sources?|passages?|excerpts?|extracts?|chunks?|snippets?|documents?|docs?|materials?"
    r"|texts?|articles?|knowledge base|search results?|results|references|information provided)"
)
_DOC = (
    rf"(?:{_META}|manuals?|handbooks?|guides?|faqs?|leaflets?|brochures?|pages?|files?|records?|reports?"
    r"|notes?|polic(?:y|ies)|contracts?|leases?|agreements?|change ?logs?|regulations?|rules?|data ?sheets?"
    r"|collections?|entries|entry|transcripts?|letters?|memos?|papers?|sections?|chapters?)"
)
_TELL = (
    r"(?:mention|sa(?:y|id)|state|specif(?:y|ie)|describe|address|indicate|tell|explain|discuss|disclose"
    r"|reveal|clarif(?:y|ie)|answer|refer|touch|note|spell)(?:e?s)?"
)
_HOLD = r"(?:contain|include|provide|give|cover|list|name|offer|have|hold|supply|show|record|deal with)s?"
_KNOWN = (
    r"(?:mentioned|stated|specified|addressed|described|disclosed|documented|indicated|discussed"
    r"|recorded|explained|said)"
)
_FACT = (
    r"(?:information|details?|answers?|data|mention|references?|figures?|facts?|indication|evidence"
    r"|context|knowledge|records?|guidance|specifics|anything)"
)
_FIND = (
    r"(?:find|locate|answer|determine|say|tell|help|assist|provide|identify|confirm|see|give|verify"
    r"|access|comment|establish|conclude|speak|offer|share|respond|infer|work out|name|discuss)"
)
_NOT = r"(?: not|n't|not)"

PHRASES = Phrases(
    cues=(
        "not",
        "n't",
        " no ",
        "no ",
        "nothing",
        "none",
        "neither",
        "nowhere",
        "unable",
        "insufficient",
        "outside",
        "beyond",
        "decline",
        "unclear",
        "unknown",
        "silent",
        "n/a",
        "lack",
        "fail",
        "missing",
    ),
    refusals=(
        # The documents do not tell.
        rf"\b{_DOC}\b[^;]{{0,60}}? (?:do|does|did){_NOT}(?: \w+){{0,2}}? {_TELL}\b",
        rf"\b{_META}\b[^;]{{0,60}}? (?:do|does|did){_NOT}(?: \w+){{0,2}}? {_HOLD}\b",
        rf"(?:do|does|did){_NOT}(?: \w+){{0,1}}? {_HOLD}(?: \w+){{0,4}}? {_FACT}\b",
        rf"^(?:it|they|this|that|these|and)? ?(?:also )?(?:do|does|did){_NOT}(?: \w+){{0,1}}? {_TELL}\b",
        rf"\b(?:none|neither|no|nothing)\b[^;]{{0,30}}?\b{_DOC}\b[^;]{{0,40}}?\b(?:{_TELL}|{_HOLD})\b",
        rf"\bnothing (?:\w+ ){{0,3}}(?:{_TELL}|{_HOLD})\b",
        rf"\b{_TELL} nothing\b",
        r"\b(?:is|are|remains?) (?:\w+ )?silent\b",
        rf"\b(?:make|give|contain|provide|include|offer|have|has|find|found|see|saw)s? no (?:\w+ ){{0,2}}?{_FACT}\b",
        rf"\bfails? to {_TELL}\b",
        rf"\b(?:there(?:'s| is| was| are| were|) )?(?:no|nothing)\b[^;]{{0,30}}? in (?:the|these|this|any of|my) [^;]{{0,30}}?\b{_DOC}\b",
        # It is not told.
        rf"\b(?:is|are|was|were|been)(?:n't| not)(?: \w+ly)? {_KNOWN}\b",
        rf"\b(?:is|are|was|were)(?:n't| not)(?: \w+ly)? (?:covered|given|provided|available|found|listed|included|contained|present|part)\b[^;]{{0,20}}? (?:in|by|from|of|among)\b[^;]{{0,40}}?\b{_DOC}\b",
        rf"\b{_FACT}\b[^;]{{0,40}}? (?:is|are|was|were)(?:n't| not) (?:\w+ly )?(?:available|given|provided|found|included|present|in)\b",
        rf"\b(?:is|it's|was)(?:n't| not) possible to (?:\w+ )?{_FIND}\b",
        r"\b(?:do|does|did)(?:n't| not) appear (?:in|anywhere|among)\b",
        r"\b(?:is|are|was) nowhere\b",
        r"\b(?:it is|it's|is|remains?) (?:un|not )clear (?:from|who|what|which|when|where|whether|how|why|if)\b",
        r"\b(?:can(?:not|'t| not)|could(?:n't| not)) be (?:\w+ )?(?:answered|determined|established|derived|inferred|deduced|found in|confirmed)\b",
        # I cannot tell.
        rf"\b(?:i|we)\b(?: \w+)?(?: can(?:not|'t| not)| could(?:n't| not)|'m unable to| (?:am|are|was|were) unable to|(?:'m| am| are|'re| was| were)(?:n't| not) able to)(?: \w+){{0,2}}? {_FIND}\b",
        rf"^(?:unable|not able) to (?:\w+ )?{_FIND}\b",
        r"\b(?:i|we) (?:do|did)(?:n't| not) (?:\w+ )?(?:know|find|see (?:any|anything|it|that|where|how))\b",
        rf"\b(?:i|we)(?: do| did)(?:n't| not)(?: \w+)? have (?:\w+ ){{0,3}}?(?:{_FACT}|access)\b",
        rf"\b(?:i|we)(?: have|'ve)? (?:have|found|find|got|see) no (?:\w+ ){{0,2}}?(?:{_FACT}|access|idea|way)\b",
        r"\b(?:i'm|i am|we are|we're) (?:afraid |sorry )?(?:not|un) ?(?:\w+ )?(?:sure|certain|aware)\b",
        r"\bi(?:'m| am) not (?:\w+ )?(?:allowed|permitted|authori[sz]ed)\b",
        r"\b(?:must|have to|need to|will|'ll) (?:\w+ )?(?:decline|refrain|abstain)\b",
        r"\b(?:would|'d) (?:rather|prefer) not\b|\bprefer not to\b|\bwo(?:n't|uld not) (?:guess|speculate)\b",
        # Too little, or something else.
        rf"\b(?:not enough|insufficient|too little|lack(?:s|ing)?(?: the| any| sufficient| enough)?) (?:\w+ )?{_FACT}\b",
        rf"\bno (?:\w+ ){{0,2}}?(?:{_FACT}|{_META})\b(?: \w+){{0,3}}? (?:found|available|given|provided|exists?|returned)\b",
        rf"\bno {_FACT} (?:about|on|regarding|concerning|for|as to|of)\b",
        r"\b(?:outside|beyond)(?: of)? (?:what|the scope|the range|my)\b",
        r"^\W*(?:unknown|n/a|no answer|not (?:found|stated|specified|mentioned|available|known|given|answerable))\W*$",
    ),
    fillers=(
        r"\?\W*$",
        r"\b(?:sorry|apologi[sz]e|apologies|unfortunately|regrettably|thank you|thanks|hmm|great question)\b(?=[^,]{0,40}$)",
        r"^\W*(?:sorry|i'm sorry|i am sorry|apologies|thank you|thanks|please)\b",
        r"\byou (?:may|might|can|could|should|will need to) (?:\w+ ){0,3}?(?:ask|contact|check|consult|try|want|wish|find|reach|refer|look|search|call)\b",
        r"\b(?:let me know|feel free|i(?:'d| would| can| will|'ll) (?:recommend|suggest|advise|gladly|be happy|happily|be glad|try|look)|if you (?:can|could|have|give|share|provide|tell|need|let))\b",
        r"\b(?:contact|consult|ask|check|try) (?:the|your|an?|our|with)\b",
        rf"\b(?:{_DOC}|they|it|these|everything|what i have)\b[^;]{{0,30}}? (?:only|solely|merely|just|mainly|mostly|exclusively)\b",
        rf"\b(?:{_DOC}|they|these)\b(?: \w+){{0,2}}? (?:talk|deal|cover|describe|discuss|concern|focus|explain|relate|refer|mention|address|are about|list|contain)s?\b(?! that)",
    ),
    turns=(
        r"\bbut\b",
        r"[,;:.] (?:however|though|although|yet|nevertheless|nonetheless|still|even so|that said|whereas)\b",
        r"^(?:however|nevertheless|nonetheless|that said|even so)\b",
    ),
    concessions=(r"^\W*(?:although|though|even though|while|whilst|despite|even if)\b",),
)
