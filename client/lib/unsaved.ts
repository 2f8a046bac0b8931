import type { AroundNavHandler } from 'wouter'
import { createStore } from './store.ts'

/** Forms in which something has been typed that is not saved yet. */
const forms = new Set<object>()

/** A way out of the page that waits for the person's answer. */
export const leaving = createStore<{ go(): void } | null>(null)

const warn = (event: BeforeUnloadEvent) => event.preventDefault()

export function setUnsaved(form: object, unsaved: boolean): void {
  if (unsaved) forms.add(form)
  else forms.delete(form)
  // Only while it is needed: a page with this listener is not kept for the way back.
  if (forms.size > 0) addEventListener('beforeunload', warn)
  else removeEventListener('beforeunload', warn)
}

function ask(go: () => void): void {
  leaving.set({
    go() {
      leaving.set(null)
      for (const form of [...forms]) setUnsaved(form, false)
      go()
    },
  })
}

/** Around every navigation of the app: with something unsaved, the person is asked first. */
export const askBeforeLeaving: AroundNavHandler = (navigate, to, options) => {
  const elsewhere = !to.startsWith('#')
  if (forms.size > 0 && elsewhere) ask(() => navigate(to, options))
  else navigate(to, options)
}

// The browser's own buttons, where it lets itself be asked (Navigation API).
globalThis.navigation?.addEventListener('navigate', (event) => {
  if (event.navigationType !== 'traverse' || !event.cancelable || forms.size === 0) return
  event.preventDefault()
  ask(() => navigation.traverseTo(event.destination.key))
})
