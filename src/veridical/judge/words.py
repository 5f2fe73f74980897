"""The words that the lexical judge knows: what says little, what denies, what declines."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["NEGATIONS", "NUMBERS", "REFUSALS", "STOPWORDS"]

STOPWORDS: Final = frozenset(
    """
    a an the and or but if of to in on at by for with from as into about than then so that this
    these those it its is are was were be been being has have had do does did will would can could
    may might shall should must there their they them he she his her we you your i our which who
    what when where why how also such any some all each both more most very
    der die das den dem des ein eine einen einem einer und oder aber in im an am auf für mit von vom
    zu zum zur bei aus als ist sind war waren wird werden hat haben kann dass es sie er wir ihr wie
    was wann wo wer auch nach
    le la les l un une des du de d et ou mais dans sur pour avec par au aux est sont était a ont
    qui que quoi quel quelle il elle ils elles ce cette ces se son sa ses on en y
    el los las una unos y o pero del al por para con es son fue su sus que se lo cual cuándo cómo
    il lo gli i uno e ma di da con per tra è sono che si suo sua dei delle della del nel nella
    o os um uma e mas do da dos das no na em por para com é são foi que se seu sua
    de het een en of maar van in op voor met door is zijn was wordt dat die er hij zij
    """.split()  # noqa: SIM905 - a table of words, not code
)

NEGATIONS: Final = frozenset(
    """
    not no never none neither nor without cannot nicht kein keine keinen keiner nie ohne niemals
    pas jamais aucun aucune sans no nunca ningún ninguna sin non mai nessun nessuna senza
    não nunca nenhum nenhuma sem niet geen nooit zonder
    """.split()  # noqa: SIM905 - a table of words, not code
)

_COUNTS = "zero one two three four five six seven eight nine ten eleven twelve"

NUMBERS: Final = {word: str(value) for value, word in enumerate(_COUNTS.split())}

_DECLINES = [
    r"\b(can|could|do|does|am|is|are|was|were)( not|not) (\w+ ){0,2}(able|answer|find|found|say)",
    r"\b(can|could|do|does|am|is|are|was|were)( not|not) (\w+ ){0,2}(tell|know|determin|provid)",
    r"\b(can|could|do|does|am|is|are|was|were)( not|not) (\w+ ){0,2}(help|mention|specif|stat)",
    r"\b(can|could|do|does|am|is|are|was|were)( not|not) (\w+ ){0,2}(contain|includ|give|cover)",
    r"\b(unable|not able) to (answer|find|say|tell|determine|provide|help|give)",
    r"\bno (information|mention|details?|answer|data|record)\b",
    r"\bi(?:'m| am) sorry\b",
    r"\b(kann|können|weiß) (\w+ ){0,5}(nicht|keine)\b",
    r"\bkeine (angaben?|informationen?|antwort)\b",
    r"\bne (\w+ ){0,3}pas\b.*(répondre|trouve|sais|information|précis|mention)",
    r"\baucune information\b",
    r"\bno (puedo|sé|encuentro|tengo|hay información|aparece|se menciona)\b",
    r"\bnon (posso|so|trovo|ho informazioni|è indicato)\b",
    r"\bnão (posso|sei|encontr\w+|tenho|há informaç\w+)\b",
    r"\b(kan|weet) (\w+ ){0,4}niet\b|\bgeen (informatie|antwoord)\b",
    r"无法|没有(相关)?信息|不知道|わかりません|できません|見つかりません",
    r"नहीं मिल|जानकारी नहीं|नहीं दे सक",
]

REFUSALS: Final = re.compile("|".join(_DECLINES))
"""Phrases in which an answer declines, case-folded."""
