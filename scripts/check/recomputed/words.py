"""Writes numbers and invisible characters by the documented rules, independently of Assay's code."""
import itertools
import math
import re

NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?")


def flat(text):
    """Returns a text on one line, with ordinary spaces."""
    return " ".join(text.replace("\u00a0", " ").split())


def fixed(value, decimals):
    """Writes a number, rounded half away from zero, with a real minus sign."""
    if not math.isfinite(value):
        return "–"
    scale = 10 ** decimals
    scaled = math.floor(abs(value) * scale + 0.5)
    sign = "−" if value < 0 and scaled else ""
    whole, rest = divmod(scaled, scale)
    return sign + (f"{whole}.{rest:0{decimals}d}" if decimals else str(whole))


def grouped(value):
    return f"{value:,}"


def percent(value, decimals=1):
    return fixed(value * 100, decimals) + " %"


def rate(hits, count):
    if count == 0:
        return "–"
    share = hits / count
    if hits < count and share >= 0.9995:
        return "> 99.9 %"
    if hits > 0 and share < 0.0005:
        return "< 0.1 %"
    return percent(share)


def short(value):
    text = fixed(value * 100, 1)
    return {"100.0": "100", "0.0": "0"}.get(text, text)


def interval(low, high):
    return f"{short(low)}–{short(high)}"


def signed(value, decimals):
    text = fixed(value, decimals)
    if text.startswith(("−", "–")):
        return text
    return ("+" if re.search("[1-9]", text) else "±") + text


def points(value):
    return signed(value * 100, 1)


def p_value(value):
    if value < 0.001:
        return "< 0.001"
    return "1" if value >= 0.9995 else fixed(value, 3 if value < 0.1 else 2)


def duration(seconds):
    if seconds < 0.00005:
        return "0 ms"
    if seconds < 0.0095:
        return fixed(seconds * 1000, 1) + " ms"
    if seconds < 1:
        return fixed(seconds * 1000, 0) + " ms"
    if seconds < 60:
        return fixed(seconds, 1) + " s"
    whole = math.floor(seconds + 0.5)
    return f"{grouped(whole // 60)} min {whole % 60:02d} s"


def counted(value, noun, plural=None):
    return f"{grouped(value)} {noun if value == 1 else plural or noun + 's'}"


def passing(count, noun):
    """The words after `3 of`: `4 attempts pass`, `1 attempt passes`."""
    return f"{counted(count, noun)} {'passes' if count == 1 else 'pass'}"


class Near:
    """The texts that may stand for a number.

    There can be several, because the program may round a half differently.
    """

    def __init__(self, write, *values, slack=1e-9):
        self.texts, self.values = set(), values
        ends = [(v - slack * max(1, abs(v)), v, v + slack * max(1, abs(v))) for v in values]
        for choice in itertools.product(*ends):
            self.texts.add(write(*choice))


def pattern(template, *parts):
    """A regular expression for a template, with the parts at its `{}`."""
    result = ""
    pieces = template.split("{}")
    for piece, part in itertools.zip_longest(pieces, parts):
        result += re.escape(flat_keep(piece))
        if part is None:
            continue
        texts = part.texts if isinstance(part, Near) else {str(part)}
        result += "(?:" + "|".join(sorted(map(re.escape, texts))) + ")"
    return result


def flat_keep(text):
    return text.replace("\u00a0", " ")


HIDDEN = [
    (0x00, 0x08), (0x0B, 0x1F), (0x7F, 0x9F), (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C),
    (0x115F, 0x1160), (0x17B4, 0x17B5), (0x3164, 0x3164), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0),
    (0x180B, 0x180F), (0x200B, 0x200F), (0x2028, 0x202E), (0x2060, 0x206F), (0xFFF9, 0xFFFB),
    (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF)]


# The last two code points of each plane are no characters.
HIDDEN += [(plane << 16 | 0xFFFE, plane << 16 | 0xFFFF) for plane in range(17)]
HIDDEN_ONE = re.compile("[" + "".join(
    f"{re.escape(chr(low))}-{re.escape(chr(high))}" for low, high in HIDDEN) + "]")


def visible(text):
    """A text as the reports show it, with invisible characters written out: `\\u{202E}`."""
    return HIDDEN_ONE.sub(lambda match: f"\\u{{{ord(match[0]):04X}}}", text)


def is_about_others(note, rest):
    """Whether a note below a table of a few suites counts so many other rows, each in one state."""
    found = re.fullmatch(r"(\d+) more rows? below in Suites: (?:(?:all |none )?[a-z ]+|(.*))\.", note)
    parts = (found[2] or "").split(", ") if found else []
    return bool(found) and int(found[1]) == rest and (
        parts == [""] or sum(int(part.split()[0]) for part in parts) == rest)


def line(text):
    return visible(text).replace("\n", "⏎").replace("\t", "⇥")


def clipped(text, limit):
    """The first bytes of a text, cut between characters, and whether anything was cut."""
    data = text.encode()
    if len(data) <= limit:
        return text, False
    return data[:limit].decode(errors="ignore"), True
