// The table of all attempts. The page stores the attempts as columns, and this script creates
// elements only for the rows in view. Readers can filter and sort the rows.
var data = JSON.parse(one('#rows').textContent), view = one('#window'), input = one('#q');
var shown = one('#shown'), body = one('tbody', view), height = 26, N = data.v.length;
var words = { p: '✓ pass', f: '✗ fail', e: '✗ error', v: '∅ vacuous', s: '– skipped' };
var slice = new Int32Array(N), kase = new Int32Array(N), rep = new Int32Array(N);
var why = new Int32Array(N).fill(-1), block = new Int32Array(N), at = 0, bad = 0;
data.b.forEach(function (b, n) {
  for (var i = 0; i < b[2]; i++, at++) {
    slice[at] = b[0]; kase[at] = b[1]; rep[at] = b[3] ? b[3][i] : i; block[at] = n;
  }
});
for (var n = 0; n < N; n++) if ('fev'.indexOf(data.v[n]) >= 0) why[n] = data.r[bad++];
var lowS = data.S.map(lower), lowC = data.C.map(lower), lowR = data.R.map(lower);
var lowV = data.V.map(lower), lowM = data.M.map(lower), lowT = data.T.map(lower);
var lowW = data.W.map(lower), lowI = data.I.map(lower), lowO = (data.O || []).map(lower);
var noInputs = data.I.filter(function (t, n) { return !t && data.X[n] === null; }).length;
var noAnswers = data.o ? data.o.filter(function (o) { return o < 0; }).length : N;
function lower(s) { return s.toLowerCase(); }
function compare(value, text) {
  var m = /^([<>]?=?)(\d+(?:\.\d+)?)$/.exec(text);
  if (!m || value === null) return false;
  var z = +m[2];
  return m[1] === '<' ? value < z : m[1] === '<=' ? value <= z : m[1] === '>' ? value > z
    : m[1] === '>=' ? value >= z : value === z;
}
var directions = { broken: 'b', fixed: 'f', same: 's' };
var states = { pass: 'p', fail: 'fv', error: 'e', vacuous: 'v', skipped: 's' };
var tests = {
  suite: function (i, t) { return lowS[slice[i]].indexOf(t) === 0; },
  variant: function (i, t) { return lowV[slice[i]].indexOf(t) === 0; },
  model: function (i, t) { return lowM[slice[i]].indexOf(t) >= 0; },
  case: function (i, t) { return lowC[kase[i]].indexOf(t) >= 0; },
  tag: function (i, t) {
    return (' ' + lowT[kase[i]] + ' ' + lowW[slice[i]] + ' ').indexOf(' ' + t) >= 0;
  },
  input: function (i, t) { return lowI[kase[i]].indexOf(t) >= 0; },
  answer: function (i, t) { return !!data.o && data.o[i] >= 0 && lowO[data.o[i]].indexOf(t) >= 0; },
  why: function (i, t) { return why[i] >= 0 && lowR[why[i]].indexOf(t) >= 0; },
  is: function (i, t) { return (states[t] || '').indexOf(data.v[i]) >= 0 && !!states[t]; },
  change: function (i, t) { return !!data.D && data.D[block[i]] === directions[t]; },
  ms: function (i, t) { return compare(data.m[i], t); },
  len: function (i, t) { return !!data.l && data.l[i] >= 0 && compare(data.l[i], t); },
  branch: function (i, t) {
    return !!data.g && data.g[i] >= 0 && lower(data.G[data.g[i]]).indexOf(t) >= 0;
  },
  tok: function (i, t) { return compare(data.t[i], t); },
  repeat: function (i, t) { return compare(rep[i], t); }
};
function split(text) { return text.match(/!?(?:[a-z]+:)?"[^"]*"?|\S+/gi) || []; }
function parse(text) {
  var terms = [], unknown = [];
  split(text).forEach(function (raw) {
    var not = raw[0] === '!', rest = not ? raw.slice(1) : raw;
    var colon = rest[0] === '"' ? -1 : rest.indexOf(':'), key = rest.slice(0, colon);
    var value = (colon < 0 ? rest : rest.slice(colon + 1)).replace(/"/g, '');
    if (colon > 0 && !Object.hasOwn(tests, key)) unknown.push(key + ':');
    else if (key === 'is' && value && !Object.hasOwn(states, value)) unknown.push('is:' + value);
    else if (key === 'change' && value && !Object.hasOwn(directions, value)) unknown.push('change:' + value);
    else if (value) terms.push([not, colon > 0 ? tests[key] : null, value, key]);
  });
  return [terms, unknown];
}

// If the filter has an unknown key or outcome, the table shows no rows, and a message lists the
// known keys.
var rows = [], order = -1, isUp = true;
function filter() {
  var parsed = parse(lower(input.value)), terms = parsed[0], unknown = parsed[1];
  rows = [];
  facets.forEach(function (f) { f.counts.clear(); });
  for (var i = 0; i < N && !unknown.length; i++) {
    var missed = terms.filter(function (t) {
      var hit = t[1] ? t[1](i, t[2]) : lowC[kase[i]].indexOf(t[2]) >= 0
        || lowS[slice[i]].indexOf(t[2]) >= 0 || (why[i] >= 0 && lowR[why[i]].indexOf(t[2]) >= 0)
        || tests.input(i, t[2]) || tests.answer(i, t[2]);
      return hit === t[0];
    });
    if (!missed.length) rows.push(i);
    // A choice replaces the other terms with its key, so its count ignores them.
    facets.forEach(function (f) {
      if (missed.every(function (t) { return t[3] === f.key && f.key !== 'tag'; })) f.count(i);
    });
  }
  sort();
  view.scrollTop = 0;
  input.setAttribute('aria-invalid', unknown.length ? 'true' : 'false');
  shown.className = unknown.length ? 'bad' : 'quiet';
  shown.textContent = unknown.length
    ? 'No such filter: ' + unknown.join(' ') + ' · Filters: ' + Object.keys(tests).join(': ') + ':'
    : rows.length.toLocaleString('en') + ' of ' + N.toLocaleString('en') + ' attempts'
      + (terms.length && noAnswers ? '; ' + noAnswers.toLocaleString('en')
        + ' have no answer on this page, so a search can’t find them by it' : '')
      + (terms.length && noInputs ? '; the page has no room for the inputs of '
        + noInputs.toLocaleString('en') + ' test cases' : '');
  var tokens = split(lower(input.value));
  choices.forEach(function (choice) {
    choice[0].setAttribute('aria-pressed', String(tokens.indexOf(choice[1]) >= 0));
    choice[0].textContent = (choice[3].counts.get(choice[2]) || 0).toLocaleString('en') + ' ' + choice[2];
  });
  draw();
}
// The buttons above the table put a term into the filter, or take it out. They show how many attempts
// have the property, of those that the rest of the filter finds.
var choices = [], facets = [];
function toggle(key, text) {
  var list = split(input.value), is = function (t) { return lower(t) === lower(text); };
  var has = list.some(is);
  list = list.filter(function (t) {
    return has ? !is(t) : key === 'tag' || lower(t).indexOf(key + ':') !== 0;
  });
  input.value = (has ? list : list.concat(text)).join(' ');
  input.dispatchEvent(new Event('input'));
}
function facet(label, key, valuesOf) {
  var counts = new Map(), own = { key: key, counts: counts };
  own.count = function (i) {
    valuesOf(i).forEach(function (v) { if (v) counts.set(v, (counts.get(v) || 0) + 1); });
  };
  for (var i = 0; i < N; i++) own.count(i);
  var values = Array.from(counts);
  if (!values.length || values.length === 1 && values[0][1] === N) return;
  values.sort(function (a, b) { return b[1] - a[1]; });
  facets.push(own);
  var line = element(one('#facets'), 'p');
  element(line, 'span', label, 'faint');
  values.slice(0, 10).forEach(function (v) {
    // The filter has no way to write a quotation mark, so a term ends before it.
    var value = v[0].split('"')[0], text = key + ':' + (/\s/.test(value) ? '"' + value + '"' : value);
    var button = addButton(line, '', function () { toggle(key, text); });
    button.title = v[0];
    choices.push([button, lower(text), v[0], own]);
  });
  if (values.length > 10) element(line, 'span', 'and ' + (values.length - 10) + ' more', 'faint');
}
element(one('#facets'), 'p', 'The numbers count attempts, and follow the rest of the filter.', 'faint');
facet('outcome', 'is', function (i) {
  return [words[data.v[i]].slice(2)];
});
facet('change', 'change', function (i) {
  return data.D ? [{ b: 'broken', f: 'fixed', s: 'same' }[data.D[block[i]]]] : [];
});
facet('suite', 'suite', function (i) { return [data.S[slice[i]]]; });
facet('tag', 'tag', function (i) {
  return (data.T[kase[i]] + ' ' + data.W[slice[i]]).split(' ').filter(function (t, n, all) {
    return all.indexOf(t) === n;
  });
});
facet('reason', 'why', function (i) { return why[i] < 0 ? [] : [data.R[why[i]]]; });
var keys = [
  i => data.S[slice[i]], i => data.C[kase[i]], i => rep[i], i => 'efvsp'.indexOf(data.v[i]),
  i => why[i] < 0 ? '' : data.R[why[i]], i => data.t[i], i => data.m[i]
];
function sort() {
  if (order < 0) return;
  var values = rows.map(keys[order]), places = rows.map(function (_, i) { return i; });
  places.sort(function (a, b) {
    var x = values[a], y = values[b];
    return (x < y ? -1 : x > y ? 1 : a - b) * (isUp || x === y ? 1 : -1);
  });
  rows = places.map(function (i) { return rows[i]; });
}
all('th', view).forEach(function (th, column) {
  th.setAttribute('aria-sort', 'none');
  makeButton(th, function () {
    isUp = order === column ? !isUp : true;
    order = column;
    all('th', view).forEach(function (o) { o.setAttribute('aria-sort', 'none'); });
    th.setAttribute('aria-sort', isUp ? 'ascending' : 'descending');
    sort();
    draw();
  });
});
function cell(row, text, name) {
  var td = element(row, 'td', text, name);
  td.title = text;
  return td;
}
function pad(part, count) {
  var row = element(part, 'tr', undefined, 'pad');
  row.style.height = count * height + 'px';
  element(row, 'td').colSpan = 7;
  row.setAttribute('aria-hidden', 'true');
}
// The Tab key stops once at the table. The arrow keys, Page Up, Page Down, Home and End move to
// other rows, and Enter opens the attempt. Only the rows in view exist, so the script keeps the
// number of the row that has the focus, and gives its new element the focus again.
var focused = 0;
function draw() {
  var hadFocus = body.contains(doc.activeElement);
  var first = Math.max(0, Math.floor(view.scrollTop / height) - 6);
  var last = Math.min(rows.length, first + 30), part = doc.createDocumentFragment();
  focused = Math.max(0, Math.min(focused, rows.length - 1));
  pad(part, first);
  for (var i = first; i < last; i++) {
    var a = rows[i], row = element(part, 'tr'), v = data.v[a];
    var id = data.C[kase[a]].trim() || '(no name)';
    row.dataset.n = a;
    row.setAttribute('aria-rowindex', i + 2);
    cell(row, data.S[slice[a]]);
    addButton(cell(row, '', 'mono'), id).tabIndex = i === focused ? 0 : -1;
    cell(row, rep[a], 'number');
    cell(row, words[v], 'ps'.indexOf(v) < 0 ? 'bad' : 'faint');
    cell(row, why[a] < 0 ? '' : data.R[why[a]]);
    cell(row, data.t[a] ?? '–', 'number');
    cell(row, data.m[a] ?? '–', 'number');
  }
  pad(part, rows.length - last);
  body.replaceChildren(part);
  one('table', view).setAttribute('aria-rowcount', rows.length + 1);
  if (hadFocus) (one('button[tabindex="0"]', body) || view).focus({ preventScroll: true });
}
function move(to) {
  focused = Math.max(0, Math.min(to, rows.length - 1));
  var top = focused * height, room = view.clientHeight - height - one('thead', view).offsetHeight;
  view.scrollTop = Math.min(top, Math.max(view.scrollTop, top - room));
  draw();
  (one('button[tabindex="0"]', body) || view).focus({ preventScroll: true });
}
view.addEventListener('keydown', function (e) {
  if (e.ctrlKey || e.metaKey || e.altKey || one('thead', view).contains(e.target)) return;
  var isRow = body.contains(e.target);
  var to = { ArrowDown: focused + (isRow ? 1 : 0), ArrowUp: focused - 1, PageDown: focused + 10,
    PageUp: focused - 10, Home: 0, End: rows.length - 1 }[e.key];
  if (to === undefined) return;
  e.preventDefault();
  move(to);
});
view.addEventListener('scroll', function () { requestAnimationFrame(draw); });
body.addEventListener('click', function (e) {
  var row = e.target.closest('tr');
  if (!row || !row.dataset.n) return;
  focused = rows.indexOf(+row.dataset.n);
  show(+row.dataset.n);
});
input.addEventListener('keydown', function (e) {
  if (e.key === 'Enter') { e.preventDefault(); move(0); }
});
input.addEventListener('input', function () {
  focused = 0;
  filter();
  keepFilter();
});
function keepFilter() {
  keep(input.value ? '#attempts?q=' + input.value : '#attempts');
}
function keep(hash) { try { history.replaceState(null, '', encodeURI(hash)); } catch (e) {} }
