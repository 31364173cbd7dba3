// Adds a button to each sortable header of a table. Sorting leaves the heading and the note of
// a group in place: they have no cell in the column, or their first cell spans several columns.
// A row that belongs to the row above follows it.
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
      var blocks = [], after = null;
      Array.from(body.rows).forEach(function (row) {
        if (row.matches('.part') && blocks.length) blocks[blocks.length - 1].push(row);
        else if (row.cells.length > column && row.cells[0].colSpan === 1) blocks.push([row]);
        else return;
        after = row.nextSibling;
      });
      blocks.sort(function (a, b) {
        var x = key(a[0]), y = key(b[0]);
        var order = typeof x === 'number' && typeof y === 'number'
          ? x - y : String(x).localeCompare(String(y));
        return up ? order : -order;
      }).forEach(function (rows) {
        rows.forEach(function (row) { body.insertBefore(row, after); });
      });
    });
  });
});
