#!/usr/bin/env python3
"""Draws the pictures of the documentation into Documentation/Pictures: timelines and one histogram.

    .scripts/pictures.py           writes them
    .scripts/pictures.py --check   fails when one of them is not what this script draws
"""
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "Documentation" / "Pictures"
WIDTH, LEFT, RIGHT = 760, 150, 20

STYLE = """<style>
svg { font-family: Helvetica, Arial, "DejaVu Sans", sans-serif; font-size: 12px }
text { fill: #24292f } .quiet { fill: #57606a } .line { stroke: #8c959f; fill: none }
.fresh { fill: #b7e4c7 } .stale { fill: #ffe08a } .help { fill: #ffc9a8 } .none { fill: #e4e7eb }
.load { fill: #a8d1ff } .fail { fill: #ffb3b3 } .bar { fill: #2f81f7 }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 } .quiet { fill: #9da7b3 } .line { stroke: #6e7681 }
.fresh { fill: #1d5c38 } .stale { fill: #6b5300 } .help { fill: #7a3d14 } .none { fill: #30363d }
.load { fill: #114a86 } .fail { fill: #7d2526 } .bar { fill: #58a6ff }
}
</style>"""


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def text(x, y, words, anchor="start", kind=None):
    kind = f' class="{kind}"' if kind else ""
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}"{kind}>{escaped(words)}</text>'


def document(title, height, shapes):
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" role="img">'
    )
    return "\n".join([head, f"<title>{escaped(title)}</title>", STYLE, *shapes, "</svg>"]) + "\n"


def timeline(title, rows, moments):
    """Rows of a label and pieces (start, end, kind, words); moments of a place and words.

    Places run from 0 to 100. A piece without a length is a stroke.
    """

    def x(place):
        return LEFT + (WIDTH - LEFT - RIGHT) * place / 100

    shapes = []
    bottom = 12 + 38 * len(rows)
    for place, words in moments:
        shapes.append(f'<path class="line" stroke-dasharray="2 3" d="M{x(place):g} 8V{bottom}"/>')
        anchor = "start" if place < 4 else "end" if place > 92 else "middle"
        shapes.append(text(x(place), bottom + 15, words, anchor, "quiet"))
    for number, (label, pieces) in enumerate(rows):
        y = 12 + 38 * number
        shapes.append(text(LEFT - 10, y + 18, label, "end"))
        for start, end, kind, words in pieces:
            if start == end:
                shapes.append(f'<path class="line" stroke-width="2" d="M{x(start):g} {y}v28"/>')
                continue
            width = x(end) - x(start)
            shapes.append(
                f'<rect class="{kind}" x="{x(start):g}" y="{y}" width="{width:g}" height="28" rx="3"/>'
            )
            if words:
                shapes.append(text(x(start) + width / 2, y + 18, words, "middle"))
    return document(title, bottom + 26, shapes)


def histogram(title, panels, first, last):
    """Panels of a label and numbers by second; all over the same seconds."""
    shapes = []
    height, gap = 96, 44

    def x(second):
        return 60 + (WIDTH - 60 - RIGHT) * (second - first) / (last - first)

    for number, (label, counts) in enumerate(panels):
        top = 26 + (height + gap) * number
        most = max(counts.values())
        shapes.append(text(60, top - 10, label))
        shapes.append(text(54, top + 9, f"{most}", "end", "quiet"))
        shapes.append(text(54, top + height, "0", "end", "quiet"))
        width = x(first + 1) - x(first) - 0.6
        for second, count in sorted(counts.items()):
            size = height * count / most
            shapes.append(
                f'<rect class="bar" x="{x(second):.1f}" y="{top + height - size:.1f}" '
                f'width="{width:.1f}" height="{size:.1f}"/>'
            )
        shapes.append(f'<path class="line" d="M60 {top + height}H{WIDTH - RIGHT}"/>')
        for second in range(first, last + 1, 10):
            shapes.append(text(x(second), top + height + 15, f"{second} s", "middle", "quiet"))
    return document(title, 26 + (height + gap) * len(panels), shapes)


# When the first 1,000 reloads of 1,000 keys ended, in seconds since the keys were stored: lifetime
# 100 s, load time 15 s, ten reads a second and key, seed 7. Counted by
# Tests/CacheAsideTests/Loading/Staleness/RefreshAheadTests.swift.
NAIVE = {115: 1000}
XFETCH = {
    15: 11, 16: 14, 17: 15, 18: 8, 19: 21, 20: 18, 21: 20, 22: 21, 23: 17, 24: 18, 25: 17,
    26: 23, 27: 24, 28: 23, 29: 23, 30: 27, 31: 31, 32: 21, 33: 17, 34: 46, 35: 27, 36: 27,
    37: 37, 38: 24, 39: 28, 40: 32, 41: 37, 42: 30, 43: 21, 44: 29, 45: 35, 46: 31, 47: 34,
    48: 28, 49: 24, 50: 36, 51: 27, 52: 32, 53: 27, 54: 19,
}

