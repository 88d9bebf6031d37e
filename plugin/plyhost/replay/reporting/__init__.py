"""What a run found: reports, totals, kinds of difference, one game explained."""
