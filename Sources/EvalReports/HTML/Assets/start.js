var doc = document, one = function (s, r) { return (r || doc).querySelector(s); };
var all = function (s, r) { return Array.from((r || doc).querySelectorAll(s)); };
all('.js').forEach(function (e) { e.hidden = false; });
