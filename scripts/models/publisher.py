"""Downloads a model from its publisher's address."""

import http.client
import socket
import ssl
import time
import urllib.error
import urllib.parse
import urllib.request

from catalog import size
from progress import Progress

BLOCK = 1 << 18
CONNECT_SECONDS = 10
TRIES = 3


class Unavailable(Exception):
    """The reason why the address doesn't give the model."""


def reason(error, host):
    """Returns the reason for an error in words."""
    if isinstance(error, urllib.error.HTTPError):
        return f"{host} answered with status {error.code}"
    inner = getattr(error, "reason", error)
    if isinstance(inner, ssl.SSLError):
        return (f"the certificate of {host} was refused; behind a proxy that inspects TLS, name its "
                "certificate in SSL_CERT_FILE")
    if isinstance(inner, (TimeoutError, socket.timeout)):
        return f"{host} didn't answer in time"
    if isinstance(inner, socket.gaierror):
        return f"the name {host} can't be resolved"
    if isinstance(inner, http.client.HTTPException):
        return f"{host} broke off the answer"
    return f"{host} can't be reached: {getattr(inner, 'strerror', None) or inner}"


def fetch(draft, limit=CONNECT_SECONDS, pause=1.0):
    """Appends the missing bytes to a draft, or raises `Unavailable`."""
    model = draft.model
    host = urllib.parse.urlsplit(model.address).netloc
    progress = Progress(model.bytes, draft.bytes)
    tries = 0
    try:
        while draft.bytes < model.bytes:
            before = draft.bytes
            try:
                append(draft, host, limit, progress)
                if draft.bytes < model.bytes:
                    raise http.client.IncompleteRead(b"")
            except (urllib.error.URLError, http.client.HTTPException, ConnectionError,
                    TimeoutError) as error:
                # A connection that gave bytes may just have broken.
                tries = 1 if draft.bytes > before else tries + 1
                if isinstance(error, urllib.error.HTTPError) or tries >= TRIES or (
                        draft.bytes == 0):
                    raise Unavailable(reason(error, host))
                time.sleep(pause)
    finally:
        progress.end()


def append(draft, host, limit, progress):
    """Asks for the missing bytes once, and appends what arrives."""
    model = draft.model
    start = draft.bytes
    headers = {"User-Agent": "assay-model", "Accept-Encoding": "identity"}
    if start > 0:
        headers["Range"] = f"bytes={start}-"
    request = urllib.request.Request(model.address, headers=headers)
    with urllib.request.urlopen(request, timeout=limit) as answer:
        if answer.status == 206:
            place = answer.headers.get("Content-Range", "")
            if place != f"bytes {start}-{model.bytes - 1}/{model.bytes}":
                raise Unavailable(
                    f"{host} has another file: it offers `{place}`, but "
                    f"`bytes {start}-{model.bytes - 1}/{model.bytes}` is expected")
        else:
            length = answer.headers.get("Content-Length")
            if length != str(model.bytes):
                what = f"{length} bytes" if length else "a file of unknown length"
                raise Unavailable(f"{host} has another file: {what}, but "
                                  f"{model.bytes} bytes ({size(model.bytes)}) are expected")
            start = 0
        with open(draft.file, "ab") as file:
            file.truncate(start)
            count = start
            while count < model.bytes and (block := answer.read1(min(BLOCK, model.bytes - count))):
                file.write(block)
                file.flush()
                count += len(block)
                progress.show(count)
