"""The page that the `type` of every problem leads to: one line for each code."""

from functools import cache
from html import escape

import orjson

from plyhost.errors import PlyhostError

PATH = "/docs/errors"

PROBLEM = "application/problem+json"

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>plyhost: errors</title>
<style>
body {{ font: 1rem/1.5 sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem }}
table {{ border-collapse: collapse }}
td, th {{ text-align: left; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid #8884 }}
:target {{ background: #fc08 }}
</style>
<h1>Errors</h1>
<p>A refusal carries one of these codes. Nothing was changed.</p>
<table>
<tr><th>code<th>status<th>what it means
{rows}
</table>
</html>
"""


@cache
def format_error_page(statuses: tuple[tuple[type[PlyhostError], int], ...]) -> str:
    """Return the page for error classes with their statuses."""
    rows = "\n".join(
        f'<tr id="{kind.code}"><td><code>{kind.code}</code><td>{status}<td>{escape(kind.title)}'
        for kind, status in statuses
    )
    return _PAGE.format(rows=rows)


def dump_problem(known: PlyhostError, status: int) -> bytes:
    """Return the JSON of an error as a problem."""
    return orjson.dumps({"type": f"{PATH}#{known.code}", **known.body(), "status": status})
