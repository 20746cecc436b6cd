#!/usr/bin/env python3
"""Finds numbers that an Int of 32 bits (watchOS) does not hold: shifts by 31 bits and more, and
literals and products of literals from 2^31 on, where no type of 64 bits is in sight.

A number is in order when the declaration that it stands in names such a type before it; say the type,
or leave `// 64 bits: …` with the reason on the line.

    .scripts/int-width.py [FILE …]    all of Sources without any; --check tests this script itself
"""
import pathlib
import re
import sys

NUMBER = r"(?<![\w.#])(?:0x[0-9A-Fa-f_]+|0b[01_]+|[0-9][0-9_]*)(?![\w]*\.[0-9]|[xX]?[0-9a-fA-F_]*p)"
WIDE = re.compile(r"\b(?:U?Int64|U?Int128|Double|SIMD\d<UInt64>)\b")
UNSIGNED = re.compile(r"\bUInt32\b")
SHIFT = re.compile(r"(?<![<&])&?<<=? *(" + NUMBER + ")")
PRODUCT = re.compile(NUMBER + r"(?: &?\* " + NUMBER + ")+")
DECLARATION = re.compile(r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:[a-z()]+\s+)*(?:func|init|deinit|var|let|subscript|case|extension|struct|class|enum|switch)\b")


def value(text):
    return int(text.replace("_", ""), 0) if text[:2] in ("0x", "0b") else int(text.replace("_", ""))


def plain(source):
    """The source without comments and the text of strings, line by line."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group())
    source = re.sub(r'"""(?s:.*?)"""', blank, source)
    source = re.sub(r"/\*(?s:.*?)\*/", blank, source)
    return [re.sub(r'"(?:\\.|[^"\\])*"', '""', re.sub(r"//.*", "", line)) for line in source.split("\n")]


def context(lines, index):
    """The declarations around a line: from where each begins to the line."""
    text = lines[index]
    indentation = len(text) - len(text.lstrip())
    for above in range(index - 1, -1, -1):
        line = lines[above]
        if not line.strip():
            continue
        depth = len(line) - len(line.lstrip())
        same = depth == indentation and lines[index].strip() and not DECLARATION.match(lines[index])
        if depth < indentation or same:
            text = line + "\n" + text
            if DECLARATION.match(line) and depth < indentation:
                if depth <= 2:
                    break
            indentation = min(indentation, depth)
    return text


def faults(path, source):
    lines, raw = plain(source), source.split("\n")
    for index, line in enumerate(lines):
        found = []
        for match in SHIFT.finditer(line):
            if value(match.group(1)) >= 31:
                found.append((match.group(), value(match.group(1)) == 31))
        for match in re.finditer(NUMBER, line):
            if value(match.group()) >= 1 << 31:
                found.append((match.group(), value(match.group()) < 1 << 32))
        for match in PRODUCT.finditer(line):
            product = 1
            for factor in re.findall(NUMBER, match.group()):
                product *= value(factor)
            if product >= 1 << 31:
                found.append((match.group(), product < 1 << 32))
        if not found or "// 64 bits:" in raw[index]:
            continue
        around = context(lines, index)
        for text, fits in found:
            if WIDE.search(around) or (fits and UNSIGNED.search(around)):
                continue
            yield f"{path}:{index + 1}: {text.strip()}: {raw[index].strip()}"


def check():
    bad = ["  private static let largest = 1 << 38", "  let second = 3_000_000_000",
           "func f() {\n  return 86_400 * 1_000_000\n}", "let mask = 0xFFFF_FFFF"]
    good = ["  private static let largest: Int64 = 1 << 38", "let mask: UInt32 = 0xFFFF_FFFF",
            "func f(_ word: UInt64) {\n  return word & 0x8080_8080_8080_8080\n}", "let small = 1 << 30",
            "let text = \"4000000000\"  // 4000000000", "let half = 0x1p62"]
    for text in bad:
        assert list(faults("bad", text)), text
    for text in good:
        assert not list(faults("good", text)), text


check()
if sys.argv[1:] == ["--check"]:
    sys.exit(0)
root = pathlib.Path(__file__).resolve().parent.parent
paths = [pathlib.Path(name) for name in sys.argv[1:]] or sorted((root / "Sources").rglob("*.swift"))
wrong = [fault for path in paths for fault in faults(path, path.read_text())]
for fault in wrong:
    print(fault)
if wrong:
    print("an Int has 32 bits on watchOS: give these a type of 64 bits, or clamp")
sys.exit(1 if wrong else 0)
