"""Makes pages that run no script at all: text, tables and drawings, in one HTML file.

A policy in their head forbids scripts, requests, forms and frames. Whoever makes the body escapes
what others wrote.
"""

from html import escape
from typing import Final

BASIC_STYLE: Final = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;"
    "color:#222;background:#fff}"
    "table{border-collapse:collapse}"
    "th,td{padding:.3rem .8rem;border-bottom:1px solid #ddd;text-align:right}"
    "th:first-child,td:first-child{text-align:left}"
    "@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}"
    "th,td{border-color:#444}}"
)


def plain_page(title: str, body: str, style: str = "") -> bytes:
    """A page with this body, which is markup. `style` is added to that of all such pages."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'\">\n"
        f"<title>{escape(title)}</title>\n<style>{BASIC_STYLE}{style}</style>\n</head>\n<body>\n"
        f"{body}</body>\n</html>\n"
    ).encode()
