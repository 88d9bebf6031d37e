"""The operations of contract version 1: object in, object out, no transport."""
