"""Makes the pages of the papers that are repeated here (`make monster`, `interrupts`, `byte-copying`, `paper`).

Numbers come from files of simos, which the package simoslab reads. What a page says of them is in the page's folder:
`page.html`, a template with the prose, and `claims.toml`, a block for each of the paper's claims (claims.py).
"""
