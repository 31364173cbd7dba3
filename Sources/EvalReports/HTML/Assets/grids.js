// The Tab key stops only once at a grid of test cases. The arrow keys move inside the grid, and
// Enter or a click opens the test case. Below a grid by nights, a line describes the cell that the
// reader points at or moves to.
//
// The last columns of a grid by nights are summaries, and the grid opens scrolled to its end. On a
// narrow screen, the script scrolls back to the newest night, which readers wouldn't see otherwise.
all('.heat').forEach(function (table) {
  var box = table.closest('.scroll.end'), newest = one('.newest', table), fold = table.closest('.fold');
  function openAtNewest() {
    if (!box || !newest) return;
    var night = newest.getBoundingClientRect(), frame = box.getBoundingClientRect();
    var names = newest.parentElement.cells[0].offsetWidth;
    if (night.width && night.left < frame.left + names + 4 * night.width) {
      box.scrollLeft -= Math.max(0, frame.right - 48 - night.right);
    }
  }
  openAtNewest();
  if (fold) fold.addEventListener('toggle', openAtNewest, { once: true });
  var read = one('#read'), heads = table.tHead.rows[table.tHead.rows.length - 1].cells;
  var rows = Array.from(table.rows).map(function (row) {
    return all('td.none,td[class^=heat-]', row);
  }).filter(function (cells) { return cells.length; }), r = 0, c = -1;
  all('a', table).forEach(function (a) { a.tabIndex = -1; });
  function tell(e) {
    var td = e.target.closest('td.none,td[class^=heat-]');
    if (!td || !read || table.classList.contains('models')) return;
    read.textContent = td.parentElement.cells[0].textContent + ', '
      + heads[td.cellIndex].textContent + ': ' + (td.classList.contains('none') ? 'not run'
      : (td.textContent || '0') + ' failed');
  }
  table.addEventListener('mouseover', tell);
  table.addEventListener('focusin', tell);
  // A cell of an earlier night opens that night's report at the test case.
  function open(td) {
    var a = one('a', td) || one('th a', td.parentElement), row = td.parentElement;
    var night = heads[td.cellIndex] && heads[td.cellIndex].dataset.h;
    if (night && row.dataset.at && !td.classList.contains('newest')) {
      location.href = night + '#' + encodeURIComponent(row.dataset.at);
    } else if (a) a.click();
  }
  table.addEventListener('click', function (e) { if (e.target.tagName === 'TD') open(e.target); });
  table.parentElement.addEventListener('keydown', function (e) {
    var step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[e.key];
    if (e.key === 'Enter' && e.target.tagName === 'TD') open(e.target);
    if (!rows.length || !step && e.key !== 'Home' && e.key !== 'End') return;
    e.preventDefault();
    if (c < 0 && step) step = [0, 1];
    r = Math.min(rows.length - 1, Math.max(0, r + (step ? step[0] : 0)));
    c = step ? c + step[1] : e.key === 'Home' ? 0 : 1e9;
    c = Math.min(rows[r].length - 1, Math.max(0, c));
    var at = one('a', rows[r][c]) || rows[r][c];
    at.tabIndex = -1;
    at.focus();
  });
});
