"""Names that a document could hold and that must do nothing when they are shown."""

from __future__ import annotations

HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(1)</script>",
    "<!-- <script>",
    '"><svg onload=alert(1)>',
    "' onmouseover='alert(1)",
    "safe\u202egnp.exe",
    'href="javascript:alert(1)"',
    "$a$ and $\\frac$",
    "line\nbreak\u2028",
)
