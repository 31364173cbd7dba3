// Plots tell their values: those under the pointer and, with the arrow keys, those of the focused
// plot. The value appears in the caption.
all('svg[data-v]').forEach(function (svg) {
  var values = svg.dataset.v.split('|'), caption = one('figcaption', svg.closest('figure'));
  var told = doc.createElement('span'), at = values.length;
  told.setAttribute('role', 'status');
  told.className = 'told';
  if (!caption) return;
  caption.append(told);
  svg.tabIndex = 0;
  var tell = function (i) {
    at = Math.min(values.length - 1, Math.max(0, i));
    told.textContent = ' · ' + values[at];
  };
  svg.addEventListener('mousemove', function (e) {
    var box = svg.getBoundingClientRect(), width = svg.viewBox.baseVal.width;
    var x = (e.clientX - box.left) / box.width * width;
    tell(Math.round((x - 34) / (width - 42) * (values.length - 1)));
  });
  svg.addEventListener('mouseleave', function () { told.textContent = ''; });
  svg.addEventListener('focus', function () { tell(at); });
  svg.addEventListener('blur', function () { told.textContent = ''; });
  svg.addEventListener('keydown', function (e) {
    var by = { ArrowLeft: -1, ArrowRight: 1, Home: -1e9, End: 1e9 }[e.key];
    if (!by) return;
    e.preventDefault();
    tell(at + by);
  });
});
