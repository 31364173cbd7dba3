// Keyboard shortcuts. While the reader types in a field, only Escape works: it leaves the field.
// Keys pressed with Control, Command or Alt go to the browser.
var help = one('#keys'), groups = all('#failures details[id^="f-"]'), current = -1;
function go(i) {
  if (i < 0 || i >= groups.length) return;
  current = i;
  for (var d = groups[i]; d; d = d.parentElement) if (d.tagName === 'DETAILS') d.open = true;
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
