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
// JSON on one line. Invisible characters are escaped, so that they survive and can be seen.
function exact(value) {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]/g,
    function (c) { return '\\u' + ('000' + c.charCodeAt(0).toString(16)).slice(-4); });
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
