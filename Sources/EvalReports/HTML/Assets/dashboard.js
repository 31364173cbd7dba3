// Filters the test cases of all suites by suite, tag, state and text. The address of the page keeps
// the filter.
var input = one('#q'), shown = one('#shown'), caseRows = all('.heat tr[data-n]');
var tests = {
  suite: function (row, t) { return row.dataset.n.toLowerCase().indexOf(t) === 0; },
  tag: function (row, t) { return (' ' + (row.dataset.t || '').toLowerCase()).indexOf(' ' + t) >= 0; },
  state: function (row, t) { return row.dataset.s === t; }
};
function filter() {
  var unknown = [], count = 0;
  var terms = (input.value.toLowerCase().match(/\S+/g) || []).map(function (raw) {
    var not = raw[0] === '!', rest = not ? raw.slice(1) : raw, colon = rest.indexOf(':');
    if (colon > 0 && !Object.hasOwn(tests, rest.slice(0, colon))) unknown.push(rest);
    return [not, colon > 0 ? tests[rest.slice(0, colon)] : null, rest.slice(colon + 1)];
  });
  caseRows.forEach(function (row) {
    row.hidden = unknown.length > 0 || !terms.every(function (t) {
      var hit = t[1] ? t[1](row, t[2]) : row.cells[0].textContent.toLowerCase().indexOf(t[2]) >= 0
        || row.dataset.n.toLowerCase().indexOf(t[2]) >= 0;
      return hit !== t[0];
    });
    if (!row.hidden) count++;
  });
  all('.heat tbody').forEach(function (body) {
    body.hidden = !Array.from(body.rows).some(function (r) { return r.dataset.n && !r.hidden; });
  });
  all('.fold').forEach(function (fold) {
    var rows = all('tr[data-n]', fold), some = rows.some(function (r) { return !r.hidden; });
    fold.hidden = terms.length > 0 && !some;
    if (terms.length) fold.open = some;
  });
  shown.className = unknown.length ? 'bad' : 'quiet';
  shown.textContent = unknown.length
    ? 'No such filter: ' + unknown.join(' ') + ' · Filters: '
      + 'suite: tag: state: (broke, fails, flaky, fixed, steady)'
    : count.toLocaleString('en') + ' of ' + Number(shown.dataset.total).toLocaleString('en')
      + ' test cases listed';
}
if (input) {
  var buttons = all('.filters button');
  var changed = function () {
    filter();
    buttons.forEach(function (b) {
      b.setAttribute('aria-pressed', String(input.value === 'state:' + b.dataset.state));
    });
    try {
      history.replaceState(null, '', input.value
        ? '#cases?q=' + encodeURIComponent(input.value) : '#cases');
    } catch (e) {}
  };
  input.addEventListener('input', changed);
  buttons.forEach(function (b) {
    b.addEventListener('click', function () {
      input.value = b.getAttribute('aria-pressed') === 'true' ? '' : 'state:' + b.dataset.state;
      changed();
    });
  });
  var follow = function () {
    var query = /^#cases\?q=(.*)$/.exec(location.hash);
    try { if (query) input.value = decodeURIComponent(query[1]); } catch (e) {}
    filter();
    if (query) one('#cases').scrollIntoView();
  };
  follow();
  addEventListener('hashchange', follow);
}
