"""German."""

from veridical.rag.refusals.phrases.table import Phrases

__all__ = ["PHRASES"]

_META = (
    r"(?:kontext\w*|quellen?|passagen?|auszüge?n?|auszug|abschnitte?n?s?|textabschnitte?n?|dokumente?n?s?|unterlagen"
    r"|texte?n?s?|artikeln?|material\w*|wissensdatenbank|wissensbasis|suchergebnisse?n?|ausschnitte?n?|stellen)"
)
_DOC = (
    rf"(?:{_META}|anleitung\w*|handb(?:uch|ücher)\w*|faqs?|merkbl(?:att|ätter)\w*|prospekte?s?|brosch\w+|seiten?|berichte?n?s?"
    r"|hausordnung|regeln|richtlinien?|verträge?n?|\w*vertrag\w*|\w*protokoll\w*|datenbl(?:att|ätter)\w*|sammlung|einträge?n?|kapiteln?)"
)
_TELL = (
    r"(?:erwähn(?:t|en)|nenn(?:t|en)|sag(?:t|en)|beschreib(?:t|en)|erklär(?:t|en)|beantworte[nt]|äußer(?:t|n) sich"
    r"|spezifizier(?:t|en)|verr(?:ät|aten)|geh(?:t|en) (?:nicht )?(?:darauf )?ein|thematisier(?:t|en)|regel(?:t|n)|behandel(?:t|n)|verr(?:ä|a)t)"
)
_FACT = (
    r"(?:information(?:en)?|angaben?|hinweise?|auskünfte?|auskunft|antwort(?:en)?|daten|aussagen?|details|einträge?|eintrag"
    r"|einzelheiten|belege?|dokumente?|treffer|ergebnisse?|anhaltspunkte?|passage|stelle|kenntnisse?)"
)
_SAY = (
    r"(?:sagen|beantworten|mitteilen|nennen|finden|ermitteln|angeben|ableiten|entnehmen|feststellen|beurteilen"
    r"|helfen|weiterhelfen|bestimmen|entscheiden|bestätigen|abrufen|einsehen|erkennen|herausfinden|geben|machen)"
)

