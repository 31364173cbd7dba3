// Draws the grid of test cases from the page's facts. The filter and the buttons choose test cases,
// and the address of the page keeps the choice.
var facts = one('#facts') && JSON.parse(one('#facts').textContent), input = one('#q');
var found = [], drawn = 0, pageOfRows = 150, shown = one('#shown'), grid = one('#cases .heat');
var buttons = all('.filters button');
function keepAddress(hash) { try { history.replaceState(null, '', hash); } catch (e) {} }
function suiteOf(c) { return facts.suites[c.s]; }
function nightName(i) {
  var night = facts.nights[i];
  return !night ? 'then' : night[0] === night[1] ? night[0] : 'run ' + night[0] + ' (' + night[1] + ')';
}
function cellsOf(c) {
  var cells = [];
  for (var i = 0; i < c.n.length; i += 3) {
    for (var j = 0; j < c.n[i + 2]; j++) cells.push([c.n[i], c.n[i + 1]]);
  }
  return cells;
}
function sum(cells) {
  return cells.reduce(function (a, b) { return [a[0] + b[0], a[1] + b[1]]; }, [0, 0]);
}
// Writes a rate as the rest of the page does: 0.0 % and 100.0 % are exact.
function percent(share) {
  if (!share[1]) return '–';
  var value = share[0] / share[1];
  if (share[0] < share[1] && value >= 0.9995) return '> 99.9\u00a0%';
  if (share[0] && value < 0.0005) return '< 0.1\u00a0%';
  return (Math.round(1000 * value) / 10).toFixed(1) + '\u00a0%';
}
function rate(share) { return percent(share) + ' (' + share[0] + ' of ' + share[1] + ')'; }
function describe(cell, i) {
  return nightName(i) + ': ' + (!cell[1] ? 'not run' : cell[1] - cell[0] + ' of ' + cell[1] + ' failed');
}
function shade(cell) {
  var failed = cell[1] - cell[0];
  return !cell[1] ? 'none' : 'heat-' + (failed ? Math.min(5, 1 + Math.floor((5 * failed - 1) / cell[1])) : 0);
}
function changeOf(c) {
  if (!c.c) return '';
  return (c.c[1] * c.c[4] > c.c[3] * c.c[2] ? '▼ worse' : '▲ better') + ' since ' + nightName(c.c[0]);
}
function flips(cells) {
  var states = cells.filter(function (x) { return x[1]; }).map(function (x) { return x[0] === x[1]; });
  return states.filter(function (s, i) { return i && s !== states[i - 1]; }).length;
}
// The texts of a test case in which the filter searches.
function textOf(c) {
  if (c.text === undefined) {
    c.text = [suiteOf(c)[0], c.id, c.t || '', c.v ? JSON.stringify(c.v) : '',
      (c.d || []).map(function (d) { return d[1].filter(function (_, i) { return i % 2; }).join(''); })
        .join(' '), c.b ? c.b[2] : ''].join('\n').toLowerCase();
  }
  return c.text;
}
var tests = {
  suite: function (c, t) { return suiteOf(c)[0].toLowerCase().indexOf(t) === 0; },
  tag: function (c, t) { return (' ' + (c.t || '').toLowerCase()).indexOf(' ' + t) >= 0; },
  state: function (c, t) { return c.k === t; }
};
function filter() {
  var unknown = [];
  var terms = (input.value.toLowerCase().match(/\S+/g) || []).map(function (raw) {
    var not = raw[0] === '!', rest = not ? raw.slice(1) : raw, colon = rest.indexOf(':');
    if (colon > 0 && !Object.hasOwn(tests, rest.slice(0, colon))) unknown.push(rest);
    return [not, colon > 0 ? tests[rest.slice(0, colon)] : null, rest.slice(colon + 1)];
  });
  found = unknown.length ? [] : facts.cases.filter(function (c) {
    return terms.every(function (t) {
      return (t[1] ? t[1](c, t[2]) : textOf(c).indexOf(t[2]) >= 0) !== t[0];
    });
  });
  drawn = 0;
  Array.from(grid.tBodies).forEach(function (body) { body.remove(); });
  grid.setAttribute('aria-rowcount', found.length + 2);
  drawMore();
  shown.className = unknown.length ? 'bad' : 'quiet';
  shown.textContent = unknown.length
    ? 'No such filter: ' + unknown.join(' ') + ' · Filters: '
      + 'suite: tag: state: (broke, fails, flaky, fixed, steady)'
    : found.length.toLocaleString('en') + ' of ' + facts.cases.length.toLocaleString('en')
      + ' test cases';
  buttons.forEach(function (b) {
    b.setAttribute('aria-pressed', String(input.value === 'state:' + b.dataset.state));
  });
}
function drawMore() {
  var end = Math.min(found.length, drawn + pageOfRows), body = grid.tBodies[grid.tBodies.length - 1];
  for (; drawn < end; drawn++) {
    var c = found[drawn];
    if (!body || !drawn || found[drawn - 1].s !== c.s) {
      body = element(grid, 'tbody');
      var head = element(element(body, 'tr', undefined, 'group'), 'th'), suite = suiteOf(c);
      head.scope = 'rowgroup';
      head.colSpan = facts.nights.length + 5;
      var stay = element(head, 'span', suite[0], 'stay');
      if (suite[4]) element(stay, 'span', ' ▼ worse since ' + suite[4], 'bad');
    }
    drawRow(body, c, drawn);
  }
  one('#more').hidden = drawn >= found.length;
}
function drawRow(body, c, number) {
  var row = element(body, 'tr'), cells = cellsOf(c), newest = cells[cells.length - 1], change = changeOf(c);
  row.dataset.at = c.at;
  row.setAttribute('aria-rowindex', number + 3);
  var name = element(row, 'th', undefined, 'nowrap');
  name.scope = 'row';
  // A button must have a name, even if a hostile id is only white space.
  var label = c.id.trim() || '(no name)';
  addButton(name, label.length > 60 ? label.slice(0, 59) + '…' : label, function () {
    openCase(c);
  }).tabIndex = -1;
  cells.forEach(function (cell, i) {
    var failed = cell[1] - cell[0];
    var td = element(row, 'td', cell[1] ? failed || '' : facts.nights[i] ? '·' : '',
      shade(cell) + (i === cells.length - 1 ? ' newest' : ''));
    td.title = describe(cell, i);
  });
  element(row, 'td', newest[1] ? newest[0] + '/' + newest[1] : 'not run', 'number extra');
  element(row, 'td', percent(sum(cells)), 'number extra');
  element(row, 'td', flips(cells), 'number faint extra');
  // The heading of the suite already says since when most of its test cases are worse.
  var known = suiteOf(c)[4] && change === '▼ worse since ' + suiteOf(c)[4];
  element(element(row, 'td', undefined, 'extra nowrap'), 'span', known ? '▼ worse' : change,
    change[0] === '▼' ? 'bad' : 'good');
}
// The panel of a test case.
var panel = one('#case'), current;
function reportLink(parent, c, i, text) {
  var night = facts.nights[i];
  if (!night || night[2] === null) return element(parent, 'span', text);
  var a = element(parent, 'a', text);
  a.href = night[2] + '/report.html#' + encodeURIComponent(c.at);
  return a;
}
function answers(parent, c) {
  if (!c.g && !c.b) {
    element(parent, 'p', 'This page holds no answers to this test case; the reports of its nights do.', 'note');
    return;
  }
  var table = element(parent, 'table', undefined, 'answers');
  element(table, 'caption', 'The last good and the first bad answer, value by value', 'unseen');
  var head = element(element(table, 'thead'), 'tr'), rest = element(table, 'tbody');
  [[null, 'value'], [c.g, 'last good answer'], [c.b, 'first bad answer']].forEach(function (h) {
    if (h[0] === undefined) return;
    var th = element(head, 'th', h[0] ? h[1] + ', ' : h[1]);
    th.scope = 'col';
    if (!h[0]) return;
    reportLink(th, c, h[0][0], nightName(h[0][0]) + ', repeat ' + h[0][1]);
    if (h[0][2]) quoting(element(th, 'span', '', 'below'), h[0][2]);
  });
  c.d.forEach(function (value) {
    var row = element(rest, 'tr');
    element(row, 'th', value[0], 'mono').scope = 'row';
    if (c.g) side(element(row, 'td'), value, 1, 'b');
    if (c.b) side(element(row, 'td'), value, 2, 'a');
  });
  if (c.m) element(parent, 'p', c.m + ' more values are in the reports.', 'note');
}
function inputText(v) {
  var names = Object.keys(v), text = function (x) { return typeof x === 'string' ? x : JSON.stringify(x); };
  return names.length === 1 ? text(v[names[0]])
    : names.map(function (n) { return n + ': ' + text(v[n]); }).join('\n');
}
function asJSON(c) {
  return exact({ suite: suiteOf(c)[1], variant: suiteOf(c)[2], backend: suiteOf(c)[3], id: c.id,
    tags: (c.t || '').split(' ').filter(Boolean), state: c.k, input: c.e ? c.v : null,
    nights: cellsOf(c).map(function (cell, i) {
      var night = facts.nights[i];
      return night && { name: night[0], date: night[1], passed: cell[0], made: cell[1] };
    }).filter(Boolean) });
}
function asTestCase(c) {
  var own = { id: c.id };
  if (c.t) own.tags = c.t.split(' ').filter(Boolean);
  Object.keys(c.v).forEach(function (name) {
    if (name !== 'id' && name !== 'tags' && name.indexOf('env.')) own[name] = c.v[name];
  });
  return exact(own);
}
function openCase(c) {
  var body = one('#case-body'), cells = cellsOf(c), recent = cells.slice(-14), bar;
  current = c;
  one('#case-name').textContent = suiteOf(c)[0] + ' / ' + c.id;
  body.replaceChildren();
  bar = element(body, 'p', undefined, 'pane-bar');
  [['previous', function () { step(-1); }], ['next', function () { step(1); }],
    ['copy link', function (b) { copy(location.href.split('#')[0] + '#' + encodeURI(c.at), b); }],
    ['copy JSON', function (b) { copy(asJSON(c), b); }],
    ['copy as test case', c.e && function (b) { copy(asTestCase(c), b); }]].forEach(function (a) {
    if (a[1]) addButton(bar, a[0], a[1]);
  });
  var state = buttons.find(function (b) { return b.dataset.state === c.k; });
  element(body, 'p', (state ? state.textContent.replace(/^[\d,]+ /, '') : c.k)
    + (c.t ? ' · tags: ' + c.t : ''), 'quiet');
  element(body, 'p', 'Passing: ' + rate(cells[cells.length - 1]) + ' on the newest night, '
    + rate(sum(recent)) + ' in the last ' + recent.length + ' nights, ' + rate(sum(cells)) + ' in all '
    + cells.length + ' shown.');
  if (c.c) {
    element(body, 'p', changeOf(c) + ': ' + rate(c.c.slice(3, 5)) + ' since then, ' + rate(c.c.slice(1, 3))
      + ' before' + (c.c[5] === undefined ? '' : '; over since ' + nightName(c.c[5])) + '.');
  }
  var strip = element(body, 'p', undefined, 'strip');
  cells.forEach(function (cell, i) {
    if (!facts.nights[i]) return;
    var night = reportLink(strip, c, i, cell[1] ? String(cell[1] - cell[0] || '') : '·');
    night.className = shade(cell);
    night.title = describe(cell, i);
    if (night.tagName === 'A') night.setAttribute('aria-label', describe(cell, i));
  });
  if (c.v) element(body, 'blockquote', inputText(c.v));
  answers(body, c);
  if (!panel.open) panel.showModal();
  panel.scrollTop = 0;
  keepAddress('#' + encodeURI(c.at));
}
function step(by) {
  var next = found[found.indexOf(current) + by];
  if (!next) return;
  openCase(next);
  all('.pane-bar button', panel)[by < 0 ? 0 : 1].focus();
}
if (facts && input) {
  var changed = function () {
    filter();
    keepAddress(input.value ? '#cases?q=' + encodeURIComponent(input.value) : '#cases');
  };
  var first = function () { return one('tr[data-at] button', grid); };
  all('.static').forEach(function (e) { e.hidden = true; });
  input.addEventListener('input', changed);
  input.addEventListener('keydown', function (e) {
    if (e.key === 'Enter' && first()) { e.preventDefault(); first().focus(); }
  });
  buttons.forEach(function (b) {
    b.addEventListener('click', function () {
      input.value = b.getAttribute('aria-pressed') === 'true' ? '' : 'state:' + b.dataset.state;
      changed();
    });
  });
  one('#more').addEventListener('click', function () {
    var next = drawn;
    drawMore();
    one('tr[aria-rowindex="' + (next + 3) + '"] button', grid).focus();
  });
  one('#csv').addEventListener('click', function () {
    saveCSV('test-cases.csv', [['suite', 'test case', 'tags', 'state', 'newest passed', 'newest made',
      'passed', 'made', 'flips', 'change']].concat(found.map(function (c) {
      var cells = cellsOf(c), all = sum(cells), newest = cells[cells.length - 1];
      return [suiteOf(c)[0], c.id, c.t || '', c.k, newest[0], newest[1], all[0], all[1], flips(cells),
        changeOf(c)];
    })));
  });
  panel.addEventListener('keydown', function (e) {
    var by = { j: 1, ArrowRight: 1, k: -1, ArrowLeft: -1 }[e.key];
    if (!by || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    step(by);
  });
  panel.addEventListener('close', function () {
    keepAddress(input.value ? '#cases?q=' + encodeURIComponent(input.value) : '#cases');
    var row = all('tr[data-at]', grid).find(function (r) { return r.dataset.at === current.at; });
    if (row) one('button', row).focus();
  });
  var follow = function () {
    var hash = location.hash.slice(1), query = /^cases\?q=(.*)$/.exec(hash);
    try {
      hash = decodeURIComponent(hash);
      if (query) input.value = decodeURIComponent(query[1]);
    } catch (e) {}
    filter();
    if (query) one('#cases').scrollIntoView();
    var c = hash.indexOf('case=') === 0 && facts.cases.find(function (c) {
      return c.at === hash || c.at.indexOf(hash + '/') === 0;
    });
    if (c) openCase(c);
  };
  follow();
  addEventListener('hashchange', follow);
}
