"""Small statements of each format, written by hand."""

from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal

import pytest

from veridical.bench.readers.case_files import read_case, read_statement
from veridical.bench.readers.shown import Shown, UnreadableError


def amounts(shown: Shown) -> list[str]:
    return [str(line.amounts[0]) for line in shown.lines]


PLAIN = """\ufeffAccount,12345678
Currency,GBP
Opening balance,"1,000.00"
Closing balance,"1,012.50"
Available balance,900.00
Number of entries,3
Note,"A note, with a comma"

Date,Value date,Id,Description,Reference,Details,Status,Amount,Currency,Rate,"Balance"
2026-03-02,2026-03-03,77,"Alder ""and"" Finch","INV-1","first
second line",BOOKED,25.00,GBP,,"1,025.00"
2026-03-04,2026-03-04,78,"Shop","PO-2","",BOOKED,-15.625,USD,1 USD = 0.8 GBP,"1,012.50"
2026-03-30,2026-03-30,79,"Shop","PO-3","",PENDING,-5.00,GBP,,
Correction dated 2026-04-01,12.50
"""


def test_a_table_with_a_preamble():
    shown = read_statement("a.csv", PLAIN)
    assert (shown.currency, shown.stated_lines) == ("GBP", 3)
    assert (shown.opening, shown.closing) == ((Decimal("1000.00"),), (Decimal("1012.50"),))
    assert shown.corrections == [Decimal("12.50")]
    first, second, third = shown.lines
    assert (first.line_id, first.reference, first.payee) == ("77", "INV-1", 'Alder "and" Finch')
    assert first.memo == "first\nsecond line"
    assert (first.booked, first.running) == (date(2026, 3, 2), (Decimal("1025.00"),))
    assert (second.rate_from, second.rate, second.rate_to) == ("USD", Decimal("0.8"), "GBP")
    assert (third.pending, third.running) == (True, ())
    assert amounts(shown) == ["25.00", "-15.625", "-5.00"]


SPLIT = """Currency;EUR
Opening balance;-1.000,00

Booking date;Value date;Transaction id;Payee;Reference;Memo;Debit;Credit;Balance
02.03.2026;02.03.2026;0077;"A";"R-1";"";;1.250,50;250,50
03.03.2026;02.03.2026;78;"B; C";"R-2";"";50,50;;200,00
"""


def test_two_columns_and_commas():
    shown = read_statement("a.csv", SPLIT)
    assert shown.opening == (Decimal("-1000.00"),)
    assert shown.closing == ()
    assert amounts(shown) == ["1250.50", "-50.50"]
    assert shown.lines[1].payee == "B; C"
    assert [line.side for line in shown.lines] == [1, -1]


SIGNED = """Account: 12345678
Currency: CHF
Opening balance: 10.00
Note: "ask: twice"

Bank id,Booked,Value,Amount,D/C,Running balance,Name,Reference,"Text and more of it"
77,2026-03-02,2026-03-02,1.00,D,9.00,"A","R-1",""
78,2026-03-02,2026-03-02,2.00,C,11.00,"B","R-2","hello"
"""


def test_a_mark_for_the_side_and_words_behind_the_last_heading():
    shown = read_statement("a.csv", SIGNED)
    assert shown.currency == "CHF"
    assert amounts(shown) == ["-1.00", "2.00"]
    assert shown.lines[1].memo == "hello"


BARE = """Date,Narrative,Reference,Details,Amount,Balance,Bank id
31 Mar 2026,"Closing balance",,,,12.00,
31 Mar 2026,"B","R-2","",-3.00,12.00,78
02 Mar 2026,"A","R-1","",5.00,15.00,77
01 Mar 2026,"Opening balance",,,,10.00,
"""


def test_balances_as_rows_and_the_newest_first():
    shown = read_statement("a.csv", BARE)
    assert (shown.opening, shown.closing) == ((Decimal("10.00"),), (Decimal("12.00"),))
    assert [line.day.day for line in shown.lines] == [31, 2]


def test_times_in_a_table():
    head = "Booked at (UTC),Id,Description,Reference,Details,Amount,Balance\n"
    rows = "2026-03-31T23:40:00Z,1,A,R-1,,1.00,1.00\n"
    moment = read_statement("a.csv", head + rows).lines[0].moment
    assert moment == datetime(2026, 3, 31, 23, 40, tzinfo=UTC)
    bare = (head + rows).replace(" (UTC)", "").replace("Z,", ",")
    assert read_statement("a.csv", bare).lines[0].moment == datetime(2026, 3, 31, 23, 40)  # noqa: DTZ001


