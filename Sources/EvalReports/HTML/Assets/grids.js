// The Tab key stops only once at a grid of test cases. The arrow keys move inside the grid, and
// Enter or a click opens what a cell is about. Above a grid by nights, a line describes the cell
// that the reader points at or moves to.
//
// The last columns of a grid by nights are summaries, and the grid opens scrolled to its end. On a
// narrow screen, the script scrolls back to the newest night, which readers wouldn't see otherwise.
all('.heat').forEach(function (table) {
  var box = table.closest('.scroll.end'), newest = one('.newest', table), last;
  if (box && newest) {
    var night = newest.getBoundingClientRect(), frame = box.getBoundingClientRect();
    var names = newest.parentElement.cells[0].offsetWidth;
    if (night.width && night.left < frame.left + names + 4 * night.width) {
      box.scrollLeft -= Math.max(0, frame.right - 48 - night.right);
    }
  }
  var read = one('#read'), heads = table.tHead.rows[table.tHead.rows.length - 1].cells;
  all('a', table).forEach(function (a) { a.tabIndex = -1; });
  function lines() {
    return Array.from(table.rows).filter(function (row) {
      return !row.hidden && row.cells.length > 2 && row.parentElement !== table.tHead;
    });
  }
  function tell(e) {
    var td = e.target.closest('td.none,td[class^=heat-]');
    if (!td || !read || table.classList.contains('models')) return;
    read.textContent = td.parentElement.cells[0].textContent + ', '
      + (td.title || heads[td.cellIndex].textContent + ': '
        + (td.classList.contains('none') ? 'not run' : (td.textContent || '0') + ' failed'));
  }
  table.addEventListener('mouseover', tell);
  table.addEventListener('focusin', tell);
  // A cell of a night opens that night's report at the test case, if there is a report.
  function open(td) {
    var a = one('a', td) || one('th a,th button', td.parentElement), row = td.parentElement;
    var night = heads[td.cellIndex] && heads[td.cellIndex].dataset.h;
    if (night && row.dataset.at) location.href = night + '#' + encodeURIComponent(row.dataset.at);
    else if (a) a.click();
  }
  table.addEventListener('click', function (e) { if (e.target.tagName === 'TD') open(e.target); });
  table.parentElement.addEventListener('keydown', function (e) {
    var step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
      PageUp: [-10, 0], PageDown: [10, 0], Home: [0, -1e9], End: [0, 1e9] }[e.key];
    if (e.key === 'Enter' && e.target.tagName === 'TD') open(e.target);
    var rows = lines(), cell = e.target.closest('td,th'), r = cell ? rows.indexOf(cell.parentElement) : -1;
    if (!step || !rows.length) return;
    e.preventDefault();
    e.stopPropagation();
    var c = r < 0 ? 0 : cell.cellIndex + step[1];
    r = r < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, r + step[0]));
    cell = rows[r].cells[Math.min(rows[r].cells.length - 1, Math.max(0, c))];
    if (last) last.tabIndex = -1;
    last = one('a,button', cell) || cell;
    last.tabIndex = 0;
    last.focus();
  });
});
