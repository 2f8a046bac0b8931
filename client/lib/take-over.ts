import { typed } from './typed.ts'

/** Where in the app's own form somebody goes on who stands at a node of the first screen. */
function twinOf(node: Element): string {
  const name = node.getAttribute('name')
  const href = node.getAttribute('href')
  return name ? `input[name="${name}"]` : href ? `a[href="${CSS.escape(href)}"]` : '[type=submit]'
}

/**
 * The first screen (app/first-screen.ts) makes way for the app as soon as that shows a screen of its own, which a heading
 * tells: an observer is called before anything is painted. What was typed, the focus with its caret, and a form that was
 * sent already go along.
 */
export function takeOverFromFirstScreen(app: HTMLElement): void {
  const first = document.getElementById('first')
  if (!first) return
  new MutationObserver((_, observer) => {
    if (!app.querySelector('h1')) return
    observer.disconnect()
    // What is being pressed stays until it is released: a click belongs to a node that saw both.
    const swap = () => (first.matches(':active') ? requestAnimationFrame(swap) : takeOver(first, app))
    swap()
  }).observe(app, { childList: true, subtree: true })
}

function takeOver(first: HTMLElement, app: HTMLElement): void {
  app.hidden = false
  for (const input of first.querySelectorAll('input')) {
    const twin = app.querySelector<HTMLInputElement>(twinOf(input))
    if (!twin) continue
    twin.value = input.value
    twin.checked = input.checked
    if (input.name === 'identifier') typed.set(input.value)
  }
  const focused = document.activeElement
  if (focused && first.contains(focused)) {
    const twin = app.querySelector<HTMLElement>(twinOf(focused))
    twin?.focus({ preventScroll: true })
    // A field for an address tells no caret (HTML, "Do not apply" for type=email).
    if (focused instanceof HTMLInputElement && twin instanceof HTMLInputElement && focused.selectionStart !== null) {
      twin.setSelectionRange(focused.selectionStart, focused.selectionEnd)
    }
  }
  const sent = first.querySelector('form[data-sent]') !== null
  first.remove()
  if (sent) app.querySelector('form')?.requestSubmit()
}
