// Copies texts: the commands of the page and, from the table of attempts and the list of inputs, a
// test case, an attempt as JSON, or a link.
function copyButton(parent, label, text) {
  addButton(parent, label, function (button) { copy(text(), button); });
}
all('code.command').forEach(function (code) {
  var button = addButton(code.parentElement, 'copy', function () {
    copy(code.textContent, button, code);
  }, 'copy');
  button.setAttribute('aria-label', 'Copy the command');
  code.after(button);
});
// The variables of an attempt's test case, or null if the page lacks them.
function variables(i) {
  var x = data.X[kase[i]], own = {};
  if (typeof x === 'number') own[data.K[x]] = data.I[kase[i]];
  return typeof x === 'number' ? own : x || null;
}
// The test case as YAML for the list of a suite's cases or, if the page lacks the whole input, the
// command that adds it.
function testCase(i) {
  var own = variables(i), tags = data.T[kase[i]];
  var lines = ['# ' + address(i) + ' of run ' + data.N];
  if (!own) {
    return 'assay case add ' + quoted(data.Q[slice[i]][0]) + ' --from '
      + quoted('run:' + data.N + '/' + address(i));
  }
  lines.push('- id: ' + exact(data.C[kase[i]]));
  if (tags) lines.push('  tags: ' + exact(tags.split(' ')));
  Object.keys(own).forEach(function (name) {
    if (name !== 'id' && name !== 'tags') lines.push('  ' + (/^[A-Za-z_]\w*$/.test(name) ? name : exact(name)) + ': ' + exact(own[name]));
  });
  return lines.join('\n') + '\n';
}
function attemptJSON(i) {
  return exact({
    run: data.N, suite: data.Q[slice[i]][0], case: data.C[kase[i]], variant: data.V[slice[i]],
    backend: data.B[slice[i]], repeat: rep[i], outcome: words[data.v[i]].slice(2),
    reason: why[i] < 0 ? null : data.R[why[i]], outputTokens: data.t[i], milliseconds: data.m[i],
    input: variables(i), answer: data.o && data.o[i] >= 0 ? data.O[data.o[i]] : null
  });
}
function link(place) { return location.href.split('#')[0] + '#' + encodeURI(place); }
function copyButtons(parent, i, place) {
  parent.replaceChildren();
  copyButton(parent, 'copy link', function () { return link(place); });
  if (data.X[kase[i]] !== false) {
    copyButton(parent, variables(i) ? 'copy as test case' : 'copy the command that adds this test case',
      function () { return testCase(i); });
  }
  copyButton(parent, 'copy as JSON', function () { return attemptJSON(i); });
}
// The rows of the table as CSV.
one('#csv').addEventListener('click', function () {
  saveCSV('attempts-of-run-' + data.N + '.csv', [['suite', 'variant', 'backend', 'case', 'repeat',
    'outcome', 'reason', 'output_tokens', 'milliseconds', 'input', 'output']].concat(
    rows.map(function (i) {
      return [data.Q[slice[i]][0], data.V[slice[i]], data.B[slice[i]], data.C[kase[i]], rep[i],
        words[data.v[i]].slice(2), why[i] < 0 ? '' : data.R[why[i]], data.t[i] ?? '', data.m[i] ?? '',
        data.I[kase[i]], data.o && data.o[i] >= 0 ? data.O[data.o[i]] : ''];
    })));
});
