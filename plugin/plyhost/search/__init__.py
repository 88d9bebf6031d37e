"""An opponent: a search that plays any `Game`, and what is known of good play in ours.

`tree` searches a position, `thinking` runs it for a level and says what it found as values,
`suggestion` puts that into words and questions into lines, `thinker_process` answers such lines in
a process of its own.  Who starts those processes is `plyhost.web.gates.thinker_pool`.

`guide` is what a search asks a game beyond its rules, with defaults that need nothing but the
rules; `control_guide` and `congeners_guide` answer better.  `levels` says how hard each level
thinks, `players` are those whom it is measured against.
"""
