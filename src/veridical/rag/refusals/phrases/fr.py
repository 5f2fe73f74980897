"""French."""

from veridical.rag.refusals.phrases.table import Phrases

__all__ = ["PHRASES"]

_META = (
    r"(?:contextes?|sources?|passages?|extraits?|documents?|documentation|textes?|articles?|matériel|matériaux"
    r"|base de connaissances|résultats|éléments fournis|informations fournies)"
)
_DOC = (
    rf"(?:{_META}|manuels?|modes? d'emploi|faq|brochures?|dépliants?|notices?|pages?|fichiers?|rapports?|règlements?|règles"
    r"|contrats?|bail|baux|journal des modifications|journal|fiches?|chapitres?|guides?|recueil)"
)
_TELL = (
    r"(?:mentionn|indiqu|précis|décri|expliqu|évoqu|abord|spécifi|révèl|nomm|trait|cit|stipul|renseign|détaill)(?:e|ent|ait|aient|é|t|vent|ve)"
    r"|di(?:t|sent|sait)|parle(?:nt)?|répon(?:d|dent)"
)
_HOLD = r"(?:contien(?:t|nent)|contenai(?:t|ent)|donne(?:nt)?|fourni(?:t|ssent)|compren(?:d|nent)|compor(?:te|tent)|couvr(?:e|ent)|inclu(?:t|ent)|permet(?:tent)? pas de)"
_FACT = (
    r"(?:informations?|renseignements?|détails?|réponses?|données|mentions?|références?|indications?|éléments|documents?"
    r"|résultats?|précisions?|trace|montant|chiffre|contexte|passages?)"
)
_SAY = (
    r"(?:répondre|trouver|dire|déterminer|donner|fournir|aider|préciser|indiquer|confirmer|identifier|établir"
    r"|affirmer|vérifier|conclure|communiquer|accéder|savoir|deviner|localiser|renseigner)"
)
_NOT = r"(?:pas|rien|aucune?|nulle part|guère|point|jamais)"

