// Adds a copy button to each command, if the browser gives access to the clipboard.
if (navigator.clipboard) all('code.command').forEach(function (code) {
  var button = doc.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'copy';
  button.setAttribute('aria-label', 'Copy the command');
  button.addEventListener('click', function () {
    navigator.clipboard.writeText(code.textContent).then(function () {
      button.textContent = 'copied';
    }, function () {
      getSelection().selectAllChildren(code);
    });
  });
  code.after(button);
});
