"""The interface of 2018."""