PHRASES = Phrases(
    cues=(
        "nicht",
        "kein",
        "nichts",
        "weder",
        "nirgends",
        "unbekannt",
        "unklar",
        "außerhalb",
        "leider",
        "fehl",
        "offen",
        "unzureichend",
        "ungenügend",
        "ohne",
        "überfordert",
    ),
    refusals=(
        # The documents do not tell.
        rf"\b{_DOC}\b[^;]{{0,60}}? {_TELL}\b[^;.]{{0,40}}? (?:nicht|nichts|kein\w*)\b",
        rf"\b{_DOC}\b[^;]{{0,60}}? (?:enth(?:ält|alten)|mach(?:t|en)|geb(?:en|t)|gibt|liefer(?:t|n)|biet(?:et|en))\b[^;.]{{0,30}}? (?:kein\w*|nicht genug|nichts)\b",
        rf"\b(?:enth(?:ält|alten)|mach(?:t|en)|geben|gibt|liefern?|bieten?)\b[^;.]{{0,40}}? (?:{_DOC}\b )?[^;.]{{0,30}}?\bkeine?n?r? (?:\w+ ){{0,2}}?{_FACT}\b",
        rf"\b{_TELL}\b(?: \w+)? (?:aber|jedoch|allerdings|dazu|hierzu|darüber)? ?(?:nicht|nichts)\b",
        rf"\bkeine[rs]? der [^;]{{0,30}}?\b{_DOC}\b[^;]{{0,60}}?\b(?:{_TELL}|enthält|gibt)\b",
        rf"\b(?:kein\w*|weder)\b[^;]{{0,20}}?\b{_DOC}\b[^;]{{0,60}}?\b{_TELL}\b",
        rf"\b{_TELL} weder\b",
        rf"\b(?:im|in (?:den|diesen|dem|der|meinen|ihren)) [^;]{{0,30}}?\b{_DOC}\b[^;]{{0,30}}? (?:steht|stehen|findet sich|finde ich|gibt es|ist|sind|wird|kommt)\b[^;]{{0,60}}?\b(?:nicht|nichts|kein\w*)\b",
        rf"\b(?:steht|stehen|findet sich|finden sich|ist|wird)\b[^;]{{0,50}}?\b(?:nichts?|kein\w*)\b[^;]{{0,40}}?\b(?:im|in (?:den|diesen|dem|der)) [^;]{{0,30}}?\b{_DOC}\b",
        rf"\b(?:im|in (?:den|diesen|dem|der)) [^;]{{0,30}}?\b{_DOC}\b[^;]{{0,20}}?\b(?:nicht|nichts|kein\w*) (?:\w+ ){{0,2}}?(?:zu finden|erwähnt|enthalten|genannt|vorhanden)\b",
        # It is not told.
        r"\b(?:nicht|nirgends|nirgendwo) (?:\w+ )?(?:erwähnt|genannt|angegeben|beschrieben|aufgeführt|behandelt|erläutert|vermerkt|dokumentiert|ersichtlich|beantwortet|spezifiziert)\b",
        r"\b(?:geht|gehen)\b[^;]{0,60}? nicht hervor\b|\bnicht hervorgeh",
        r"\b(?:dort|darin|hier) nicht (?:vor|auf)?(?:kommt|taucht|steht|erscheint)\b|\bnicht vorkomm|\bkommt [^;]{0,30}?nicht vor\b",
        r"\b(?:läßt|lässt|lassen) sich\b[^;]{0,80}? nicht\b[^;]{0,20}?\b(?:beantworten|sagen|ableiten|entnehmen|feststellen|ermitteln|bestimmen|klären)\b",
        r"\b(?:bleibt|bleiben|ist|sind|wird)\b[^;]{0,50}?\b(?:offen|unklar|unbekannt|nicht (?:ganz )?(?:klar|bekannt|eindeutig))\b(?! (?:ist|sind),)",
        r"\bnicht (?:\w+ )?beantwortet werden\b|\bkann nicht (?:\w+ )?(?:ermittelt|festgestellt|bestimmt) werden\b",
        # I cannot tell.
        rf"\b(?:kann|können|konnte|konnten) (?:ich|wir)\b[^;]{{0,90}}?\b(?:nicht|nichts|kein\w*|leider)\b[^;]{{0,60}}?\b{_SAY}\b",
        rf"\b(?:ich|wir) (?:kann|können|konnte|konnten)\b[^;]{{0,90}}?\b(?:nicht|nichts|kein\w*)\b[^;]{{0,60}}?\b{_SAY}\b",
        r"\b(?:kann|können|konnte|konnten)\b[^;]{0,80}?\bnicht (?:\w+ ){0,2}?(?:nennen|beantworten|sagen|helfen|weiterhelfen|mitteilen)\b",
        rf"\b(?:finde|finden|fand|habe|haben) (?:ich|wir)\b[^;]{{0,60}}?\b(?:nichts|kein\w*|nicht)\b(?: [^;]{{0,40}}?\b(?:{_FACT}|gefunden|entdeckt|zugriff|finden)\b|$)",
        rf"\b(?:ich|wir) (?:finde|finden|habe|haben|verfüge\w*|besitze\w*)\b[^;]{{0,60}}?\b(?:nichts|kein\w*|nicht)\b[^;]{{0,60}}?\b(?:{_FACT}|gefunden|entdeckt|zugriff|zugang)\b",
        r"\b(?:ich|wir) (?:finde|finden) (?:\w+ ){0,3}?nichts\b|\bfinde ich (?:\w+ ){0,4}?(?:nichts|kein\w*)\b",
        r"\b(?:weiß|weiss|wissen|wüsste) (?:ich|wir)\b[^;]{0,40}?\bnicht\b|\b(?:ich|wir) (?:weiß|weiss|wissen) (?:\w+ ){0,3}?nicht\b|\b(?:keine ahnung|überfragt)\b",
        rf"\bliegen (?:mir|uns)\b[^;]{{0,40}}?\bkeine (?:\w+ )?{_FACT}\b",
        r"\b(?:mir|uns|es|hier|dazu) fehl(?:t|en)\b|\bfehl(?:t|en) (?:mir|uns)\b",
        r"\b(?:mir|uns)\b[^;]{0,30}? nicht bekannt\b",
        r"\b(?:möchte|will|werde|muss) (?:ich )?(?:\w+ ){0,3}?(?:nicht (?:raten|spekulieren|beantworten)|verzichten|passen|ablehnen)\b|\blieber nicht\b",
        r"\bbin (?:ich )?(?:mir )?(?:\w+ ){0,2}?nicht sicher\b|\bsicher bin ich (?:mir )?nicht\b|\bnicht in der lage\b",
        # Too little, or something else.
        rf"\b(?:keine? (?:ausreichend|genügend|hinreichend|passend|relevant)\w*|nicht genug|nicht genügend|zu wenig\w*|unzureichende|nicht ausreichend\w*|ungenügende) (?:\w+ )?{_FACT}\b",
        rf"\b(?:kein\w*) (?:\w+ ){{0,2}}?{_FACT}\b(?: \w+){{0,2}}? (?:gefunden|vorhanden|verfügbar|zu finden)\b",
        rf"\b(?:gibt|gab) es\b[^;]{{0,60}}?\bkeine?n? (?:\w+ )?{_FACT}\b|\b{_FACT}[^;]{{0,40}}? (?:ist|sind|liegt|liegen) nicht (?:verfügbar|vor|vorhanden|enthalten)\b",
        rf"\bkeine (?:\w+ )?{_FACT} (?:zu|zum|zur|über|bezüglich)\b",
        r"\baußerhalb (?:des|der|dessen|meine[rs])\b",
        r"^\W*(?:unbekannt|keine (?:antwort|angaben?)|nicht (?:gefunden|bekannt|angegeben|verfügbar))\W*$",
    ),
    fillers=(
        r"\?\W*$",
        r"^\W*(?:es tut (?:mir|uns)(?: \w+)? leid|tut mir leid|entschuldig\w+|leider|bedauer\w+|sorry|vielen dank|danke|hm+)\b[^,]{0,60}$",
        r"^\W*(?:bitte|wenden sie sich|fragen sie|melden sie|prüfen sie|schauen sie|kontaktieren sie)\b",
        r"\b(?:sie (?:können|könnten|sollten|müssten)|am besten|empfehle|rate ihnen|wenn sie|falls sie|gerne|gern)\b[^;]{0,60}?\b(?:fragen|wenden|nach|kontakt\w*|helfe\w*|teilen|mitteilen|geben|nennen|prüfen|suchen|schaue|anrufen)\b",
        rf"\b(?:{_DOC}|sie|diese|dort)\b[^;]{{0,30}}? (?:nur|lediglich|ausschließlich|allein|vor allem|hauptsächlich)\b",
        rf"\b(?:{_DOC}|sie|diese)\b(?: \w+){{0,2}}? (?:handel(?:t|n)|behandel(?:t|n)|beschreib(?:t|en)|erklär(?:t|en)|erläuter(?:t|n)|geh(?:t|en) um|befass(?:t|en)|bezieh(?:t|en))\b(?!,? dass)",
    ),
    turns=(
        r"\b(?:aber|jedoch|allerdings|doch|sondern)\b",
        r"[,.] (?:obwohl|wobei|dennoch|trotzdem|immerhin)\b|^(?:dennoch|trotzdem|immerhin)\b",
    ),
    concessions=(r"^\W*(?:obwohl|obgleich|auch wenn|wenngleich|während|zwar)\b",),
)
