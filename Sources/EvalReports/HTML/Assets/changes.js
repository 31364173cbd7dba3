// The list of test cases on both sides of a comparison. The numbers above the list are buttons that
// filter it. The pane shows the input and both answers of the chosen test case, with every repeat.
var pane = one('#pane'), list = one('.changes');
if (pane && list) {
  var facts = JSON.parse(one('#change-data').textContent), open = -1;
  var lines = all('tbody tr', list), kinds = all('.filters button');
  var outcomes = { p: '✓ pass', f: '✗ fail', e: '✗ error', s: '– skipped' };
  var visible = function () { return lines.filter(function (row) { return !row.hidden; }); };
  // One row at a time can be reached with the Tab key; the arrow keys move between rows.
  var reach = function (row) {
    lines.forEach(function (o) { one('button', o).tabIndex = o === row ? 0 : -1; });
  };
  var answers = function (fact) {
    fact.r.forEach(function (r) {
      element(pane, 'h4', 'Repeat ' + r.n);
      var table = element(pane, 'table', undefined, 'answers');
      element(table, 'caption', 'Both answers of repeat ' + r.n + ', value by value', 'unseen');
      var head = element(element(table, 'thead'), 'tr'), body = element(table, 'tbody');
      [['value', ''], ['baseline: ' + outcomes[r.b], r.was], ['this run: ' + outcomes[r.a], r.why]]
        .forEach(function (h) {
          var th = element(head, 'th', h[0]);
          th.scope = 'col';
          if (h[1]) quoting(element(th, 'span', '', 'below'), h[1]);
        });
      r.v.forEach(function (value) {
        var row = element(body, 'tr');
        element(row, 'th', value[0], 'mono').scope = 'row';
        side(element(row, 'td'), value, 1, 'b');
        side(element(row, 'td'), value, 2, 'a');
      });
      var left = [];
      if (r.s) left.push(r.s + ' more values are the same on both sides');
      if (r.m) left.push(r.m + ' more values differ; assay show prints them');
      if (!r.v.length) left.push('Neither side has an answer');
      if (left.length) element(pane, 'p', left.join('. ') + '.', 'note');
    });
    if (fact.more) element(pane, 'p', fact.more + ' more repeats are not shown.', 'note');
  };
  // The first attempt at a test case of this run, or -1.
  var rowOf = function (fact) {
    for (var i = 0; fact && i < N; i++) if ('case=' + addressOf(i) === fact.at) return i;
    return -1;
  };
  var choose = function (i, keepsFocus) {
    var fact = facts[i], row = lines[i];
    open = i;
    lines.forEach(function (o) { o.removeAttribute('aria-current'); });
    row.setAttribute('aria-current', 'true');
    reach(row);
    pane.replaceChildren();
    var bar = element(pane, 'p', undefined, 'pane-bar');
    [['previous', -1], ['next', 1]].forEach(function (b) {
      addButton(bar, b[0], function () { step(b[1]); });
    });
    addButton(bar, 'close', close);
    var own = rowOf(fact);
    if (own >= 0) copyButtons(element(bar, 'span', undefined, 'facets'), own, fact.at);
    element(pane, 'h3', fact ? fact.id : one('th', row).textContent);
    if (fact) {
      if (fact.in) element(pane, 'blockquote', fact.in);
      if (fact.p) element(pane, 'p', fact.p, 'quiet');
      answers(fact);
      keep('#' + fact.at);
    } else {
      element(pane, 'p', 'The page has no room for these answers. Use assay show to see them.', 'note');
    }
    pane.parentElement.classList.add('open');
    pane.scrollTop = 0;
    row.scrollIntoView({ block: 'nearest' });
    if (!keepsFocus) one('button', row).focus({ preventScroll: true });
  };
  var step = function (by) {
    var rows = visible(), at = rows.indexOf(lines[open]) + by;
    if (at >= 0 && at < rows.length) choose(lines.indexOf(rows[at]));
  };
  var close = function () {
    pane.parentElement.classList.remove('open');
    if (open >= 0) one('button', lines[open]).focus();
    open = -1;
    lines.forEach(function (o) { o.removeAttribute('aria-current'); });
    keep('#changes');
  };
  lines.forEach(function (row, i) {
    makeButton(one('th', row)).tabIndex = -1;
    row.addEventListener('click', function () { choose(i); });
  });
  var filterBy = function (kind) {
    kinds.forEach(function (b) { b.setAttribute('aria-pressed', String(b.dataset.change === kind)); });
    // A long list begins with the test cases that changed.
    var isLong = !kind && lines.length > 40;
    lines.forEach(function (row) {
      row.hidden = isLong ? row.dataset.change === 'same' : !!kind && row.dataset.change !== kind;
    });
    list.hidden = isLong && !visible().length;
    var rows = visible();
    if (rows.length) reach(open >= 0 && !lines[open].hidden ? lines[open] : rows[0]);
  };
  kinds.forEach(function (b) {
    b.addEventListener('click', function () {
      filterBy(b.getAttribute('aria-pressed') === 'true' ? '' : b.dataset.change);
    });
  });
  filterBy('');
  one('#changes').addEventListener('keydown', function (e) {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    var by = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[e.key], rows = visible();
    var row = e.target.closest('.changes tbody tr');
    if (e.key === 'Escape' && open >= 0) { e.preventDefault(); close(); }
    if (!by || !row && !pane.contains(e.target)) return;
    e.preventDefault();
    e.stopPropagation();
    if (open >= 0) return step(by);
    var at = Math.min(rows.length - 1, Math.max(0, rows.indexOf(row) + by));
    reach(rows[at]);
    one('button', rows[at]).focus();
  });
  var followCase = function () {
    try {
      var at = decodeURIComponent(location.hash.slice(1));
      var i = facts.findIndex(function (fact) { return fact && fact.at === at; });
      if (i >= 0) {
        if (lines[i].hidden) filterBy(lines[i].dataset.change);
        choose(i);
      }
    } catch (e) {}
  };
  followCase();
  addEventListener('hashchange', followCase);
}