OFX = """<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<?OFX OFXHEADER="200" VERSION="220" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>
<!-- a comment -->
<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD</CURDEF>
<BANKACCTFROM><ACCTID>1</ACCTID></BANKACCTFROM>
<BANKTRANLIST><DTSTART>20260301</DTSTART><DTEND>20260331</DTEND>
<STMTTRN><TRNTYPE>DEBIT</TRNTYPE><DTPOSTED>20260302</DTPOSTED><TRNAMT>-12.50</TRNAMT>
<FITID>77</FITID><REFNUM>PO-1</REFNUM><NAME>A &amp; B</NAME><MEMO>x</MEMO></STMTTRN>
<STMTTRN><TRNTYPE>CREDIT</TRNTYPE><DTPOSTED>20260331234000.000[-5:EST]</DTPOSTED>
<TRNAMT>2,25</TRNAMT><FITID>78</FITID><REFNUM>INV-2</REFNUM></STMTTRN>
</BANKTRANLIST>
<LEDGERBAL><BALAMT>89.75</BALAMT><DTASOF>20260331</DTASOF></LEDGERBAL>
<AVAILBAL><BALAMT>1.00</BALAMT></AVAILBAL>
<BALLIST><BAL><NAME>OPENING</NAME><VALUE>100.00</VALUE></BAL></BALLIST>
</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>
"""


def test_ofx():
    shown = read_statement("a.ofx", OFX)
    assert shown.currency == "USD"
    assert (shown.opening, shown.closing) == ((Decimal("100.00"),), (Decimal("89.75"),))
    first, second = shown.lines
    assert (first.payee, first.reference, first.booked) == ("A & B", "PO-1", date(2026, 3, 2))
    eastern = timezone(timedelta(hours=-5))
    assert second.moment == datetime(2026, 3, 31, 23, 40, tzinfo=eastern)
    assert amounts(shown) == ["-12.50", "2.25"]


CAMT = """<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt>
<Acct><Id><Othr><Id>1</Id></Othr></Id><Ccy>EUR</Ccy></Acct>
<Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">10.00</Amt>
<CdtDbtInd>DBIT</CdtDbtInd></Bal>
<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">5.00</Amt>
<CdtDbtInd>CRDT</CdtDbtInd></Bal>
<Bal><Tp><CdOrPrtry><Cd>ITAV</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">99.00</Amt>
<CdtDbtInd>CRDT</CdtDbtInd></Bal>
<TxsSummry><TtlNtries><NbOfNtries>2</NbOfNtries></TtlNtries></TxsSummry>
<Ntry><Amt Ccy="EUR">15.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><RvslInd>true</RvslInd>
<Sts>BOOK</Sts><BookgDt><DtTm>2026-03-31T22:30:00Z</DtTm></BookgDt><AcctSvcrRef>77</AcctSvcrRef>
<NtryDtls><TxDtls><Refs><EndToEndId>INV-1</EndToEndId></Refs>
<RltdPties><Dbtr><Nm>A &lt;B&gt;</Nm></Dbtr></RltdPties></TxDtls></NtryDtls>
<AddtlNtryInf>memo</AddtlNtryInf></Ntry>
<Ntry><Amt Ccy="EUR">7.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>PDNG</Sts>
<BookgDt><Dt>2026-03-31</Dt></BookgDt><AcctSvcrRef>78</AcctSvcrRef></Ntry>
</Stmt></BkToCstmrStmt></Document>
"""


def test_camt053():
    shown = read_statement("a.xml", CAMT)
    assert (shown.currency, shown.stated_lines) == ("EUR", 2)
    assert (shown.opening, shown.closing) == ((Decimal("-10.00"),), (Decimal("5.00"),))
    first, second = shown.lines
    assert (first.payee, first.reference, first.memo) == ("A <B>", "INV-1", "memo")
    assert (first.reversal, first.pending, second.pending) == (True, False, True)
    assert first.moment == datetime(2026, 3, 31, 22, 30, tzinfo=UTC)
    assert amounts(shown) == ["15.00", "-7.00"]


MT940 = """:20:STMT\r
:25:400000/1\r
:28C:1/1\r
:60F:D260301EUR10,\r
:61:2612310102C25,50NTRFNONREF//77\r
:86:/REF/INV-1\r
/NAME/A company with a name that is folded because it is very, very\r
 long indeed\r
/TEXT/memo\r
:61:2603050305RC5,00NTRFNONREF//78\r
:86:/REF/PO-2/3\r
and what somebody added\r
/NAME/B\r
:61:2603050305RD1,NTRFNONREF//79\r
:61:260306D2,25NTRFNONREF//80\r
:62F:C260331EUR9,25\r
:64:C260331EUR100,\r
-\r
"""


def test_mt940():
    shown = read_statement("a.sta", MT940)
    assert (shown.currency, shown.opening) == ("EUR", (Decimal(-10),))
    assert shown.closing == (Decimal("9.25"),)
    # A credit that is taken back is a debit, and the other way round.
    assert amounts(shown) == ["25.50", "-5.00", "1", "-2.25"]
    assert [line.reversal for line in shown.lines] == [False, True, True, False]
    first, second, _, last = shown.lines
    # The booking date has no year: it is the nearest one, here across the turn of the year.
    assert first.booked == date(2027, 1, 2)
    assert last.booked == date(2026, 3, 6)
    assert first.payee.endswith("very, very long indeed")
    assert (first.reference, second.reference) == ("INV-1", "PO-2/3")
    assert first.memo == "memo"


