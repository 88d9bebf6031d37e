"""Full states: Abstract Play's JSON, a header and a stack of entries."""
