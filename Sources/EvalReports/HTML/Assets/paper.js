// Opens the causes of failures and the suites below them before printing, and restores them after.
// The style sheet hides complete attempts on paper.
var tree = '#failures .kind, #failures .kind > .level > details';
addEventListener('beforeprint', function () {
  all(tree).forEach(function (d) { d.dataset.was = d.open ? '1' : ''; d.open = true; });
});
addEventListener('afterprint', function () {
  all(tree).forEach(function (d) { d.open = !!d.dataset.was; });
});