PICTURES = {
    "stale-windows": timeline(
        "The windows after the end of freshness",
        [
            ("the value is", [(0, 35, "fresh", "fresh"), (35, 90, "none", "expired, kept"), (90, 100, "none", "gone")]),
            ("windows", [(35, 62, "stale", "staleWhileRevalidate")]),
            ("", [(35, 90, "help", "staleIfError")]),
            (
                "a read gets it",
                [
                    (0, 35, "fresh", "at once"),
                    (35, 62, "stale", "at once, stale"),
                    (62, 90, "help", "only if the load fails"),
                    (90, 100, "none", "never"),
                ],
            ),
            (
                "and loads",
                [(35, 62, "load", "behind the read"), (62, 100, "load", "while the read waits")],
            ),
        ],
        [(0, "stored"), (35, "end of freshness"), (90, "kept until here")],
    ),
    "outage": timeline(
        "An outage of the source",
        [
            ("source", [(0, 22, "fresh", "up"), (22, 78, "fail", "down"), (78, 100, "fresh", "up")]),
            (
                "producer runs",
                [(0, 3, "load", ""), (32, 34, "fail", ""), (49, 51, "fail", ""), (66, 68, "fail", ""), (83, 86, "load", "")],
            ),
            ("retryAfterFailure", [(34, 49, "none", "rest"), (51, 66, "none", "rest"), (68, 83, "none", "rest")]),
            ("readers get", [(3, 32, "fresh", "fresh"), (32, 86, "help", "stale, no error"), (86, 100, "fresh", "fresh")]),
        ],
        [(3, "stored"), (32, "end of freshness"), (86, "new value")],
    ),
    "deadlines": timeline(
        "The time limits of a load that hangs",
        [
            ("the load", [(0, 80, "load", "runs, can be joined"), (80, 100, "fail", "cancelled")]),
            ("with an old value", [(0, 18, "none", "waits"), (18, 55, "help", "has the old value")]),
            ("without one", [(0, 50, "none", "waits"), (50, 68, "fail", "timedOut")]),
            ("no limit of its own", [(0, 80, "none", "waits"), (80, 100, "fail", "abandoned")]),
            ("the key", [(0, 80, "load", "taken"), (80, 100, "fresh", "free again")]),
        ],
        [(0, "a miss"), (18, "softTimeout"), (50, "hardTimeout"), (80, "abandonAfter")],
    ),
    "refresh-ahead": timeline(
        "A refresh ahead of the end of freshness",
        [
            ("first value", [(0, 60, "fresh", "fresh")]),
            ("load", [(50, 56, "load", "")]),
            ("second value", [(56, 100, "fresh", "fresh")]),
            ("reads", [(p, p, "", "") for p in (4, 13, 20, 31, 39, 50, 53, 64, 72, 81, 93)]),
        ],
        [(0, "stored"), (48, "fraction(0.8)"), (60, "end")],
    ),
    "negative-caching": timeline(
        "nil and errors have lifetimes of their own",
        [
            ("the source has", [(0, 40, "none", "no such user"), (40, 100, "fresh", "the user")]),
            ("producer runs", [(5, 5, "", ""), (25, 25, "", ""), (45, 45, "", "")]),
            ("cached", [(5, 25, "stale", "nil"), (25, 45, "stale", "nil"), (45, 100, "fresh", "the user")]),
            (
                "for",
                [(5, 25, "none", "negativeExpiry"), (25, 45, "none", "negativeExpiry"), (45, 100, "none", "expiry")],
            ),
        ],
        [(5, "first read"), (45, "the user is seen")],
    ),
    "idle-expiry": timeline(
        "A lifetime that reads prolong",
        [
            ("read often", [(0, 80, "fresh", "fresh"), (80, 100, "none", "expired")]),
            ("reads", [(p, p, "", "") for p in (12, 22, 37, 49, 60, 72, 78)]),
            ("read seldom", [(0, 46, "fresh", "fresh"), (46, 100, "none", "expired")]),
            ("reads", [(p, p, "", "") for p in (8, 26)]),
            ("nobody reads", [(26, 46, "stale", "idle")]),
        ],
        [(0, "stored"), (80, "max")],
    ),
}
PICTURES["reload-times"] = histogram(
    "When 1,000 entries of one lifetime are loaded again",
    [
        ("without a rule: loads that end in each second", NAIVE),
        ("with .probabilistic(beta: 1): loads that end in each second", XFETCH),
    ],
    10,
    120,
)


def main():
    FOLDER.mkdir(exist_ok=True)
    changed = False
    for name, picture in PICTURES.items():
        path = FOLDER / f"{name}.svg"
        if sys.argv[1:] == ["--check"]:
            if not path.exists() or path.read_text() != picture:
                print(f"{path} is not what .scripts/pictures.py draws")
                changed = True
        else:
            path.write_text(picture)
    sys.exit(changed)


main()
