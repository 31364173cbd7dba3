#!/usr/bin/env python3
"""Drives the pages of reports with the keyboard in Chromium.

    scripts/check/keys.py REPORT.html …

The script checks that the Tab key leaves every table, that the arrow keys move between rows, that
Enter opens a row and Escape closes it, and that the focus is never lost. It needs Playwright and
Chromium. The exit status is 1 if a check fails.
"""
import pathlib
import shutil
import sys

from playwright.sync_api import sync_playwright

FOCUS = "(e => e === document.body ? 'body' : e.closest('.changes tbody, #window tbody') ? 'row' : e.id || e.tagName)(document.activeElement)"
NUMBER = "+(document.activeElement.closest('tr')?.getAttribute('aria-rowindex') ?? -1)"


class Driver:
    def __init__(self, page, name):
        self.page, self.name, self.failures = page, name, 0

    def check(self, ok, what):
        if not ok:
            self.failures += 1
            print(f"FAIL {self.name}: {what}")

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)
            self.page.wait_for_timeout(30)

    def value(self, script):
        return self.page.evaluate(script)

    def attempts(self):
        """The table of all attempts: no trap, arrows, Enter and Escape."""
        if not self.value("!!document.querySelector('#q') && !!document.querySelector('#window')"):
            return
        self.page.focus("#q")
        seen = []
        for _ in range(8):
            self.press("Tab")
            seen.append(self.value(FOCUS))
        self.check("body" not in seen[:4], f"Tab loses the focus: {seen}")
        self.check(seen.count("row") <= 1, f"Tab stops at {seen.count('row')} rows")
        total = self.value("JSON.parse(document.querySelector('#rows').textContent).v.length")
        self.page.focus("#q")
        self.press("Enter")
        self.check(self.value(NUMBER) == 2, "Enter in the filter doesn't go to the first row")
        steps = min(60, total - 1)
        self.press(*["ArrowDown"] * steps)
        self.check(self.value(NUMBER) == steps + 2, f"{steps} arrows lead to row {self.value(NUMBER)}")
        self.press("Home")
        self.check(self.value(NUMBER) == 2, "Home doesn't go to the first row")
        self.press("Enter")
        self.check(self.value("document.querySelector('#attempt').open"), "Enter doesn't open the attempt")
        self.press("Escape")
        self.check(not self.value("document.querySelector('#attempt').open"), "Escape doesn't close the attempt")
        self.check(self.value(FOCUS) == "row", f"after Escape, the focus is on {self.value(FOCUS)}")

    def changes(self):
        """The list of inputs and its pane."""
        if not self.value("!!document.querySelector('.changes tbody tr')"):
            return
        count = self.value("document.querySelectorAll('.changes tbody tr').length")
        current = "[...document.querySelectorAll('.changes tbody tr')].findIndex(r => r.hasAttribute('aria-current'))"
        self.page.focus(".changes tbody tr button[tabindex='0']")
        self.press("Enter")
        self.check(self.value("document.querySelector('.pair').classList.contains('open')"), "Enter doesn't open the pane")
        self.check(self.value(current) == 0, "the pane doesn't show the first test case")
        self.check("case=" in self.value("location.hash"), "the address doesn't name the test case")
        if count > 1:
            self.press("ArrowDown")
            self.check(self.value(current) == 1, "the arrow doesn't show the next test case")
        self.press("Escape")
        self.check(not self.value("document.querySelector('.pair').classList.contains('open')"), "Escape doesn't close the pane")
        self.check(self.value(FOCUS) == "row", f"after Escape, the focus is on {self.value(FOCUS)}")
        stops = []
        for _ in range(4):
            self.press("Tab")
            stops.append(self.value(FOCUS))
        self.check(stops.count("row") == 0 or count == 0, f"Tab stays in the list: {stops}")


def main():
    failures = 0
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name in sys.argv[1:]:
            path = pathlib.Path(name).resolve()
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.goto(path.as_uri())
            keys = Driver(page, path.name)
            keys.attempts()
            keys.changes()
            failures += keys.failures
            page.close()
        browser.close()
    print(f"{failures} failures" if failures else "the keyboard reaches everything")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
