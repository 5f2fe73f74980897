"""Italian."""

from veridical.rag.refusals.phrases.table import Phrases

__all__ = ["PHRASES"]

_META = (
    r"(?:contest[oi]|font[ei]|bran[oi]|estratt[oi]|passagg(?:io|i)|document[oi]|documentazione|test[oi]|articol[oi]|material[ei]"
    r"|base di conoscenza|risultati|informazioni fornite)"
)
_DOC = (
    rf"(?:{_META}|manual[ei]|guid[ae]|istruzioni|faq|opuscol[oi]|brochure|pagin[ae]|file|rapport[oi]|regolament[oi]|regole|norme"
    r"|contratt[oi](?: d'affitto)?|registr[oi](?: delle modifiche)?|sched[ae]|capitol[oi]|ricettario)"
)
_TELL = (
    r"(?:menzion|indic|specific|spieg|precis|nomin|tratt|illustr|rivel|chiar|accenn|afferm|dichiar)(?:a|ano|isce|iscono)\b"
    r"|descriv(?:e|ono)\b|dic(?:e|ono)\b|riport(?:a|ano)\b|rispond(?:e|ono)\b|cit(?:a|ano)\b|parl(?:a|ano)\b|fann?o? riferimento|fa riferimento"
)
_HOLD = r"(?:conten?g(?:o|ono)|contien(?:e)|contengono|d(?:à|anno)|offr(?:e|ono)|includ(?:e|ono)|fornisc(?:e|ono)|copr(?:e|ono)|comprend(?:e|ono))"
_FACT = (
    r"(?:informazion[ei]|dat[oi]|dettagli[o]?|rispost[ae]|menzione|riferiment[oi]|indicazion[ei]|document[oi]|risultat[oi]|cifr[ae]"
    r"|element[oi]|notizi[ae]|contesto|bran[oi])"
)
_SAY = (
    r"(?:rispondere|trovare|dire|determinare|dare|fornire|aiutare|indicare|confermare|identificare|stabilire|sapere|accedere"
    r"|dir|dar|aiutar|fornir|risponder|individuare|precisare|verificare|concludere|capire)(?:le|la|ti|vi|lo|gli|mi|si)?"
)