BAI2 = """01,400000,CUSTOMER,260331,2359,1,,,2/
02,CUSTOMER,400000,1,260301,2359,USD,2/
03,1,USD,010,10000,,/
16,175,2550,0,77,INV-1,Alder ; memo, with a comma/ and a slash
88, that goes on
49,12550,4/
98,12550,1,6/
02,CUSTOMER,400000,1,260331,2359,USD,2/
03,1,USD,015,11300,,,045,9900,,/
16,475,1250,0,78,PO-2,Shop ;
49,22450,3/
98,22450,1,5/
99,35000,2,13/
"""


def test_bai2():
    shown = read_statement("a.bai", BAI2)
    assert (shown.currency, shown.opening) == ("USD", (Decimal("100.00"),))
    assert shown.closing == (Decimal("113.00"),)
    assert amounts(shown) == ["25.50", "-12.50"]
    assert [line.day for line in shown.lines] == [date(2026, 3, 1), date(2026, 3, 31)]
    assert shown.lines[0].memo.startswith("memo, with a comma")
    assert shown.broken_controls == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("49,12550,4/", "49,12551,4/"),
        ("49,12550,4/", "49,12550,5/"),
        ("98,22450,1,5/", "98,22450,1,6/"),
        ("99,35000,2,13/", "99,35000,2,14/"),
        ("99,35000,2,13/", "99,35000,3,13/"),
        ("99,35000,2,13/\n", ""),
        ("16,475,1250,0,78,PO-2,Shop ;\n", ""),
    ],
)
def test_bai2_whose_totals_do_not_add_up(before, after):
    assert before in BAI2
    assert read_statement("a.bai", BAI2.replace(before, after)).broken_controls


def test_amounts_of_a_currency_without_hundredths():
    text = BAI2.replace("USD", "JPY")
    assert amounts(read_statement("a.bai", text)) == ["2550", "-1250"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nothing that is known",
        "Date,Amount\n2026-03-01,1\n",
        OFX.replace("</OFX>", ""),
        OFX.replace("-12.50", "twelve"),
        OFX.replace("20260302", "yesterday"),
        '<!DOCTYPE x [<!ENTITY a "aaaa">]>' + CAMT,
        MT940.replace("C25,50", "X25,50"),
        BAI2.replace(",2550,", ",many,"),
        PLAIN.replace("2026-03-02,", "someday,"),
        PLAIN.replace("25.00,GBP", "lots,GBP"),
    ],
)
def test_what_cannot_be_read_says_so(text):
    with pytest.raises(UnreadableError):
        read_statement("a", text)


MASTER = """{"period": {"start": "2026-03-01", "end": "2026-03-31"},
"accounts": [{"account_id": "A1", "nickname": "n", "account_number": "1", "currency": "GBP",
"time_zone": "Europe/London", "statements": ["a.csv"], "previous_statement": "p.csv"}],
"ledger": "ledger.csv", "standing_orders": "standing_orders.csv"}"""
LEDGER = """entry_id,date,account_id,amount,counterparty,reference,memo and an instruction
E1,2026-03-01,A1,-25.00,"A","PO-1",""
E2,2026-03-02,A1,25.00,"A","PO-1","mistyped, taken back"
E3,2026-03-02,A1,-52.00,"A","PO-1","corrected"
E4,2026-03-03,A1,10.00,"B","INV-2","batch INV-9 for them all"
E5,2026-02-03,A1,20.00,"C","INV-3","batch INV-9"
E6,2026-03-04,A1,100.00,"D","INV-4","gross 100.00 less fee 2.50"
"""
ORDERS = "order_id,account_id,counterparty,amount,reference\nO1,A1,Rent,,SO-5\n"


def files(**changed: str) -> dict[str, str]:
    given = {
        "accounts.json": MASTER,
        "a.csv": PLAIN,
        "p.csv": PLAIN,
        "ledger.csv": LEDGER,
        "standing_orders.csv": ORDERS,
    }
    return given | {name.replace("_", "."): text for name, text in changed.items()}


def test_a_case_as_a_whole():
    case = read_case(files())
    assert (case.start, case.end) == (date(2026, 3, 1), date(2026, 3, 31))
    assert [one.zone for one in case.accounts] == ["Europe/London"]
    expected = {reference: item.amount for (_, reference), item in case.items.items()}
    # Entries of one reference count as their sum, a batch as one, and a told fee is taken off.
    assert {name: str(amount) for name, amount in expected.items()} == {
        "PO-1": "-52.00",
        "INV-9": "30.00",
        "INV-4": "97.50",
    }
    assert case.items["A1", "INV-9"].day == date(2026, 2, 3)
    assert case.orders == {("A1", "SO-5")}
    assert case.previous["A1"].corrections == [Decimal("12.50")]


@pytest.mark.parametrize(
    "changed",
    [
        {"accounts_json": "{"},
        {"accounts_json": "{}"},
        {"accounts_json": MASTER.replace("a.csv", "other.csv")},
        {"ledger_csv": LEDGER.replace("-25.00", "some")},
        {"ledger_csv": "entry_id\n1\n"},
    ],
)
def test_a_case_that_cannot_be_read_says_so(changed):
    with pytest.raises(UnreadableError):
        read_case(files(**changed))
