var doc = document, one = function (s, r) { return (r || doc).querySelector(s); };
var all = function (s, r) { return Array.from((r || doc).querySelectorAll(s)); };
all('.js').forEach(function (e) { e.hidden = false; });
function element(parent, name, text, className) {
  var e = doc.createElement(name);
  if (text !== undefined) e.textContent = text;
  if (className) e.className = className;
  parent.appendChild(e);
  return e;
}
function addButton(parent, label, act, className) {
  var button = element(parent, 'button', label, className);
  button.type = 'button';
  if (act) button.addEventListener('click', function () { act(button); });
  return button;
}
// Puts the text of an element into a button.
function makeButton(place, act) {
  var text = place.textContent;
  place.replaceChildren();
  return addButton(place, text, act);
}
// Writes a text, with the parts between backticks as code.
function quoting(place, text) {
  var parts = text.split('`');
  if (parts.length % 2) parts.forEach(function (part, i) {
    if (i % 2) element(place, 'code', part); else place.append(part);
  });
  else place.append(text);
}
// Writes one side of a value in the difference of two answers.
function side(cell, value, own, absent) {
  if (value[2] === absent) return element(cell, 'span', '– absent', 'faint');
  for (var i = 0; i < value[1].length; i += 2) {
    if (!value[1][i]) cell.append(value[1][i + 1]);
    else if (value[1][i] === own) element(cell, own === 1 ? 'del' : 'ins', value[1][i + 1]);
  }
}
