"""An opponent: a search that plays any `Game`, and what is known of good play in ours.

`guide` is what a search asks a game beyond its rules, with defaults that need nothing but the
rules; `control_guide` and `congeners_guide` answer better.  `tree` searches, `levels` says how hard
each level thinks, `players` are those whom it is measured against.
"""
