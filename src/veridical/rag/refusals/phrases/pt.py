"""Portuguese, of Portugal and Brazil."""

from veridical.rag.refusals.phrases.table import Phrases

__all__ = ["PHRASES"]

_META = (
    r"(?:contextos?|fontes?|passagens?|passagem|trechos?|excertos?|documentos?|documentação|textos?|artigos?|materia(?:l|is)"
    r"|base de conhecimentos?|resultados|informações fornecidas)"
)
_DOC = (
    rf"(?:{_META}|manua(?:l|is)|perguntas frequentes|folhetos?|guias?|páginas?|ficheiros?|arquivos?|relatórios?|regulamentos?|regras|normas?"
    r"|contratos?(?: de arrendamento| de aluguel)?|registos?(?: de alterações)?|registros?|fichas?|capítulos?|livro)"
)
_TELL = (
    r"(?:mencion|indic|especific|explic|assinal|esclarec|precis|nomei|abord|trat|detalh|revel|refer|cit|inform|fal)(?:a|am|e|em)\b"
    r"|descrev(?:e|em)\b|di(?:z|zem)\b|respond(?:e|em)\b|faz(?:em)? (?:referência|menção)"
)
_HOLD = r"(?:cont(?:ém|êm)|d(?:á|ão)|oferec(?:e|em)|inclu(?:i|em)|fornec(?:e|em)|cobr(?:e|em)|apresent(?:a|am)|traz(?:em)?)"
_FACT = (
    r"(?:informaç(?:ão|ões)|dados?|detalhes?|pormenores|respostas?|menção|referências?|indicaç(?:ão|ões)|documentos?|resultados?"
    r"|valor(?:es)?|elementos|contexto|trechos?|registo|registro)"
)
_SAY = (
    r"(?:responder|encontrar|dizer|determinar|dar|fornecer|ajudar|indicar|confirmar|identificar|estabelecer|informar|localizar|saber"
    r"|aceder|acessar|precisar|verificar|concluir|adivinhar|afirmar)(?:-\w+)?"
)

