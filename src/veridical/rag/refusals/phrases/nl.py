"""Dutch."""

from veridical.rag.refusals.phrases.table import Phrases

__all__ = ["PHRASES"]

_META = (
    r"(?:context|bron(?:nen)?|passages?|fragment(?:en)?|uittreksels?|document(?:en)?|documentatie|tekst(?:en)?|artikel(?:en)?|materiaal"
    r"|kennisbank|kennisbasis|stuk(?:ken)?|zoekresultaten|resultaten|informatie die)"
)
_DOC = (
    rf"(?:{_META}|handleiding(?:en)?|handboek(?:en)?|veelgestelde vragen|faq|folders?|brochures?|gids(?:en)?|pagina's?|bestand(?:en)?|rapport(?:en)?"
    r"|reglement(?:en)?|regels|\w*contract(?:en)?|\w*logboek(?:en)?|gegevensblad(?:en)?|hoofdstuk(?:ken)?|verzameling)"
)
_TELL = (
    r"(?:noem(?:t|en)|meld(?:t|en)|vermeld(?:t|en)|zeg(?:t|gen)|beschrijf(?:t)|beschrijven|vertel(?:t|len)|geeft|geven|specificeer(?:t)|bespreek(?:t)"
    r"|bespreken|behandel(?:t|en)|leg(?:t|gen)|beantwoord(?:t|en)|bevat(?:ten)?|onthul(?:t|len)|maak(?:t)|maken|biedt|bieden)"
)
_FACT = (
    r"(?:informatie|gegevens|details?|antwoord(?:en)?|vermelding|verwijzing|aanwijzing(?:en)?|documenten|resultaten|context|kennis"
    r"|passages|data|uitspraak)"
)
_SAY = (
    r"(?:vinden|beantwoorden|zeggen|vaststellen|bepalen|geven|noemen|helpen|vertellen|aangeven|bevestigen|achterhalen|afleiden|doen|opmaken"
    r"|terugvinden|inzien|beoordelen|verstrekken|antwoorden|nagaan)"
)
_NOT = r"(?:niet|niets|geen|nergens|nooit)"