PHRASES = Phrases(
    cues=(
        "non ",
        "nulla",
        "niente",
        "nessun",
        "né ",
        "insufficient",
        "impossibile",
        "ignor",
        "esula",
        "manca",
        "purtroppo",
        "tace",
        "fuori",
        "astener",
        "privo",
        "priva",
        "senza",
    ),
    refusals=(
        # The documents do not tell.
        rf"\b{_DOC}\b[^;]{{0,60}}? non (?:si |lo |la |ne |ci |mi )?(?:{_TELL})",
        rf"\b{_META}\b[^;]{{0,60}}? non (?:\w+ )?{_HOLD}",
        rf"\bnon (?:{_HOLD})(?: \w+){{0,3}}? {_FACT}\b",
        rf"^(?:e |esso |essa |questo |ciò )?non (?:si |lo |la |ne )?(?:{_TELL})",
        rf"\bness(?:un[oa]?|un'?) (?:dei |delle |degli |di |di questi )?[^;]{{0,20}}?\b{_DOC}\b[^;]{{0,40}}?\b(?:{_TELL}|{_HOLD})",
        rf"\bné\b[^;]{{0,60}}?\b{_DOC}\b[^;]{{0,40}}?\b(?:{_TELL}|{_HOLD})",
        rf"\b(?:nulla|niente) (?:nei|nelle|nel|nella|in)\b[^;]{{0,60}}?\b{_DOC}",
        rf"\b{_DOC}\b[^;]{{0,30}}? tac(?:e|ciono)\b|\btace su\b",
        # It is not told.
        r"\bnon (?:è|sono|viene|vengono|è stat[oa]|risulta|risultano) (?:\w+mente )?(?:menzionat\w|indicat\w|specificat\w|precisat\w|descritt\w|spiegat\w|trattat\w|riportat\w|documentat\w|chiar[oaie]|not[oaie]|disponibil[ei]|presente|presenti|contenut\w)\b",
        r"\bnon (?:vi |ci )?(?:figurano?|compa(?:re|iono)|appa(?:re|iono)|si trova(?:no)?)\b",
        r"\bnon (?:è|è stato) possibile (?:\w+ )?(?:rispondere|determinare|dire|stabilire|sapere|trovare)\b|\bimpossibile (?:rispondere|determinare|stabilire|dire|sapere)\b",
        r"\bnon (?:permett|consent)\w+ di (?:rispondere|determinare|stabilire|sapere)\b|\bsi ignora\b",
        # I cannot tell.
        rf"\bnon (?:le |ti |vi )?(?:posso|possiamo|potrei|sono in grado di|siamo in grado di|sono riuscit[oa] a|siamo riusciti a|riesco a)\b[^;]{{0,60}}?\b{_SAY}\b",
        r"\bnon (?:trovo|troviamo|vedo)\b|\bnon (?:ho|abbiamo) (?:trovato|rinvenuto|individuato)\b",
        r"\bnon (?:lo |saprei|ne )?(?:so|sappiamo|saprei)\b|\bnon saprei\b|\b(?:lo )?ignoro\b|\bnessuna idea\b",
        rf"\bnon (?:ho|abbiamo|dispongo di|disponiamo di|possiedo)\b[^;]{{0,30}}?\b(?:{_FACT}|accesso|conoscenza|idea)\b",
        r"\b(?:devo|preferisco|debbo) (?:\w+ )?(?:astenermi|non (?:rispondere|tirare|indovinare|speculare)|declinare|rifiutare|rinunciare)",
        r"\bnon (?:ne )?sono (?:\w+ ){0,3}?(?:sicur[oa]|cert[oa]|autorizzat[oa])\b",
        r"\b(?:mi|ci) manca(?:no)?\b|\bmancano (?:i |le )?(?:dati|informazioni|elementi)\b",
        # Too little, or something else.
        rf"\b{_FACT} (?:\w+ )?insufficient[ei]\b|\bnon (?:ci sono|c'è|vi sono) (?:abbastanza|sufficienti) {_FACT}\b",
        rf"\bnon (?:ci sono|c'è|vi sono|vi è|esistono?|è stat[oa] trovat[oa]|sono stat[ie] trovat[ie]|risultano)(?: \w+){{0,2}}? {_FACT}\b(?! (?:da|richiest\w|necessari\w)\b)",
        rf"\bnessun[ao']? ?{_FACT}\b[^;]{{0,30}}?(?:trovat[oa]|disponibile|su\b|sul|riguardo|pertinente)",
        r"\besula\b|\b(?:fuori|al di fuori|oltre) (?:dall'|dal|dalla|di|da|del) ?(?:\w+ )?(?:ambito|ciò|quanto|contesto|portata|documenti)\b",
        r"^\W*(?:sconosciut[oa]|nessuna (?:risposta|informazione)|non (?:specificat[oa]|trovat[oa]|disponibile|indicat[oa]))\W*$",
    ),
    fillers=(
        r"\?\W*$",
        r"^\W*(?:mi dispiace|spiacente|purtroppo|scusi|ci scusiamo|grazie|mi scuso)\b[^,]{0,50}$",
        r"^\W*(?:per favore|la prego|contatti|consulti|chieda|si rivolga|provi|verifichi)\b",
        r"\b(?:può|potrebbe|dovrebbe|conviene|le (?:consiglio|suggerisco)|la invito|se (?:mi|vuole|lo desidera|ha)|volentieri|con piacere|non esiti)\b",
        rf"\b(?:{_DOC}|essi|questi)\b[^;]{{0,30}}? (?:solo|soltanto|solamente|unicamente|esclusivamente|soprattutto)\b",
        rf"\b(?:{_DOC}|essi|questi)\b(?: \w+){{0,2}}? (?:parla(?:no)?|tratta(?:no)?|descriv(?:e|ono)|spiega(?:no)?|riguarda(?:no)?|si riferi\w+)\b(?! che)",
    ),
    turns=(
        r"\b(?:ma|però)\b",
        r"\b(?:tuttavia|nondimeno|ciononostante|invece)\b",
        r"[,.] (?:anche se|sebbene|benché)\b",
    ),
    concessions=(r"^\W*(?:anche se|sebbene|benché|pur |nonostante|mentre)\b",),
)
