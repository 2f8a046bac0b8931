import { typed } from './typed.ts'

/** The element of the app's form that corresponds to an element of the first screen. */
function counterpartOf(node: Element): string {
  const item = node.closest('li')
  if (item) return `li:nth-child(${[...item.parentElement!.children].indexOf(item) + 1}) button`
  const name = node.getAttribute('name')
  const href = node.getAttribute('href')
  return name ? `input[name="${name}"]` : href ? `a[href="${CSS.escape(href)}"]` : '[type=submit]'
}

/**
 * Replaces the first screen (app/first-screen.ts) when the app renders its first heading, before the next paint. Typed
 * text, focus, selection and a pending submit are transferred. Until then the app is not in the document, so that no control
 * is there twice: scripts, password managers and tests find the one that the user sees.
 */
export function takeOverFromFirstScreen(app: HTMLElement): void {
  const first = document.getElementById('first')
  if (!first) return
  app.remove()
  app.hidden = false
  new MutationObserver((_, observer) => {
    // The buttons of the providers are visible already: the app's must be there too.
    if (!app.querySelector('h1') || app.querySelector('[data-hole]')) return
    observer.disconnect()
    // A pressed element stays until it is released: a click requires both events on one element.
    const swap = () => (first.matches(':active') ? requestAnimationFrame(swap) : takeOver(first, app))
    swap()
  }).observe(app, { childList: true, subtree: true })
}

function takeOver(first: HTMLElement, app: HTMLElement): void {
  first.before(app)
  for (const input of first.querySelectorAll('input')) {
    const counterpart = app.querySelector<HTMLInputElement>(counterpartOf(input))
    if (!counterpart) continue
    counterpart.value = input.value
    counterpart.checked = input.checked
    if (input.name === 'identifier') typed.set(input.value)
  }
  const focused = document.activeElement
  if (focused && first.contains(focused)) {
    const counterpart = app.querySelector<HTMLElement>(counterpartOf(focused))
    counterpart?.focus({ preventScroll: true })
    // Email fields have no selection (HTML, "Do not apply" for type=email).
    if (
      focused instanceof HTMLInputElement &&
      counterpart instanceof HTMLInputElement &&
      focused.selectionStart !== null
    ) {
      counterpart.setSelectionRange(focused.selectionStart, focused.selectionEnd)
    }
  }
  const sent = first.querySelector('form[data-sent]') !== null
  first.remove()
  if (sent) app.querySelector('form')?.requestSubmit()
}
