"""Model files that other programs keep on this machine.

The folders are those in which `assay doctor` looks for models, and llama.cpp's cache.
"""

import os
from pathlib import Path

MOST_NAMES = 20_000


def folders(environment):
    """Returns pairs of a program's name and an existing folder with its model files."""

    def value(name):
        return environment.get(name) or None

    home = value("HOME")
    cache = value("XDG_CACHE_HOME") or (home and f"{home}/.cache")
    hub = value("HF_HUB_CACHE") or value("HUGGINGFACE_HUB_CACHE")
    hub = hub or (value("HF_HOME") and value("HF_HOME") + "/hub")
    hub = hub or (cache and f"{cache}/huggingface/hub")
    found = [("Hugging Face", hub)]
    if value("OLLAMA_MODELS"):
        found.append(("Ollama", value("OLLAMA_MODELS")))
    else:
        found += [("Ollama", home and f"{home}/.ollama/models"),
                  ("Ollama", "/usr/share/ollama/.ollama/models")]
    found += [("LM Studio", home and f"{home}/.lmstudio/models"),
              ("LM Studio", home and f"{home}/.cache/lm-studio/models"),
              ("llama.cpp", value("LLAMA_CACHE") or (cache and f"{cache}/llama.cpp"))]
    return [(title, Path(path)) for title, path in found if path and Path(path).is_dir()]


def candidates(model, environment):
    """Yields pairs of a program's name and a file that could be the model.

    The size of each file is the model's. Ollama and Hugging Face name files after their SHA-256.
    """
    for title, folder in folders(environment):
        left = MOST_NAMES
        for path, inner, names in os.walk(folder):
            inner.sort()
            for name in sorted(names):
                left -= 1
                if left < 0:
                    break
                file = Path(path) / name
                try:
                    if file.is_file() and file.stat().st_size == model.bytes:
                        yield title, file.resolve()
                except OSError:
                    continue
            if left < 0:
                break
