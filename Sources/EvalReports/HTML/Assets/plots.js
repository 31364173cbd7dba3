// Plots tell their values: those under the pointer and, with the arrow keys, those of the focused
// plot. The value appears in the caption or, without a caption, below the plot.
all('svg[data-v]').forEach(function (svg) {
  var values = svg.dataset.v.split('\n'), axis = svg.dataset.at.split(' ');
  var figure = svg.closest('figure'), caption = figure && one('figcaption', figure);
  var told = doc.createElement(caption ? 'span' : 'p'), at = values.length, down = axis[0] === 'y';
  told.setAttribute('role', 'status');
  told.className = 'told';
  if (caption) caption.append(told);
  else svg.after(told);
  svg.tabIndex = 0;
  var tell = function (i) {
    at = Math.min(values.length - 1, Math.max(0, i));
    told.textContent = (caption ? ' · ' : '') + values[at];
  };
  svg.addEventListener('mousemove', function (e) {
    var box = svg.getBoundingClientRect(), view = svg.viewBox.baseVal;
    var place = down ? (e.clientY - box.top) / box.height * view.height
      : (e.clientX - box.left) / box.width * view.width;
    tell(Math.round((place - axis[1]) / (axis[2] - axis[1]) * (values.length - 1)) || 0);
  });
  svg.addEventListener('mouseleave', function () { told.textContent = ''; });
  svg.addEventListener('focus', function () { tell(at); });
  svg.addEventListener('blur', function () { told.textContent = ''; });
  svg.addEventListener('keydown', function (e) {
    var by = {
      ArrowLeft: -1, ArrowRight: 1, ArrowUp: down ? -1 : 1, ArrowDown: down ? 1 : -1, Home: -1e9,
      End: 1e9
    }[e.key];
    if (!by) return;
    e.preventDefault();
    tell(at + by);
  });
});
