"""Checks whether this machine has room for running the suites on a model."""

import os
import shutil
from pathlib import Path

from catalog import Failure, size


def free_memory():
    """Returns the bytes of memory that are available, or `None` if nobody knows."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        free = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, StopIteration, ValueError):
        return None
    try:
        # A container may have less.
        group = Path("/sys/fs/cgroup")
        most = int((group / "memory.max").read_text())
        used = int((group / "memory.current").read_text())
        fields = dict(line.split() for line in (group / "memory.stat").read_text().splitlines())
        free = min(free, most - used + int(fields.get("inactive_file", 0)))
    except (OSError, ValueError):
        pass
    return free


def check(model, folder):
    """Says how long the suites take on a model, and raises `Failure` if there isn't enough room."""
    needs = model.evals
    if not needs:
        return
    path = folder / model.file
    is_there = path.is_file()
    fetches = "is here already" if is_there else f"gets {size(model.bytes)} once"
    print(f"{model.name}: {fetches}; then the suites take about {needs['minutes']} minutes on two cores")
    lacks = []
    memory = free_memory()
    if memory is not None and memory < needs["memory"]:
        lacks.append(f"{needs['memory'] / 2**30:.0f} GiB of free memory ({memory / 2**30:.1f} GiB are free)")
    folder = next(place for place in [folder.absolute(), *folder.absolute().parents] if place.exists())
    free = shutil.disk_usage(folder).free
    disk = needs["disk"] - (model.bytes if is_there else 0)
    if free < disk:
        lacks.append(f"{size(disk)} of disk space in {folder} ({size(free)} are free)")
    if lacks:
        raise Failure(f"{model.name} needs " + ", and ".join(lacks))
