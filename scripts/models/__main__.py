"""The commands of scripts/model."""

import errno
import signal
import sys

import room
from catalog import Failure, folder, models, named, size
from getting import get

USAGE = "usage: scripts/model get NAME … | path NAME | ready NAME | --list"


def show_list():
    for model in models():
        path = folder() / model.file
        print(f"{model.name}  {model.title}, {size(model.bytes)}, {model.licence}")
        if model.address:
            print(f"  from {model.address}")
        print(f"  from {model.packages}")
        print(f"  {path}" if path.is_file() else "  not here yet")


def main(arguments):
    if arguments in (["--list"], ["list"]):
        show_list()
    elif len(arguments) == 2 and arguments[0] == "path":
        path = folder() / named(arguments[1]).file
        if not path.is_file():
            return 1
        print(path)
    elif len(arguments) == 2 and arguments[0] == "ready":
        model = named(arguments[1])
        room.check(model, folder())
        get(model, folder())
    elif len(arguments) > 1 and arguments[0] == "get":
        for model in [named(name) for name in arguments[1:]]:
            get(model, folder())
    elif arguments in (["--help"], ["-h"]):
        print(USAGE)
    else:
        raise Failure(USAGE, status=4)
    return 0


class Stopped(BaseException):
    """A signal stopped the script."""


def stop(number, frame):
    raise Stopped


if __name__ == "__main__":
    for number in [signal.SIGTERM, signal.SIGINT, signal.SIGHUP]:
        signal.signal(number, stop)
    try:
        sys.exit(main(sys.argv[1:]))
    except Failure as failure:
        print(f"model: {failure}", file=sys.stderr)
        sys.exit(failure.status)
    except Stopped:
        print("model: stopped; the next call continues", file=sys.stderr)
        sys.exit(3)
    except OSError as error:
        if error.errno == errno.ENOSPC:
            print(f"model: the disk of {folder()} is full; make room and run the command again, "
                  "which continues", file=sys.stderr)
        else:
            print(f"model: {error.filename or folder()}: {error.strerror or error}", file=sys.stderr)
        sys.exit(3)
