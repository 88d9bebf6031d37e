"""What stands around a page that is read: one style, light or dark, for any width."""

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>plyhost: {title}</title>
<style>
:root {{ color-scheme: light dark }}
body {{ font: 1rem/1.5 system-ui, sans-serif; max-width: 50rem; margin: 0 auto; padding: 1rem;
  overflow-wrap: break-word }}
nav {{ display: flex; flex-wrap: wrap; gap: .3rem 1rem; font-size: .9rem }}
pre {{ overflow-x: auto; padding: .6rem; background: #8882 }}
table {{ border-collapse: collapse; display: block; overflow-x: auto }}
td, th {{ text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0;
  border-bottom: 1px solid #8884 }}
:target {{ background: #fc08 }}
</style>
{body}
</html>
"""


def frame_page(title: str, body: str) -> str:
    """Return a whole page around HTML that is safe already."""
    return _PAGE.format(title=title, body=body)
