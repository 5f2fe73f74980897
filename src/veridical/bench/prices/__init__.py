"""What tokens cost: dated tables that people enter, and never an estimate."""
