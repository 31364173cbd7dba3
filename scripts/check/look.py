#!/usr/bin/env python3
"""Checks pages in Chromium: no text is smaller than 9 px, and no labels in a drawing overlap.

    scripts/check/look.py PAGE.html …

The script opens all collapsed parts, and checks each page at several widths, in dark mode, and as
it is printed. It needs Playwright and Chromium. The exit status is 1 if it finds anything.
"""
import pathlib
import shutil
import sys

from playwright.sync_api import sync_playwright

WIDTHS = [1440, 1024, 768, 390, 320]
LEAST = 9

LOOK = """least => {
  const found = [];
  const visible = e => e.checkVisibility({visibilityProperty: true, opacityProperty: true});
  const told = (e, what) => found.push(what + ': "' + e.textContent.trim().slice(0, 40) + '" in ' +
    (e.closest('section') ? e.closest('section').id : e.closest('[id]') ? e.closest('[id]').id : 'page') + ' ' +
    (e.className.baseVal ?? e.className));
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const small = new Set();
  while (texts.nextNode()) {
    const e = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || small.has(e) || ['SCRIPT', 'STYLE', 'TITLE'].includes(e.tagName)) continue;
    if (!visible(e)) continue;
    const box = e.getBoundingClientRect();
    if (box.width < 2 || box.height < 2) continue;
    const matrix = e.ownerSVGElement ? e.getScreenCTM() : null;
    const size = parseFloat(getComputedStyle(e).fontSize) * (matrix ? Math.hypot(matrix.a, matrix.b) : 1);
    if (size < least - 0.05) { small.add(e); told(e, size.toFixed(1) + ' px'); }
  }
  for (const svg of document.querySelectorAll('svg')) {
    if (!visible(svg)) continue;
    const labels = [...svg.querySelectorAll('text')].filter(visible)
      .map(e => ({e, b: e.getBoundingClientRect()})).filter(l => l.b.width > 0 && l.e.textContent.trim());
    for (let i = 0; i < labels.length; i++) for (let k = i + 1; k < labels.length; k++) {
      const [p, q] = [labels[i].b, labels[k].b];
      const wide = Math.min(p.right, q.right) - Math.max(p.left, q.left);
      const high = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
      if (wide > 1 && high > 3) told(labels[i].e, 'overlaps "' + labels[k].e.textContent.trim().slice(0, 30) + '"');
    }
  }
  return found;
}"""


def looks():
    for width in WIDTHS:
        yield f"{width}", width, "light", "screen"
    yield "dark", WIDTHS[0], "dark", "screen"
    yield "print", 794, "light", "print"


def main():
    pages = [pathlib.Path(name).resolve() for name in sys.argv[1:]]
    failed = False
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for path in pages:
            seen = {}
            for name, width, scheme, media in looks():
                context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
                page = context.new_page()
                page.goto(path.as_uri())
                page.evaluate("for (const d of document.querySelectorAll('details')) d.open = true")
                page.emulate_media(media=media, color_scheme=scheme)
                page.evaluate("() => new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")
                for what in page.evaluate(LOOK, LEAST):
                    seen.setdefault(what, []).append(name)
                context.close()
            for what, names in list(seen.items())[:12]:
                print(f"FAIL {path.name}: {what} ({', '.join(names[:4])}{', …' if len(names) > 4 else ''})")
            if len(seen) > 12:
                print(f"FAIL {path.name}: {len(seen) - 12} more")
            failed |= bool(seen)
        browser.close()
    sys.exit(failed)


main()
