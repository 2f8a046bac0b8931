// Stands in the page and runs before the first paint.
try {
  // A chosen theme does not flash in the other one. See lib/theme.ts.
  const theme = localStorage.getItem('theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  // The Worker wrote the first screen in the browser's language; who chose another one waits for the app.
  const language = localStorage.getItem('language')
  if (language && language !== document.documentElement.lang) document.documentElement.dataset.language = language
} catch {
  // Storage is closed to us: the system's theme and the browser's language it is.
}
// Sent before the app is there: lib/take-over.ts sends it then.
document.addEventListener('submit', ({ target }) => {
  if (target.method === 'dialog') target.dataset.sent = ''
})
// A link followed before the app is there leads to another document: what was typed goes along (lib/typed.ts).
document.addEventListener('click', ({ target, ctrlKey, metaKey, shiftKey }) => {
  if (ctrlKey || metaKey || shiftKey || !target.closest('#first a')) return
  try {
    sessionStorage.setItem('typed', document.getElementById('first-identifier').value)
  } catch {
    // Then the next screen asks once more.
  }
})