PHRASES = Phrases(
    cues=(
        "pas",
        "rien",
        "aucun",
        "ni ",
        "impossible",
        "insuffisant",
        "muet",
        "ignor",
        "hors",
        "dépass",
        "manque",
        "incapable",
        "nulle part",
        "sans ",
        "au-delà",
    ),
    refusals=(
        # The documents do not tell.
        rf"\b{_DOC}\b[^;]{{0,60}}? (?:ne |n')(?:l'|le |la |les |nous |y |en )?(?:{_TELL})(?: \w+)? (?:{_NOT})\b",
        rf"\b(?:{_META})\b[^;]{{0,60}}? (?:ne |n')(?:l'|le |la |y |en )?(?:{_HOLD}) ?(?:{_NOT})?\b",
        rf"(?:^|\W)(?:ne |n')(?:{_HOLD}) (?:{_NOT})(?: \w+| d'| de){{0,3}}?[ ']{_FACT}\b",
        rf"^(?:et |il |elle |ils |elles |celui-ci |cela |ça )?(?:ne |n')(?:{_TELL}) (?:{_NOT})\b",
        rf"\baucune? (?:de ces |des |de |)[^;]{{0,20}}?\b{_DOC}\b[^;]{{0,40}}? (?:ne |n')[^;]{{0,30}}?\b(?:{_TELL}|{_HOLD}|trouvé)",
        rf"\b(?:ni|rien)\b[^;]{{0,60}}?\b{_DOC}\b[^;]{{0,40}}? (?:ne |n')(?:{_TELL}|{_HOLD})",
        rf"\brien (?:dans|dans tout|n')[^;]{{0,60}}?\b(?:{_DOC}|{_TELL}|permet)",
        r"\b(?:reste|restent|est|sont) (?:\w+ )?muets?\b|\bsilencieux sur\b",
        rf"\b(?:ne|n')[^;]{{0,10}}? (?:fait|font|donne|donnent|fournit|contient) (?:aucune?|pas de) (?:\w+ )?{_FACT}\b",
        # It is not told.
        r"(?:n'est|ne sont|n'était|n'a été|n'ont été|n'y est) (?:pas|nulle part|jamais) (?:\w+ment )?(?:mentionnée?s?|indiquée?s?|précisée?s?|spécifiée?s?|décrite?s?|expliquée?s?|abordée?s?|traitée?s?|évoquée?s?|documentée?s?|fournie?s?|disponibles?|claire?s?|connue?s?)\b",
        r"\bne (?:figure(?:nt)?|se trouve(?:nt)?|apparaî(?:t|ssent)) (?:pas|nulle part)\b|\bn'(?:y )?(?:apparaî(?:t|ssent)|y figure(?:nt)?) (?:pas|nulle part)\b|\bn'y (?:est|sont) pas\b",
        r"\b(?:il est |il m'est |c'est )?impossible (?:de|d') ?(?:\w+ )?(?:répondre|dire|déterminer|savoir|trouver|établir|conclure|préciser)",
        r"\bon (?:ignore|ne sait pas)\b|\bil n'est pas (?:clair|possible de (?:répondre|dire|déterminer|savoir))\b",
        r"\bne permet(?:tent)? pas (?:de|d')",
        # I cannot tell.
        rf"\b(?:je|nous) ne (?:peux|pouvons|puis|pourrai\w*|saurais|suis|sommes)(?: \w+)? (?:pas|rien|aucune?|malheureusement pas|hélas pas)?[^;]{{0,60}}?\b{_SAY}",
        rf"\b(?:je|nous) (?:ne |n')(?:ai|avons)(?: \w+)? (?:pas|rien|aucune?)[^;]{{0,30}}?(?:pu|su|réussi|trouvé|accès|connaissance|assez|suffisamment|{_FACT})",
        r"\bje ne (?:trouve|vois|dispose|connais)(?: \w+)? (?:pas|rien|aucune?)\b|\bnous ne (?:trouvons|disposons) (?:pas|rien|aucune?)\b",
        r"\b(?:je|nous) ne (?:sais|savons)(?: \w+)? pas\b|\bje (?:l'ignore|ignore)\b|\baucune idée\b",
        r"\bne peux (?:donc |malheureusement )?(?:pas|rien) (?:vous )?(?:\w+ )?(?:donner|dire|répondre|aider|indiquer)\b",
        r"\bje (?:préfère|dois) (?:ne pas|m'abstenir|décliner|refuser|renoncer)|\bje ne suis pas (?:\w+ ){0,3}?(?:sûre?|certaine?|en mesure|capable|autorisée?)\b",
        r"\b(?:il )?(?:me|nous) manque\b",
        # Too little, or something else.
        rf"\b{_FACT} (?:\w+ )?insuffisant\w*|\b(?:pas assez|trop peu|pas suffisamment) (?:de |d'){_FACT}",
        rf"\b(?:il n'y a|il n'existe|n'existe|ne contient) (?:\w+ )?(?:pas|aucune?|rien)(?: de| d'| \w+){{0,2}}?[ ']?{_FACT}\b[^;]{{0,30}}?\b(?:sur|dans|concernant|au sujet|à propos|disponible|relati)",
        rf"\baucune? {_FACT}\b[^;]{{0,30}}?(?:trouvée?|disponible|fournie?|sur|concernant|pertinente?)",
        r"\b(?:dépasse|sort|sortent) (?:de |du |ce |le cadre)|\b(?:hors|en dehors|au-delà) (?:du|de|des) (?:champ|cadre|ce que|documents|sujet|contexte)",
        r"^\W*(?:inconnue?|aucune (?:réponse|information)|non (?:précisé|mentionné|trouvé|disponible)e?|sans réponse)\W*$",
    ),
    fillers=(
        r"\?\W*$",
        r"^\W*(?:désolée?|je suis désolée?|malheureusement|hélas|merci|pardon|toutes mes excuses|hm+)\b[^,]{0,50}$",
        r"^\W*(?:veuillez|merci de|n'hésitez pas|contactez|demandez|consultez|vérifiez|adressez)\b",
        r"\b(?:vous (?:pouvez|pourriez|devriez)|le mieux est|je (?:vous )?(?:conseille|recommande|suggère|invite)|si vous|volontiers|avec plaisir)\b",
        rf"\b(?:{_DOC}|ils|elles|ceux-ci|celles-ci)\b[^;]{{0,40}}? (?:seulement|uniquement|que|exclusivement|surtout)\b",
        rf"\b(?:{_DOC}|ils|elles)\b(?: \w+){{0,2}}? (?:parle(?:nt)?|traite(?:nt)?|décri(?:t|vent)|explique(?:nt)?|aborde(?:nt)?|concerne(?:nt)?|porte(?:nt)?|évoque(?:nt)?)\b(?! qu)",
    ),
    turns=(
        r"\bmais\b",
        r"\b(?:cependant|toutefois|néanmoins|pourtant|en revanche)\b",
        r"[,.] (?:bien que|quoique|même si|alors que)\b",
    ),
    concessions=(r"^\W*(?:bien que|bien qu'|quoique|même si|si |tandis que|alors que)",),
)
