"""Renders a request as the engine does: instructions, outline and prompt in ChatML."""

import json

START, END = "<|im_start|>", "<|im_end|>"
SPECIALS = ["<|endoftext|>", START, END]


def block(name, properties, description=None):
    """Renders an object type; each of `properties` is (name, type, description or None)."""
    lines = [name + " {" + note(description)]
    lines += [f"  {key}: {kind}{note(text)}" for key, kind, text in properties]
    return "\n".join(lines + ["}"])


def union(name, members, description=None):
    return name + " = " + " | ".join(members) + note(description)


def note(text):
    return f" // {text}" if text else ""


def outline(root, blocks):
    return f"Answer with JSON of type {root}.\n" + "\n".join(blocks)


def request(instructions, schema, prompt):
    """The text up to and including the assistant's header line."""
    head = f"{instructions}\n\n" if instructions else ""
    return (f"{START}system\n{head}{schema}{END}\n{START}user\n{prompt}{END}\n{START}assistant\n")


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
