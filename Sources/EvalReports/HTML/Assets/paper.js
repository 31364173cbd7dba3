// Opens the tree of failures down to its details for printing. The style sheet hides complete
// attempts on paper.
var tree = '#failures .kind, #failures .kind > .level > details';
addEventListener('beforeprint', function () {
  all(tree).forEach(function (d) { d.dataset.was = d.open ? '1' : ''; d.open = true; });
});
addEventListener('afterprint', function () {
  all(tree).forEach(function (d) { d.open = !!d.dataset.was; });
});
