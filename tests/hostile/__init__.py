"""Hostile callers against a real service with keys, beside one caller who is to notice nothing.

`python -m tests.hostile` runs all of them at full size; the suite runs a few of each.
"""
