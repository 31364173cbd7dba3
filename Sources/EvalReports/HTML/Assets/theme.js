// Sets the theme: automatic, light or dark. The browser keeps the choice if it allows storage.
var theme = one('#theme'), root = doc.documentElement;
function setTheme(v) {
  if (v === 'auto') root.removeAttribute('data-theme'); else root.setAttribute('data-theme', v);
}
try {
  var kept = localStorage.getItem('assay-theme');
  if (kept === 'light' || kept === 'dark') { theme.value = kept; setTheme(kept); }
} catch (e) {}
theme.addEventListener('change', function () {
  setTheme(theme.value);
  try { localStorage.setItem('assay-theme', theme.value); } catch (e) {}
});
