// The panel of one attempt. It compares the answer, value by value, with other answers to the same
// test case and repeat: those of other variants, other models and the baseline.
var panel = one('#attempt'), shownValues = 300;
// Lists the values of an answer with their paths. It reads the text itself, because JSON.parse
// rounds numbers. A text that reads like another value is in quotation marks, and so is an unusual
// name.
function flat(text) {
  var found = [], next = 0, tokens;
  try { JSON.parse(text); } catch (e) { return [['$', text]]; }
  tokens = text.match(/"(?:[^"\\]|\\.)*"|[^\s\[\]{}:,"]+|[\[\]{}:,]/g);
  function shown(token) {
    var plain = token[0] === '"' ? JSON.parse(token) : token;
    return plain === token || plain && !/^([-\d"\[{–]|true$|false$|null$)/.test(plain) ? plain
      : JSON.stringify(plain);
  }
  (function walk(path) {
    var token = tokens[next++], isList = token === '[', index = 0, name;
    if (!isList && token !== '{') return found.push([path, shown(token)]);
    if (tokens[next] === (isList ? ']' : '}')) {
      next++;
      return found.push([path, isList ? '[] (empty)' : '{}']);
    }
    do {
      if (isList) { walk(path + '[' + index++ + ']'); continue; }
      name = JSON.parse(tokens[next]);
      next += 2;
      walk(path + (/^[^\s.\[\]"]+$/.test(name) ? '.' + name : '[' + JSON.stringify(name) + ']'));
    } while (tokens[next++] === ',');
  })('$');
  return found;
}
// Quotes a word for a shell by the same rules as the commands that the page contains.
function quoted(text) {
  return /^[A-Za-z0-9\/._+:@%,-][A-Za-z0-9\/._+:@%,#-]*$/.test(text) ? text
    : "'" + text.replace(/'/g, "'\\''") + "'";
}
function address(i) { return data.Q[slice[i]][0] + '/' + data.C[kase[i]] + '#' + rep[i]; }
function command(i) { return 'assay show ' + quoted(address(i)) + ' ' + data.Q[slice[i]][1]; }
// The address of a test case or an attempt, which stays the same if test cases are added. The variant
// and the backend are part of it only if the suite has several.
function addressOf(i) {
  var suite = data.Q[slice[i]][0];
  return suite + '/' + data.C[kase[i]]
    + (data.S[slice[i]] === suite ? '' : '/' + data.V[slice[i]] + '/' + data.B[slice[i]]);
}
function placeOf(i) { return 'attempt=' + addressOf(i) + '/' + rep[i]; }
function attemptAt(place) {
  var parts = place.split('/'), loose = -1;
  for (var i = 0; i < N; i++) {
    if (placeOf(i) === place) return i;
    if (loose < 0 && 'attempt=' + data.Q[slice[i]][0] === parts[0] && data.C[kase[i]] === parts[1]
      && String(rep[i]) === parts[parts.length - 1]) loose = i;
  }
  return loose;
}
function columns(i) {
  var list = [[data.S[slice[i]] + ', ' + words[data.v[i]], data.o ? data.o[i] : -1, i]];
  if (data.p && data.p[i] >= 0) list.push(['baseline', data.p[i], -1]);
  for (var j = 0; j < N && list.length < 7; j++) {
    if (j !== i && kase[j] === kase[i] && rep[j] === rep[i]
      && data.Q[slice[j]][0] === data.Q[slice[i]][0]) {
      list.push([data.S[slice[j]] + ', ' + words[data.v[j]], data.o ? data.o[j] : -1, j]);
    }
  }
  return list;
}
function show(i) {
  var list = columns(i), place = one('#answers'), paths = [], seen = new Set();
  one('#attempt-name').textContent = address(i);
  var facts = one('#attempt-facts');
  facts.textContent = data.S[slice[i]] + ': ' + words[data.v[i]]
    + (why[i] < 0 ? '' : ', ' + data.R[why[i]]) + '; ' + (data.t[i] ?? '–') + ' tokens, ' + (data.m[i] ?? '–') + ' ms. ';
  if (doc.getElementById('a-' + i)) {
    var link = element(facts, 'a', 'Prompt, decisions and trace');
    link.href = '#a-' + i;
    link.addEventListener('click', function () { panel.close(); });
  }
  one('#attempt-input').textContent = data.I[kase[i]]
    || (data.X[kase[i]] === null ? 'The page has no room for the input.' : '');
  copyButtons(one('#attempt-copy'), i, placeOf(i));
  one('#attempt-command').textContent = command(i);
  place.replaceChildren();
  var answers = list.map(function (c) {
    return c[1] < 0 ? null : new Map(flat(data.O[c[1]]));
  });
  answers.forEach(function (answer) {
    if (answer) answer.forEach(function (_, path) {
      if (!seen.has(path)) { seen.add(path); paths.push(path); }
    });
  });
  var table = element(place, 'table', undefined, 'answers');
  element(table, 'caption', 'The answers to this test case and repeat, value by value', 'unseen');
  var head = element(element(table, 'thead'), 'tr'), rest = element(table, 'tbody');
  ['value'].concat(list.map(function (c) { return c[0]; })).forEach(function (name) {
    element(head, 'th', name).scope = 'col';
  });
  // If another answer has an empty array or a single value at a path, this one may have elements there.
  function missing(answer, path) {
    var parts = new Set(), kind;
    answer.forEach(function (_, other) {
      var rest = other.slice(path.length), match = /^(?:\[[^\]]*\]|\.[^.\[]*)/.exec(rest);
      if (!other.indexOf(path) && match) { parts.add(match[0]); kind = kind || rest; }
    });
    return parts.size ? parts.size + (/^\[\d/.test(kind) ? ' element' : ' member')
      + (parts.size === 1 ? '' : 's') : '– absent';
  }
  function differs(path, c) {
    return c > 0 && answers[c] && answers[0] && answers[c].get(path) !== answers[0].get(path);
  }
  paths.slice(0, shownValues).forEach(function (path) {
    var row = element(rest, 'tr');
    var header = element(row, 'th', path, 'mono');
    header.scope = 'row';
    answers.forEach(function (answer, c) {
      var value = answer ? answer.get(path) : undefined;
      element(row, 'td', value === undefined ? (answer ? missing(answer, path) : '') : value,
        differs(path, c) ? 'differs' : '');
    });
  });
  var more = paths.slice(shownValues), others = more.filter(function (path) {
    return answers.some(function (_, c) { return differs(path, c); });
  });
  if (more.length) {
    element(place, 'p', 'The table ends after ' + shownValues + ' values. Of the other '
      + more.length.toLocaleString('en') + ', ' + (others.length
        ? others.length.toLocaleString('en') + ' differ, the first at ' + others[0]
        : 'none differs') + '. Use assay show to see them.', 'note');
  }
  if (answers.some(function (a) { return !a; })) {
    element(place, 'p', 'Some of these answers are empty, or not among the '
      + (data.O || []).length.toLocaleString('en')
      + ' different answers on this page. Use assay show to see them.', 'note');
  }
  if (!panel.open) panel.showModal();
  keep('#' + placeOf(i));
}
panel.addEventListener('close', function () {
  keepFilter();
  draw();
  (one('button[tabindex="0"]', body) || view).focus({ preventScroll: true });
});

// Finds the row of a test case by its address. A link from another page may lack the variant and the
// backend, or name them although this page doesn't.
function caseRow(at) {
  var short = at.split('/').slice(0, 2).join('/'), rows = all('[data-at]');
  var found = function (test) { return rows.find(function (row) { return test(row.dataset.at); }); };
  return found(function (a) { return a === at; })
    || found(function (a) { return a === short || a.startsWith(short + '/'); });
}
// Goes to the filter, attempt or element that the fragment of the page's address names. It opens
// the closed parts of the page around an element. The address of a row or of an attempt in full
// becomes one that stays the same in other runs.
function follow() {
  var hash = location.hash.slice(1), target, attempt = -1;
  try {
    hash = decodeURIComponent(hash);
    var query = /^attempts\?q=(.*)$/.exec(hash);
    if (query) { input.value = query[1]; hash = 'attempts'; }
    target = hash && doc.getElementById(hash);
    if (/^(case|row)=/.test(hash)) target = caseRow(hash.replace(/^row=/, 'case='));
    if (hash.startsWith('attempt=')) attempt = attemptAt(hash);
  } catch (e) {}
  if (target && target.hidden) one('.scroll > button', target.closest('details')).click();
  for (var p = target; p; p = p.parentElement) if (p.tagName === 'DETAILS') p.open = true;
  if (target) target.scrollIntoView();
  if (attempt >= 0) show(attempt);
  var full = /^a-(\d+)$/.exec(hash);
  if (full && +full[1] < N) keep('#' + placeOf(+full[1]));
  else if (/^c-/.test(hash) && target && target.dataset.at) keep('#' + target.dataset.at.replace(/^case=/, 'row='));
}
// In the tables of test cases, the name opens an attempt that failed, or else the first one, and each
// failed repeat opens by itself. A long table shows its first rows until the reader asks for the rest.
var firstOf = new Map();
for (var i = 0; i < N; i++) {
  var own = addressOf(i), isBad = 'fev'.indexOf(data.v[i]) >= 0, known = firstOf.get(own);
  if (known === undefined || isBad && 'fev'.indexOf(data.v[known]) < 0) firstOf.set(own, i);
}
function opener(place, at) {
  var i = attemptAt(at);
  if (i >= 0) makeButton(place, function () { show(i); });
}
all('#cases tr[data-at]').forEach(function (row) {
  var at = row.dataset.at.replace('case=', 'attempt=') + '/';
  var first = firstOf.get(row.dataset.at.replace('case=', ''));
  if (first !== undefined) makeButton(one('th', row), function () { show(first); });
  all('.repeat', row).forEach(function (e) { opener(e, at + e.textContent.slice(1)); });
});
all('#cases table').forEach(function (table) {
  var rest = all('tbody tr', table).slice(20);
  if (rest.length < 5) return;
  var set = function (isShown) {
    rest.forEach(function (row) { row.hidden = !isShown; });
    button.hidden = isShown;
  };
  var button = addButton(table.parentElement, 'Show ' + rest.length + ' more test cases',
    function () { set(true); });
  addEventListener('beforeprint', function () { set(true); });
  set(false);
});
follow();
filter();
addEventListener('hashchange', function () { follow(); filter(); });
