"""Invented names of whoever pays and is paid."""

from __future__ import annotations

__all__ = ["CUSTOMERS", "HOLDERS", "ORDERED", "SUPPLIERS"]

HOLDERS = (
    "Harbour Tools", "Quillfield Books", "Ostler Cycles", "Bramble Catering", "Tern Logistics",
    "Lanthorn Studio", "Greyling Foods", "Petrel Marine", "Saltway Printing", "Mossgate Dental",
)  # fmt: skip
CUSTOMERS = (
    "Alder and Finch", "Birchall Homes", "Corvane Systems", "Dunmore Retail", "Eastleaf Hotels",
    "Fallowmere School", "Gantry Works", "Hollin Pharmacy", "Ivelet Farms", "Juniper Transport",
    "Kestrel Optics", "Larkhill Council", "Merrow Fisheries", "Nantwell Clinic", "Orrin Builders",
    "Pellam Motors", "Quarry Street Cafe", "Rosewarne Textiles", "Sedgeby Theatre",
    "Tolland Energy",
)  # fmt: skip
SUPPLIERS = (
    "Ashgrove Paper", "Bellwether Freight", "Copperline Telecom", "Drayton Steel",
    "Elmfield Timber",
    "Fernhill Cleaning", "Glasson Chemicals", "Hatherley Tools", "Inglewood Media",
    "Jasper Payroll",
    "Kilnsey Ceramics", "Linden Fuel", "Marlpit Packaging", "Northam Security", "Oakhanger Repairs",
    "Priory Stationers", "Redmire Electrical", "Swaleside Waste", "Thornby Tyres",
    "Upland Couriers",
)  # fmt: skip
# Counterparty and whether the amount varies.
ORDERED = (
    ("Weirside Property Rent", False), ("Calder Insurance", False), ("Beacon Leasing", False),
    ("Aldgate Software", False), ("Moorland Water", True), ("Tideway Electricity", True),
    ("Hartwell Pension Trust", False), ("Fairlight Broadband", False),
)  # fmt: skip