PHRASES = Phrases(
    cues=(
        "niet",
        "geen",
        "noch",
        "nergens",
        "onvoldoende",
        "onbekend",
        "onduidelijk",
        "buiten",
        "helaas",
        "weinig",
        "ontbre",
        "onmogelijk",
        "zwijg",
    ),
    refusals=(
        # The documents do not tell.
        rf"\b{_DOC}\b[^;]{{0,60}}? {_TELL}(?: \w+){{0,3}}? {_NOT}\b",
        rf"\b{_TELL} (?:echter |ook |helaas )?(?:de |het |dit |deze )?[^;]{{0,20}}?\b{_DOC}\b[^;]{{0,30}}? {_NOT}\b",
        rf"\b{_TELL} (?:hier|daar|er)?(?:over |echter |hierover |daarover |maar )?(?:niet|niets|geen {_FACT})\b",
        rf"^(?:maar |en )?{_TELL} {_NOT}\b",
        rf"\b(?:geen van|geen enkele?|noch)\b[^;]{{0,40}}?\b{_DOC}\b[^;]{{0,60}}?\b{_TELL}\b",
        rf"\bin (?:de|het|deze|dit|mijn|uw) [^;]{{0,30}}?\b{_DOC}\b[^;]{{0,30}}? (?:staat|staan|is|wordt|vind ik|komt|valt)\b[^;]{{0,50}}?\b{_NOT}\b",
        rf"\b(?:staat|staan|is|wordt)\b[^;]{{0,50}}?\b{_NOT}\b[^;]{{0,40}}? in (?:de|het|deze|dit) [^;]{{0,30}}?\b{_DOC}\b",
        r"\bzwijg(?:t|en)\b",
        # It is not told.
        r"\b(?:niet|nergens) (?:\w+ )?(?:genoemd|vermeld|gespecificeerd|beschreven|aangegeven|besproken|behandeld|uitgelegd|gedocumenteerd|duidelijk|te vinden|te beantwoorden|terug te vinden|bekend|opgenomen)\b",
        r"\b(?:blijkt|volgt)\b[^;]{0,30}? niet\b|\b(?:wordt|is|blijft)\b[^;]{0,40}? (?:onduidelijk|niet duidelijk|onbekend)\b(?! (?:is|zijn))",
        r"\bkomt\b[^;]{0,40}? niet voor\b|\bniet voorkom|\ber niet in (?:staat|voorkomt|vermeld)\b",
        r"\b(?:kan|kon|valt|is)\b[^;]{0,60}? niet (?:\w+ )?(?:worden )?(?:beantwoord|vastgesteld|bepaald|te beantwoorden|te zeggen|vast te stellen|af te leiden|te bepalen)\b",
        # I cannot tell.
        rf"\b(?:kan|kunnen|kon|konden) (?:ik|we|wij)\b[^;]{{0,90}}?\b(?:{_NOT}|helaas)\b[^;]{{0,60}}?\b{_SAY}\b",
        rf"\b(?:ik|we|wij) (?:kan|kunnen|kon|konden)\b[^;]{{0,90}}?\b{_NOT}\b[^;]{{0,60}}?\b{_SAY}\b",
        rf"\b(?:ik|we|wij) (?:heb|hebben|vind|vinden|beschik|beschikken|zie)\b[^;]{{0,60}}?\b(?:{_NOT}|te weinig|onvoldoende)\b[^;]{{0,60}}?\b(?:{_FACT}|kunnen vinden|gevonden|toegang|over)\b",
        rf"\b(?:vind|heb) ik\b[^;]{{0,60}}?\b(?:niets|geen|nergens)\b[^;]{{0,40}}?\b(?:{_FACT}|gevonden|kunnen vinden|over)\b",
        r"\bweet ik\b[^;]{0,30}? niet\b|\bik weet (?:\w+ ){0,3}?niet\b|\bgeen idee\b|\bik zou het niet weten\b",
        r"\bis (?:mij|ons) niet bekend\b|\b(?:mij|ons) onbekend\b",
        r"\b(?:ga|wil|zal|moet) (?:ik )?(?:\w+ ){0,2}?(?:niet (?:gokken|raden|speculeren|antwoorden)|afzien|onthouden|passen)\b|\bliever niet\b",
        r"\b(?:ik ben|ben ik)\b[^;]{0,25}? niet (?:\w+ ){0,2}?(?:zeker|in staat|bevoegd)\b",
        # Too little, or something else.
        rf"\b(?:onvoldoende|te weinig|niet genoeg|niet voldoende) (?:\w+ )?{_FACT}\b",
        rf"\ber (?:is|zijn|werd|werden)\b[^;]{{0,30}}? geen (?:\w+ )?{_FACT}\b(?! (?:nodig|vereist)\b)|\bgeen (?:\w+ )?{_FACT} (?:gevonden|beschikbaar|over|aanwezig)\b",
        rf"\b{_FACT}\b[^;]{{0,40}}? (?:is|zijn) niet (?:beschikbaar|aanwezig|te vinden|opgenomen)\b|\b{_FACT} ontbre(?:ekt|ken)\b|\bontbre(?:ekt|ken) (?:de |het )?(?:\w+ )?{_FACT}\b",
        r"\b(?:valt|vallen|ligt|liggen)\b[^;]{0,40}?\bbuiten\b",
        r"^\W*(?:onbekend|geen (?:antwoord|informatie)(?: gevonden)?|niet (?:gevonden|vermeld|bekend|beschikbaar))\W*$",
    ),
    fillers=(
        r"\?\W*$",
        r"^\W*(?:sorry|het spijt (?:me|mij|ons)|helaas|excuses|bedankt|dank (?:u|je)|dankjewel)\b[^,]{0,50}$",
        r"^\W*(?:neem (?:\w+ )?contact|vraag|raadpleeg|controleer|probeer|bel|kijk)\b",
        r"\b(?:u|je) (?:kunt|kan|zou|kan het)\b[^;]{0,60}?\b(?:vragen|bellen|contact|raadplegen|opnemen|kijken|navragen)\b|\b(?:ik (?:raad|adviseer|stel)|als (?:u|je)|graag|het beste)\b",
        rf"\b(?:{_DOC}|ze|zij|deze)\b[^;]{{0,30}}? (?:alleen|enkel|slechts|uitsluitend|vooral)\b",
        rf"\b(?:{_DOC}|ze|zij|deze)\b(?: \w+){{0,2}}? (?:gaan|gaat|beschrijven|beschrijft|behandelen|behandelt|leggen|legt|bespreken|betreffen)\b(?! dat)",
    ),
    turns=(
        r"\b(?:maar|echter|evenwel|niettemin)\b",
        r"\b(?:wel|toch)\b(?= \d)|\bstaat wel\b",
        r"[,.] (?:hoewel|al staat|desondanks)\b",
    ),
    concessions=(r"^\W*(?:hoewel|ofschoon|ook al|terwijl|alhoewel)\b",),
)
