// Adds a button to each sortable header of a table. Sorting leaves the heading and the note of
// a group in place: they have no cell in the column, or their first cell spans several columns.
all('th[aria-sort]').forEach(function (th) {
  makeButton(th, function () {
    var table = th.closest('table'), column = th.cellIndex;
    var up = th.getAttribute('aria-sort') === 'descending';
    all('th[aria-sort]', table).forEach(function (o) { o.setAttribute('aria-sort', 'none'); });
    th.setAttribute('aria-sort', up ? 'ascending' : 'descending');
    var key = function (row) {
      var c = row.cells[column], v = c.dataset.v === undefined ? c.textContent : c.dataset.v;
      return v !== '' && isFinite(v) ? +v : v;
    };
    Array.from(table.tBodies).forEach(function (body) {
      var rows = Array.from(body.rows).filter(function (row) {
        return row.cells.length > column && row.cells[0].colSpan === 1;
      });
      var after = rows.length ? rows[rows.length - 1].nextSibling : null;
      rows.sort(function (a, b) {
        var x = key(a), y = key(b);
        var order = typeof x === 'number' && typeof y === 'number'
          ? x - y : String(x).localeCompare(String(y));
        return up ? order : -order;
      }).forEach(function (row) { body.insertBefore(row, after); });
    });
  });
});
