"""Spanish."""

from veridical.rag.refusals.phrases.table import Phrases

__all__ = ["PHRASES"]

_META = (
    r"(?:contextos?|fuentes?|pasajes?|fragmentos?|extractos?|documentos?|documentación|textos?|artículos?|material(?:es)?"
    r"|base de conocimientos?|resultados|información proporcionada|información facilitada)"
)
_DOC = (
    rf"(?:{_META}|manual(?:es)?|preguntas frecuentes|folletos?|guías?|páginas?|archivos?|informes?|reglamentos?|reglas|normas?"
    r"|contratos?(?: de alquiler)?|registros?(?: de cambios)?|fichas?|capítulos?|recetario)"
)
_TELL = (
    r"(?:mencion|indic|especific|describ|explic|señal|aclar|precis|nombr|abord|trat|detall|revel|menta|habl)(?:a|an|e|en)\b"
    r"|dice[n]?\b|respond(?:e|en)\b|hac(?:e|en) (?:referencia|mención)|alud(?:e|en)\b"
)
_HOLD = r"(?:contien(?:e|en)|d(?:a|an)|ofrec(?:e|en)|incluy(?:e|en)|proporcion(?:a|an)|cubr(?:e|en)|aport(?:a|an)|recog(?:e|en))"
_FACT = (
    r"(?:información|informaciones|datos|detalles?|respuestas?|mención|referencias?|indicación|indicaciones|documentos?"
    r"|resultados?|cifras?|contexto|elementos|pasajes?|registro)"
)
_SAY = (
    r"(?:responder|encontrar|decir|determinar|dar|proporcionar|ayudar|indicar|confirmar|identificar|establecer|hallar"
    r"|facilitar|contestar|localizar|precisar|saber|acceder|comprobar|concluir|afirmar)(?:le|les|te|lo|la|me|se)?"
)

