/// The page's script; its hash stands in the content-security policy.
///
/// The page is complete without it. It adds a theme choice, sorting, the window over all attempts
/// with its filter, and keys. It never builds markup from text: every cell is `textContent`.
enum PageScript {
  static let text: StaticString = #"""
    (function () {
    'use strict';
    var doc = document, one = function (s, r) { return (r || doc).querySelector(s); };
    var all = function (s, r) { return Array.from((r || doc).querySelectorAll(s)); };
    all('.js').forEach(function (e) { e.hidden = false; });

    // Theme: automatic, light or dark; kept where storage is allowed.
    var theme = one('#theme'), root = doc.documentElement;
    function setTheme(v) {
      if (v === 'auto') root.removeAttribute('data-theme'); else root.setAttribute('data-theme', v);
    }
    try {
      var kept = localStorage.getItem('assay-theme');
      if (kept === 'light' || kept === 'dark') { theme.value = kept; setTheme(kept); }
    } catch (e) {}
    theme.addEventListener('change', function () {
      setTheme(theme.value);
      try { localStorage.setItem('assay-theme', theme.value); } catch (e) {}
    });

    // Tables that can be sorted: each sortable header gets a real button.
    all('th[aria-sort]').forEach(function (th) {
      var button = doc.createElement('button');
      button.type = 'button';
      button.textContent = th.textContent;
      th.textContent = '';
      th.appendChild(button);
      button.addEventListener('click', function () {
        var table = th.closest('table'), body = table.tBodies[0], column = th.cellIndex;
        var up = th.getAttribute('aria-sort') === 'descending';
        all('th[aria-sort]', table).forEach(function (o) { o.setAttribute('aria-sort', 'none'); });
        th.setAttribute('aria-sort', up ? 'ascending' : 'descending');
        var key = function (row) {
          var c = row.cells[column], v = c.dataset.v === undefined ? c.textContent : c.dataset.v;
          return v !== '' && isFinite(v) ? +v : v;
        };
        Array.from(body.rows).sort(function (a, b) {
          var x = key(a), y = key(b);
          var order = typeof x === 'number' && typeof y === 'number'
            ? x - y : String(x).localeCompare(String(y));
          return up ? order : -order;
        }).forEach(function (row) { body.appendChild(row); });
      });
    });

    // Grids of cases are one stop of the Tab key: arrows move, Enter or a click opens the case; by
    // nights, the cell under the pointer or the focus is read out below.
    all('.heat').forEach(function (table) {
      var read = one('#read'), heads = table.tHead.rows[table.tHead.rows.length - 1].cells;
      var rows = Array.from(table.rows).map(function (row) {
        return all('td.z,td[class^=h]', row);
      }).filter(function (cells) { return cells.length; }), r = 0, c = -1;
      all('a', table).forEach(function (a) { a.tabIndex = -1; });
      function tell(e) {
        var td = e.target.closest('td.z,td[class^=h]');
        if (!td || !read || table.classList.contains('mx')) return;
        read.textContent = td.parentElement.cells[0].textContent + ', '
          + heads[td.cellIndex].textContent + ': ' + (td.classList.contains('z') ? 'not run'
          : (td.textContent || '0') + ' did not pass');
      }
      table.addEventListener('mouseover', tell);
      table.addEventListener('focusin', tell);
      function open(td) {
        var a = one('a', td) || one('th a', td.parentElement);
        if (a) a.click();
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

    // All attempts: columns of data, a window of live rows.
    var data = JSON.parse(one('#rows').textContent), view = one('#vt'), input = one('#q');
    var shown = one('#shown'), body = one('tbody', view), height = 24, N = data.v.length;
    var words = { p: '✓ pass', f: '✗ fail', e: '✗ error', v: '∅ vacuous', s: '– skipped' };
    var slice = new Int32Array(N), kase = new Int32Array(N), rep = new Int32Array(N);
    var why = new Int32Array(N).fill(-1), at = 0, bad = 0;
    data.b.forEach(function (b) {
      for (var i = 0; i < b[2]; i++, at++) {
        slice[at] = b[0]; kase[at] = b[1]; rep[at] = b[3] ? b[3][i] : i;
      }
    });
    for (var n = 0; n < N; n++) if ('fev'.indexOf(data.v[n]) >= 0) why[n] = data.r[bad++];
    var lowS = data.S.map(lower), lowC = data.C.map(lower), lowR = data.R.map(lower);
    function lower(s) { return s.toLowerCase(); }
    function compare(value, text) {
      var m = /^([<>]?=?)(\d+(?:\.\d+)?)$/.exec(text);
      if (!m) return false;
      var z = +m[2];
      return m[1] === '<' ? value < z : m[1] === '<=' ? value <= z : m[1] === '>' ? value > z
        : m[1] === '>=' ? value >= z : value === z;
    }
    var states = { pass: 'p', fail: 'fv', error: 'e', vacuous: 'v', skipped: 's' };
    var tests = {
      suite: function (i, t) { return lowS[slice[i]].indexOf(t) === 0; },
      case: function (i, t) { return lowC[kase[i]].indexOf(t) >= 0; },
      why: function (i, t) { return why[i] >= 0 && lowR[why[i]].indexOf(t) >= 0; },
      is: function (i, t) { return (states[t] || '').indexOf(data.v[i]) >= 0 && !!states[t]; },
      ms: function (i, t) { return compare(data.m[i], t); },
      len: function (i, t) { return !!data.l && data.l[i] >= 0 && compare(data.l[i], t); },
      branch: function (i, t) {
        return !!data.g && data.g[i] >= 0 && lower(data.G[data.g[i]]).indexOf(t) >= 0;
      },
      tok: function (i, t) { return compare(data.t[i], t); },
      repeat: function (i, t) { return compare(rep[i], t); }
    };
    function parse(text) {
      var terms = [], unknown = [];
      (text.match(/!?(?:[a-z]+:)?"[^"]*"?|\S+/g) || []).forEach(function (raw) {
        var not = raw[0] === '!', rest = not ? raw.slice(1) : raw;
        var colon = rest[0] === '"' ? -1 : rest.indexOf(':'), key = rest.slice(0, colon);
        var value = (colon < 0 ? rest : rest.slice(colon + 1)).replace(/"/g, '');
        if (colon > 0 && !Object.hasOwn(tests, key)) { unknown.push(key + ':'); return; }
        if (value) terms.push([not, colon > 0 ? tests[key] : null, value]);
      });
      return [terms, unknown];
    }
    var rows = [];
    function filter() {
      var parsed = parse(lower(input.value)), terms = parsed[0];
      rows = [];
      for (var i = 0; i < N; i++) {
        if (terms.every(function (t) {
          var hit = t[1] ? t[1](i, t[2]) : lowC[kase[i]].indexOf(t[2]) >= 0
            || lowS[slice[i]].indexOf(t[2]) >= 0 || (why[i] >= 0 && lowR[why[i]].indexOf(t[2]) >= 0);
          return hit !== t[0];
        })) rows.push(i);
      }
      view.scrollTop = 0;
      shown.textContent = rows.length.toLocaleString('en') + ' of ' + N.toLocaleString('en')
        + ' attempts' + (parsed[1].length ? '; unknown: ' + parsed[1].join(' ') : '');
      draw();
    }
    function cell(row, text, name) {
      var td = doc.createElement('td');
      td.textContent = text;
      if (name) td.className = name;
      row.appendChild(td);
    }
    function pad(count) {
      var row = doc.createElement('tr'), td = doc.createElement('td');
      row.className = 'pad'; row.style.height = count * height + 'px';
      td.colSpan = 7; row.appendChild(td);
      row.setAttribute('aria-hidden', 'true');
      return row;
    }
    function draw() {
      var first = Math.max(0, Math.floor(view.scrollTop / height) - 6);
      var last = Math.min(rows.length, first + 30), part = doc.createDocumentFragment();
      part.appendChild(pad(first));
      for (var i = first; i < last; i++) {
        var a = rows[i], row = doc.createElement('tr'), v = data.v[a];
        cell(row, data.S[slice[a]]);
        cell(row, data.C[kase[a]], 'm');
        cell(row, rep[a], 'n');
        cell(row, words[v], v === 'p' || v === 's' ? 'dim' : 'bad');
        cell(row, why[a] < 0 ? '' : data.R[why[a]]);
        cell(row, data.t[a], 'n');
        cell(row, data.m[a], 'n');
        part.appendChild(row);
      }
      part.appendChild(pad(rows.length - last));
      body.replaceChildren(part);
    }
    view.addEventListener('scroll', function () { requestAnimationFrame(draw); });
    input.addEventListener('input', function () {
      filter();
      try {
        history.replaceState(null, '', input.value
          ? '#attempts?q=' + encodeURIComponent(input.value) : '#attempts');
      } catch (e) {}
    });

    // Fragments: a filter, or something inside a closed part of the page.
    function follow() {
      var hash = location.hash.slice(1), query = /^attempts\?q=(.*)$/.exec(hash), target;
      try {
        if (query) { input.value = decodeURIComponent(query[1]); hash = 'attempts'; }
        target = hash && doc.getElementById(decodeURIComponent(hash));
      } catch (e) {}
      for (var p = target; p; p = p.parentElement) if (p.tagName === 'DETAILS') p.open = true;
      if (target) target.scrollIntoView();
    }
    follow();
    filter();
    addEventListener('hashchange', function () { follow(); filter(); });

    // Keys, off while typing and with modifiers.
    var help = one('#keys'), groups = all('#failures > details'), current = -1;
    function go(i) {
      if (i < 0 || i >= groups.length) return;
      current = i;
      groups[i].open = true;
      one('summary', groups[i]).focus();
      groups[i].scrollIntoView({ block: 'start' });
    }
    doc.addEventListener('keydown', function (e) {
      if (/INPUT|SELECT|TEXTAREA/.test(e.target.tagName)) {
        if (e.key === 'Escape') e.target.blur();
        return;
      }
      if (e.ctrlKey || e.metaKey || e.altKey) return;
      if (e.key === '/') { e.preventDefault(); input.focus(); view.scrollIntoView({ block: 'center' }); }
      else if (e.key === 'j') go(current + 1);
      else if (e.key === 'k') go(current - 1);
      else if (e.key === 'g') scrollTo(0, 0);
      else if (e.key === '?') help.showModal();
    });
    one('#help').addEventListener('click', function () { help.showModal(); });

    // On paper every drill-down is open.
    addEventListener('beforeprint', function () {
      all('details').forEach(function (d) { d.dataset.was = d.open ? '1' : ''; d.open = true; });
    });
    addEventListener('afterprint', function () {
      all('details').forEach(function (d) { d.open = !!d.dataset.was; });
    });
    })();
    """#
}
