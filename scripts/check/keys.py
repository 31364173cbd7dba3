#!/usr/bin/env python3
"""Drives the pages of reports with the keyboard in Chromium.

    scripts/check/keys.py [--axe FILE] PAGE.html …

The script checks reports and dashboards: that the Tab key leaves every table, that the arrow keys
move between rows, that Enter opens a row and Escape closes it, that the focus is never lost, and
that plots tell their values. It also filters the attempts, copies a test case, an attempt and a
link, opens the link, and reads the CSV of the rows. With --axe (axe.min.js), it also runs axe. It
needs Playwright and Chromium. The exit status is 1 if a check fails.
"""
import csv
import io
import json
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
        total = self.value("JSON.parse(document.querySelector('#rows').textContent).v.length")
        if total == 0:
            return
        self.page.focus("#q")
        seen = []
        for _ in range(8):
            self.press("Tab")
            seen.append(self.value(FOCUS))
        self.check("body" not in seen[:4], f"Tab loses the focus: {seen}")
        self.check(seen.count("row") <= 1, f"Tab stops at {seen.count('row')} rows")
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

    def find(self):
        """The buttons of the filter, what can be copied, links to an attempt, and the CSV."""
        if not self.value("!!document.querySelector('#facets')"):
            return
        data = self.value("JSON.parse(document.querySelector('#rows').textContent)")
        total = len(data["v"])
        shown = lambda: int(self.value("document.querySelector('#shown').textContent").split()[0].replace(",", ""))
        for number in range(min(12, self.value("document.querySelectorAll('#facets button').length"))):
            button = self.page.locator("#facets button").nth(number)
            wanted = int(button.text_content().split()[0].replace(",", ""))
            button.click()
            self.check(shown() >= wanted, f"“{button.text_content()}” shows {shown()} rows")
            self.check(button.get_attribute("aria-pressed") == "true", f"“{button.text_content()}” isn't pressed")
            button.click()
            self.check(shown() == total, f"“{button.text_content()}” can't be taken back")
        if total:
            self.copies(data)
        with self.page.expect_download() as download:
            self.page.locator("#csv").click()
        rows = list(csv.reader(io.StringIO(pathlib.Path(download.value.path()).read_text("utf-8-sig"))))
        self.check(len(rows) == total + 1, f"the CSV has {len(rows) - 1} rows of {total}")
        self.check(all(len(row) == len(rows[0]) for row in rows), "a row of the CSV has other columns")
        self.check(not any(cell.lstrip()[:1] in ("=", "+", "@") for row in rows[1:] for cell in row),
                   "a cell of the CSV begins like a formula")

    def copies(self, data):
        self.page.focus("#q")
        self.press("Enter", "Enter")
        name = self.value("document.querySelector('#attempt-name').textContent")
        copied = {}
        for button in self.page.locator("#attempt-copy button").all():
            label = button.text_content()
            button.click()
            self.page.wait_for_timeout(60)
            copied[label.split()[-1]] = self.value("navigator.clipboard.readText()")
        attempt = json.loads(copied.get("JSON", "{}"))
        self.check(f"{attempt.get('suite')}/{attempt.get('case')}#{attempt.get('repeat')}" == name,
                   f"the JSON is of {attempt.get('case')}, not of {name}")
        case = copied.get("case", "")
        self.check(any(x is False for x in data["X"]) or attempt.get("case", "?") in case,
                   f"the test case doesn't have its id: {case[:80]}")
        if attempt.get("input") is not None:
            lines = [line.strip(" -") for line in case.splitlines() if not line.startswith("#")]
            own = {k.strip('"'): json.loads(v) for k, v in (line.split(": ", 1) for line in lines)}
            self.check({k: v for k, v in own.items() if k not in ("id", "tags")} == attempt["input"],
                       f"the test case has another input: {case[:200]}")
        self.press("Escape")
        self.page.goto("about:blank")
        self.page.goto(copied["link"])
        self.check(self.value("document.querySelector('#attempt').open && document.querySelector('#attempt-name')"
                              ".textContent") == name, f"the link opens another attempt than {name}")
        self.press("Escape")
        self.page.fill("#q", "")

    def changes(self):
        """The list of inputs and its pane."""
        # If nothing changed, all rows are hidden at first.
        if not self.value("!!document.querySelector('.changes tbody tr')"):
            return
        if not self.value("!!document.querySelector('.changes tbody tr:not([hidden])')"):
            self.page.locator("#changes button[data-change]").last.click()
        count = self.value("document.querySelectorAll('.changes tbody tr:not([hidden])').length")
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

    def grid(self):
        """The dashboard's grid of test cases, its filter, and the panel of a test case."""
        if not self.value("!!document.querySelector('#facts') && !!document.querySelector('#case')"):
            return
        facts = self.value("JSON.parse(document.querySelector('#facts').textContent)")
        cases = facts["cases"]
        total = len(cases)
        self.check(self.value("+document.querySelector('#cases .heat').getAttribute('aria-rowcount')") == total + 2,
                   "the grid doesn't say how many rows it has")
        names = [b.split(" ", 1)[1] for b in self.page.locator(".filters button").all_inner_texts()]
        for state, name in zip(("broke", "fails", "flaky", "fixed", "steady"), names):
            self.page.get_by_role("button", name=name).first.focus()
            self.press("Enter")
            wanted = sum(case["k"] == state for case in cases)
            said = self.value("document.querySelector('#shown').textContent")
            self.check(said.split(" ")[0] == f"{wanted:,}", f"{name}: {said}, but the facts have {wanted}")
            self.check("state" in self.value("location.hash"), f"{name}: the address doesn't keep the filter")
            self.press("Enter")
        self.page.focus("#q")
        seen = []
        for _ in range(12):
            self.press("Tab")
            seen.append(self.value("document.activeElement === document.body ? 'body' : document.activeElement.closest('.heat tbody') ? 'row' : 'other'"))
        self.check("body" not in seen[:5], f"Tab loses the focus: {seen}")
        self.check(seen.count("row") <= 1, f"Tab stops at {seen.count('row')} rows")
        self.page.focus("#q")
        self.press("Enter")
        self.check(self.value(NUMBER) == 3, "Enter in the filter doesn't go to the first row")
        steps = min(20, total - 1)
        self.press(*["ArrowDown"] * steps)
        self.check(self.value(NUMBER) == steps + 3, f"{steps} arrows lead to row {self.value(NUMBER)}")
        self.press(*["ArrowRight"] * len(facts["nights"]))
        said = self.value("document.querySelector('#read').textContent")
        self.check(cases[steps]["id"] in said and facts["nights"][-1][0] in said, f"the cell isn't read: {said}")
        night = facts["nights"][-1]
        href = self.value("(() => { const r = document.activeElement.closest('tr'); return r.dataset.at; })()")
        self.check(href == cases[steps]["at"], f"the row is {href}, not {cases[steps]['at']}")
        self.press("Home", "Enter")
        opened = "document.querySelector('#case').open"
        self.check(self.value(opened), "Enter doesn't open the test case")
        address = self.value("decodeURI(location.hash.slice(1))")
        self.check(address == cases[steps]["at"], f"the address is {address}")
        links = self.page.locator("#case .strip a").count()
        self.check(links == sum(1 for n in facts["nights"] if n and n[2] is not None),
                   f"the panel links to {links} nights")
        if steps + 1 < total:
            self.press("j")
            self.check(self.value("document.querySelector('#case-name').textContent").endswith(cases[steps + 1]["id"]),
                       "j doesn't show the next test case")
            self.press("k")
        self.press("Escape")
        self.page.wait_for_timeout(300)
        self.check(not self.value(opened), "Escape doesn't close the test case")
        self.check(self.value(NUMBER) == steps + 3, "after Escape, the focus isn't on the row")
        # Every cell leads to the report of its own night.
        for number in {0, len(facts["nights"]) // 2, len(facts["nights"]) - 1}:
            night = facts["nights"][number]
            if night and night[2] is not None:
                target = self.value(f"document.querySelectorAll('#cases thead tr:last-child th')[{number} + 1].dataset.h")
                self.check(target == f"{night[2]}/report.html", f"the cells of run {night[0]} lead to {target}")
        self.value(f"location.hash = {cases[-1]['at']!r}")
        self.page.wait_for_timeout(100)
        self.check(self.value("document.querySelector('#case-name').textContent").endswith(cases[-1]["id"]),
                   "the address of a test case doesn't open it")
        self.press("Escape")
        text = next((c for c in cases if c.get("v")), None)
        if text:
            word = next(iter(text["v"].values()))
            self.page.fill("#q", "!" + str(word).split()[0].lower())
            said = self.value("document.querySelector('#shown').textContent")
            rest = said.split(" ")[0].replace(",", "")
            self.check(rest == "No" or int(rest) < total, "the filter doesn't search inputs")
            self.page.fill("#q", "")

    def readout(self):
        """The line that describes a cell of a grid by nights is visible at every width."""
        cells = self.page.locator(
            "table.heat:not(.models) > tbody > tr:not([hidden]) > td[class^=heat-]")
        if not self.value("!!document.querySelector('#read')") or not cells.count():
            return
        size = self.page.viewport_size
        visible = """(() => { const e = document.querySelector('#read'), b = e.getBoundingClientRect();
          return b.top >= 0 && b.bottom <= innerHeight && b.left >= 0 && b.right <= innerWidth + 1
            && document.elementFromPoint(b.left + 9, b.top + b.height / 2) === e; })()"""
        for width in (1440, 1024, 768, 390, 320):
            self.page.set_viewport_size({"width": width, "height": 700})
            for what, cell in (("first", cells.first), ("last", cells.last)):
                self.page.mouse.move(1, 1)
                self.value("document.querySelector('#read').textContent = ''")
                cell.scroll_into_view_if_needed()
                cell.hover()
                self.check(self.value("document.querySelector('#read').textContent"),
                           f"at {width} px, nothing is read under the pointer on the {what} cell")
                self.check(self.value(visible), f"at {width} px, the line about the {what} cell is not visible")
                cell.evaluate("e => { e.tabIndex = -1; e.focus(); }")
                self.check(self.value(visible), f"at {width} px, the line about the focused {what} cell is not visible")
        self.page.set_viewport_size(size)

    def plots(self):
        """Plots tell their values on focus and under the pointer."""
        if not self.value("!!document.querySelector('svg[data-v]')"):
            return
        self.page.focus("svg[data-v]")
        self.press("End")
        told = "document.querySelector('svg[data-v]').closest('figure').querySelector('.told').textContent"
        last = self.value("document.querySelector('svg[data-v]').dataset.v.split('\\n').pop()")
        self.check(last in self.value(told), f"the plot tells {self.value(told)}, not {last}")
        self.press("ArrowLeft")
        self.page.locator("svg[data-v]").first.hover()
        values = self.value("document.querySelector('svg[data-v]').dataset.v").split("\n")
        self.check(any(value in self.value(told) for value in values),
                   "the plot doesn't tell the value under the pointer")

    def axe(self, script):
        self.page.evaluate(script)
        found = self.page.evaluate("axe.run(document, {runOnly: ['wcag2a','wcag2aa','wcag21a','wcag21aa','wcag22aa','best-practice']})")
        for violation in found["violations"]:
            self.check(False, f"axe: {violation['id']}: {violation['nodes'][0]['html'][:120]}")


def main():
    failures, names, axe = 0, sys.argv[1:], None
    if names[:1] == ["--axe"]:
        axe, names = pathlib.Path(names[1]).read_text(), names[2:]
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name in names:
            path = pathlib.Path(name).resolve()
            context = browser.new_context(
                viewport={"width": 1440, "height": 900}, bypass_csp=bool(axe), accept_downloads=True)
            context.grant_permissions(["clipboard-read", "clipboard-write"])
            page = context.new_page()
            page.goto(path.as_uri())
            keys = Driver(page, path.name)
            keys.attempts()
            keys.changes()
            keys.find()
            keys.grid()
            keys.readout()
            keys.plots()
            if axe:
                keys.axe(axe)
            failures += keys.failures
            context.close()
        browser.close()
    print(f"{failures} failures" if failures else "the keyboard reaches everything")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
