"""What happened: accounts, their lines, the ledger, standing orders; and the truth by policy."""
