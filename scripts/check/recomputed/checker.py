"""Runs checks as units, which record the texts that they check and can run again."""
import collections
import random
import re

import words


class Checker:
    def __init__(self):
        self.units, self.wrong, self.current = [], [], None
        self.left_out = collections.Counter()
        # The facts that are compared only with the rounded texts of cells, by column.
        self.not_recomputed = collections.Counter()

    def unit(self, where, check, *arguments):
        """Runs a check as a unit. The texts that the check claims belong to the unit."""
        self.units.append((where, check, arguments))
        self.current = len(self.units) - 1
        self.run(self.current)
        self.current = None

    def run(self, number):
        where, check, arguments = self.units[number]
        self.where = where
        try:
            check(self, *arguments)
        except Exception as error:  # a text that can't be read counts as a difference
            self.wrong.append(f"{where}: {type(error).__name__}: {error}")

    def fail(self, what):
        self.wrong.append(f"{self.where}: {what}")

    def claim(self, texts, kind):
        for text in texts:
            if text.unit is None:
                text.unit, text.kind = self.current, kind

    def shown(self, node, template, *parts, kind="computed", drawings=False):
        """Compares a node's text with a template of computed parts."""
        self.claim(node.texts(drawings), kind)
        node.computed = [v for p in parts if isinstance(p, words.Near) for v in p.values]
        text = node.text(drawings)
        wanted = words.pattern(template, *parts)
        if not re.fullmatch(wanted, text):
            self.fail(f"shown “{text[:160]}”, computed “{readable(template, parts)[:160]}”")

    def equal(self, node, text, kind="quoted"):
        """Compares a node's text, including spaces, with a recorded text."""
        self.claim(node.texts(), kind)
        if node.raw() != text:
            self.fail(f"shown “{node.raw()[:120]}”, recorded “{text[:120]}”")

    def skip(self, what):
        """Leaves the unit's texts unclaimed, and records the reason."""
        self.left_out[what] += 1


def readable(template, parts):
    parts = [min(p.texts) if isinstance(p, words.Near) else str(p) for p in parts]
    for part in parts:
        template = template.replace("{}", part, 1)
    return template


def numbers(texts):
    """The places of numbers in texts: (text, start, end)."""
    return [(text, m.start(), m.end()) for text in texts
            for m in words.NUMBER.finditer(text.value)]


def mutate(checker, found, count, seed=1):
    """Changes one digit at a time, runs the check of its text again, and counts the noticed changes."""
    source = random.Random(seed)
    noticed, missed = 0, collections.Counter()
    places = [(t, i) for t, start, end in found for i in range(start, end) if t.value[i].isdigit()]
    sample = source.sample(places, min(count, len(places)))
    for text, place in sample:
        old = text.value
        digit = str((int(old[place]) + source.randint(1, 9)) % 10)
        text.value = old[:place] + digit + old[place + 1:]
        before = len(checker.wrong)
        if text.unit is not None:
            checker.run(text.unit)
        if len(checker.wrong) > before:
            noticed += 1
        else:
            missed[checker.units[text.unit][0] if text.unit is not None else "texts that no unit claims"] += 1
        del checker.wrong[before:]
        text.value = old
    return noticed, len(sample), missed
