// Inlined into the page; runs before the first paint.
try {
  // Applies the chosen theme without a flash of the other one. See lib/theme.ts. The page has the theme of the brand.
  const root = document.documentElement.dataset
  const theme = localStorage.getItem('theme')
  if (root.fixedTheme === undefined) {
    if (theme === 'light' || theme === 'dark') root.theme = theme
    else if (theme === 'system') delete root.theme
  }
  // The Worker writes the first screen in the browser's language. A user with another language waits for the app.
  const language = localStorage.getItem('language')
  if (language && language !== document.documentElement.lang) document.documentElement.dataset.language = language
  // The provider of the last sign-in comes first: the app orders the buttons.
  if (localStorage.getItem('lastUsed')) document.documentElement.dataset.used = ''
  // Nor does a reload of the second step show the first one (lib/entered.ts), or that of an invited sign-up another address.
  if (history.state?.entered || history.state?.invited) document.documentElement.dataset.entered = ''
} catch {
  // Without storage the system's theme and the browser's language apply.
}
// A form that is submitted before the app has loaded: lib/form.ts sends it.
document.addEventListener('submit', ({ target, defaultPrevented }) => {
  if (defaultPrevented) return
  if (target.method === 'dialog') target.dataset.sent = ''
  // A provider's button: lib/last-used.ts finds the method after the return.
  const provider = target.elements.provider
  try {
    if (provider) localStorage.setItem('begun', provider.value)
  } catch {
    // Without storage no method is marked as the last used one.
  }
})
// A link that is followed before the app has loaded opens another document. It keeps the typed text (lib/typed.ts).
document.addEventListener('click', ({ target, ctrlKey, metaKey, shiftKey }) => {
  if (ctrlKey || metaKey || shiftKey || !target.closest('[data-prerendered] a')) return
  document.documentElement.dataset.left = ''
  try {
    sessionStorage.setItem('typed', document.querySelector('[name=identifier], [name=email]').value)
  } catch {
    // The next screen asks again.
  }
})
// With a mouse or a trackpad, typing begins at once, also before the app has loaded (ui/page.tsx does the same).
if (self === top && matchMedia('(pointer: fine)').matches) {
  new MutationObserver((_, observer) => {
    const fields = document.querySelectorAll(
      '[data-prerendered] #app :is(input:not([type=hidden], [type=checkbox]), [name=account])',
    )
    if (fields.length === 0) return
    observer.disconnect()
    const field = [...fields].find(({ value }) => !value)
    if (field?.checkVisibility()) field.focus({ preventScroll: true })
  }).observe(document.documentElement, { childList: true, subtree: true })
}
