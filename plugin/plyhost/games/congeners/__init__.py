"""Congeners: its rules and its words."""
