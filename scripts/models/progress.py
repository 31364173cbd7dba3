"""The progress of a download: one line on a terminal, few lines elsewhere."""

import sys
import threading
import time

from catalog import size


def duration(seconds):
    """Returns a duration in words."""
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"


class Progress:
    """Tells how many bytes have arrived, and how long the rest will take."""

    def __init__(self, total, before, stream=sys.stderr, clock=time.monotonic):
        self.total = total
        self.before = before
        self.stream = stream
        self.clock = clock
        self.start = clock()
        self.is_terminal = stream.isatty()
        self.last_line = self.start
        self.last_tenth = int(10 * before / total)
        self.width = 0
        self.lock = threading.Lock()

    def show(self, count):
        """Shows that a number of bytes is there, if it's time for that."""
        with self.lock:
            now = self.clock()
            elapsed = now - self.start
            arrived = count - self.before
            words = f"{100 * count // self.total} %, {size(count)} of {size(self.total)}"
            if elapsed > 1 and arrived > 0:
                rate = arrived / elapsed
                words += f", {rate / 1e6:.1f} MB/s, about {duration((self.total - count) / rate)} left"
            if self.is_terminal:
                if now - self.last_line < 0.2:
                    return
                self.last_line = now
                self.stream.write("\r  " + words.ljust(self.width))
                self.width = max(self.width, len(words))
                self.stream.flush()
            elif int(10 * count / self.total) >= self.last_tenth + 2 or now - self.last_line > 30:
                self.last_line = now
                self.last_tenth = int(10 * count / self.total)
                print(f"  {words}", file=self.stream, flush=True)

    def end(self):
        """Removes the line from the terminal."""
        with self.lock:
            if self.is_terminal and self.width:
                self.stream.write("\r" + " " * (self.width + 2) + "\r")
                self.stream.flush()
                self.width = 0