PHRASES = Phrases(
    cues=(
        "não",
        "nada",
        "nenhum",
        "nem ",
        "sem ",
        "insuficiente",
        "impossível",
        "desconheço",
        "desconhece",
        "fora d",
        "falta",
        "infelizmente",
        "abster",
        "além do",
    ),
    refusals=(
        # The documents do not tell.
        rf"\b{_DOC}\b[^;]{{0,60}}? não (?:se |o |a |me |nos |lhe )?(?:{_TELL})",
        rf"\b{_META}\b[^;]{{0,60}}? não (?:\w+ )?{_HOLD}\b",
        rf"\bnão (?:{_HOLD})(?: \w+){{0,3}}? {_FACT}\b",
        rf"^(?:e |ele |ela |este |isto |isso )?(?:também )?não (?:se |o |a )?(?:{_TELL})",
        rf"\bnenhum[a]? (?:dos |das |destes |destas |de )?[^;]{{0,20}}?\b{_DOC}\b[^;]{{0,40}}?\b(?:{_TELL}|{_HOLD})",
        rf"\bnem\b[^;]{{0,60}}?\b{_DOC}\b[^;]{{0,40}}?\b(?:{_TELL}|{_HOLD})",
        rf"\bnada (?:n[oae]s?|em|nestes|nos)\b[^;]{{0,60}}?\b{_DOC}",
        rf"\b{_DOC}\b[^;]{{0,30}}? (?:é|são|fica) omiss[oa]s?\b|\bsilêncio sobre\b",
        # It is not told.
        r"\bnão (?:é|são|está|estão|foi|fica|ficam|se encontra) (?:\w+mente )?(?:mencionad\w+|indicad\w+|especificad\w+|precisad\w+|descrit\w+|explicad\w+|abordad\w+|detalhad\w+|documentad\w+|clar[oa]s?|conhecid\w+|disponíve(?:l|is)|esclarecid\w+|referid\w+)\b",
        r"\bnão (?:consta[m]?|figura[m]?|aparece[m]?|se encontra[m]?|está|estão) (?:\w+ ){0,3}?(?:n[oae]s?|em|de|da|do|nel[ea]s|entre)\b",
        r"\bnão (?:é|foi) possível (?:\w+ )?(?:responder|encontrar|determinar|dizer|saber|estabelecer)\b|\b(?:é )?impossível (?:responder|determinar|saber|dizer)\b",
        r"\bnão permite[m]? (?:\w+ )?(?:responder|determinar|saber)\b|\bdesconhece-se\b",
        r"\bnão se (?:menciona|indica|especifica|precisa|sabe|diz|refere)\b",
        # I cannot tell.
        rf"\bnão (?:lhe |te )?(?:posso|podemos|poderia|pude|pudemos|consigo|conseguimos|consegui|sou capaz de|estou em condições de)\b[^;]{{0,60}}?\b{_SAY}",
        r"\bnão (?:encontro|encontramos|encontrei|achei|vejo|localizei)\b",
        r"\b(?:não|nem) (?:o )?(?:sei|sabemos|saberia)\b|\bdesconheço\b|\bnão faço ideia\b",
        rf"\bnão (?:tenho|temos|disponho|dispomos|possuo)\b[^;]{{0,30}}?\b(?:{_FACT}|acesso|conhecimento|ideia)\b",
        r"\b(?:devo|tenho de|tenho que|prefiro|quero) (?:\w+ )?(?:abster-me|me abster|não (?:adivinhar|responder|especular)|declinar|recusar)\b",
        r"\bnão (?:estou|tenho) (?:\w+ ){0,3}?(?:cert[oa]|certeza|segur[oa]|autorizad[oa])\b",
        r"\bfalta(?:m)?-(?:me|nos)\b|\b(?:me|nos) faltam?\b",
        # Too little, or something else.
        rf"\b{_FACT} (?:\w+ )?insuficientes?\b|\bnão há {_FACT} suficientes?\b",
        rf"\bnão (?:há|existem?|foram? encontrad[oa]s?|se encontr\w+)(?: \w+){{0,2}}? (?:{_FACT}|nada)\b(?! (?:que|para|a|necessári\w+)\b)",
        rf"\bnenhum[a]? {_FACT}\b[^;]{{0,30}}?(?:encontrad[oa]|disponível|sobre|relevante)",
        r"\b(?:fora|além) d[aeo]s? (?:\w+ )?(?:que|âmbito|escopo|alcance|documentos|contexto)\b",
        r"^\W*(?:desconhecid[oa]|sem (?:resposta|informação)|nenhuma resposta|não (?:consta|disponível|encontrad[oa]|especificad[oa]))\W*$",
    ),
    fillers=(
        r"\?\W*$",
        r"^\W*(?:lamento|infelizmente|desculpe|desculpa|peço desculpa|obrigad[oa]|sinto muito|perdão)\b[^,]{0,50}$",
        r"^\W*(?:por favor|entre em contat?c?to|contacte|consulte|pergunte|dirija-se|verifique|experimente)\b",
        r"\b(?:pode|poderia|deveria|convém|o melhor é|recomendo|sugiro|aconselho|se (?:me|quiser|desejar|tiver|puder)|com gosto|com prazer|não hesite)\b",
        rf"\b(?:{_DOC}|eles|estes)\b[^;]{{0,30}}? (?:só|apenas|somente|unicamente|exclusivamente|sobretudo)\b",
        rf"\b(?:{_DOC}|eles|estes)\b(?: \w+){{0,2}}? (?:fala[m]?|trata[m]?|descreve[m]?|explica[m]?|aborda[m]?|refere[m]?-se|se refere[m]?)\b(?! que)",
    ),
    turns=(
        r"\b(?:mas|porém)\b",
        r"\b(?:no entanto|contudo|todavia|entretanto|em contrapartida)\b",
        r"[,.] (?:embora|ainda que|se bem que)\b",
    ),
    concessions=(r"^\W*(?:embora|ainda que|apesar de|se bem que|enquanto|mesmo que)\b",),
)
