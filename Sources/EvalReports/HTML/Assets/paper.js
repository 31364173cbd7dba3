// On paper, the tree of failures is open down to its details; complete attempts are not printed.
var tree = '#failures .kind, #failures .kind > .level > details';
addEventListener('beforeprint', function () {
  all(tree).forEach(function (d) { d.dataset.was = d.open ? '1' : ''; d.open = true; });
});
addEventListener('afterprint', function () {
  all(tree).forEach(function (d) { d.open = !!d.dataset.was; });
});