PHRASES = Phrases(
    cues=(
        "no ",
        "nada",
        "ningun",
        "ningún",
        "ni ",
        "sin ",
        "insuficiente",
        "imposible",
        "desconozco",
        "desconoce",
        "fuera",
        "falta",
        "lamentablemente",
        "incapaz",
        "abstener",
        "silencio",
        "más allá",
    ),
    refusals=(
        # The documents do not tell.
        rf"\b{_DOC}\b[^;]{{0,60}}? no (?:se |lo |la |me |nos |le )?(?:{_TELL})",
        rf"\b{_META}\b[^;]{{0,60}}? no (?:\w+ )?{_HOLD}\b",
        rf"\bno (?:{_HOLD})(?: \w+){{0,3}}? {_FACT}\b",
        rf"^(?:y |él |ella |este |esto |eso )?(?:tampoco|no) (?:se |lo |la )?(?:{_TELL})",
        rf"\b(?:ningun[oa]s?|ningún) (?:de )?(?:los |las |estos |estas )?[^;]{{0,20}}?\b{_DOC}\b[^;]{{0,40}}?\b(?:{_TELL}|{_HOLD})",
        rf"\bni\b[^;]{{0,60}}?\b{_DOC}\b[^;]{{0,40}}?\b(?:{_TELL}|{_HOLD})",
        rf"\bnada (?:en|de lo que)\b[^;]{{0,60}}?\b(?:{_DOC}|{_TELL})",
        rf"\bguarda(?:n)? silencio\b|\b{_DOC}\b[^;]{{0,30}}? callan?\b",
        # It is not told.
        r"\bno (?:se |es |son |está |están |ha sido |queda |quedan )(?:\w+mente )?(?:menciona\w*|indica\w*|especifica\w*|precisa\w*|describ\w*|explica\w*|aborda\w*|detalla\w*|documenta\w*|aclara\w*|clar[oa]s?|sabe|dice)\b",
        r"\bno (?:figuran?|aparecen?|constan?|se encuentran?|se hallan?|están?) (?:\w+ ){0,3}?(?:en|entre)\b",
        r"\b(?:información|respuesta|dato|datos)\b[^;]{0,30}? no (?:está|están|figura|consta|aparece)\b",
        r"\b(?:no es posible|es imposible|resulta imposible|no se puede|no puede)[^;]{0,20}? (?:responder|contestar|determinar|saber|decir|establecer|responderse|determinarse)\w*\b",
        r"\bno permiten? (?:\w+ )?(?:responder|determinar|saber)\b|\bse desconoce\b",
        # I cannot tell.
        rf"\bno (?:le |te |les )?(?:puedo|podemos|podría|pude|pudimos|he podido|hemos podido|logré|consigo|conseguí|soy capaz de|estoy en condiciones de)\b[^;]{{0,60}}?\b{_SAY}\b",
        r"\bno (?:he |hemos )?(?:encuentro|encontramos|encontré|encontrado|veo|hallo|hallé|hallado)\b",
        r"\b(?:no|desconozco)(?: lo| la)? (?:sé|sabemos|sabría)\b|\bdesconozco\b|\bni idea\b",
        rf"\bno (?:tengo|tenemos|dispongo|disponemos|cuento|poseo)\b[^;]{{0,30}}?\b(?:{_FACT}|acceso|constancia|conocimiento|idea)\b",
        r"\b(?:debo|tengo que|prefiero|quiero) (?:\w+ )?(?:abstenerme|no (?:adivinar|responder|especular|contestar)|declinar|rechazar|renunciar)\b",
        r"\bno estoy (?:\w+ ){0,2}?(?:segur[oa]|autorizad[oa])\b|\bno puedo (?:ayudar|acceder|contestar|responder)\w*\b",
        r"\b(?:me|nos) faltan?\b",
        # Too little, or something else.
        rf"\b{_FACT} (?:\w+ )?insuficientes?\b|\binsuficientes? {_FACT}\b|\bno hay (?:suficiente|bastante)s? {_FACT}\b",
        rf"\bno (?:hay|existen?|se (?:han )?(?:encontr|hall)\w+|se dispone de)(?: \w+)?(?: {_FACT}\b(?! (?:que|para|a)\b)| nada\b(?! que))",
        rf"\bsin {_FACT} (?:sobre|acerca|suficiente)\b",
        r"\bfuera de(?:l)? (?:\w+ )?(?:lo que|alcance|ámbito|estos|los|contexto)\b|\bmás allá de lo que\b",
        r"^\W*(?:desconocid[oa]|sin respuesta|ninguna respuesta|sin información|no (?:consta|disponible|encontrad[oa]|especificad[oa]))\W*$",
    ),
    fillers=(
        r"\?\W*$",
        r"^\W*¿",
        r"^\W*(?:lo siento|lo lamento|lamentablemente|desgraciadamente|disculpe|perdone|perdón|gracias|muchas gracias|por desgracia)\b[^,]{0,50}$",
        r"^\W*(?:por favor|póngase|ponte|contacte|consulte|pregunte|diríjase|compruebe)\b",
        r"\b(?:puede|podría|debería|convendría|lo mejor es|le (?:recomiendo|sugiero|aconsejo)|si (?:me|usted|quiere|lo desea)|con gusto|no dude)\b",
        rf"\b(?:{_DOC}|ellos|estos)\b[^;]{{0,30}}? (?:solo|sólo|únicamente|solamente|exclusivamente|sobre todo)\b",
        rf"\b(?:{_DOC}|ellos|estos)\b(?: \w+){{0,2}}? (?:hablan?|tratan?|describen?|explican?|abordan?|se refieren?|se centran?|versan?)\b(?! que)",
    ),
    turns=(
        r"\bpero\b",
        r"\b(?:sin embargo|no obstante|en cambio)\b",
        r"[,.] (?:aunque|si bien|sino|aun así)\b",
    ),
    concessions=(r"^\W*(?:aunque|si bien|aun cuando|mientras que|pese a|a pesar de)\b",),
)
