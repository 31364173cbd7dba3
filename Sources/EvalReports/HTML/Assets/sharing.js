// Copies texts, and saves tables as CSV.
function copy(text, button, shown) {
  var done = function () { button.textContent = 'copied'; };
  var byHand = function () {
    var field = doc.createElement('textarea');
    field.value = text;
    button.after(field);
    field.select();
    if (doc.execCommand('copy')) done(); else if (shown) getSelection().selectAllChildren(shown);
    field.remove();
    button.focus();
  };
  if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, byHand); else byHand();
}
// A text that a spreadsheet would read as a formula begins with an apostrophe.
function csvField(value) {
  var text = String(value);
  if (typeof value === 'string' && /^[ \u00a0\ufeff]*[=+\-@\t\r\n＝＋－＠]/.test(text)) text = "'" + text;
  return /[",\r\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
}
function saveCSV(name, rows) {
  var text = rows.map(function (row) { return row.map(csvField).join(',') + '\r\n'; }).join('');
  var link = doc.createElement('a');
  link.href = URL.createObjectURL(new Blob(['\ufeff' + text], { type: 'text/csv' }));
  link.download = name;
  link.click();
  setTimeout(function () { URL.revokeObjectURL(link.href); }, 1000);
}
