import { useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import type { AroundNavHandler } from 'wouter'
import { createStore } from './store.ts'

/** What asks before it is lost: references to forms, and others. */
const forms = new Set<object>()
/** Of `forms`: secrets that are shown once. */
const secrets = new Set<object>()

/** A navigation that waits for the user's answer. `secret`: it would lose a secret that is shown once. */
export const leaving = createStore<{ secret: boolean; go(): void } | null>(null)

const listeners = new Set<() => void>()

/** Whether a form has unsaved input. */
export const useUnsaved = (form: object): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => forms.has(form),
  )

const warn = (event: BeforeUnloadEvent) => event.preventDefault()

export function setUnsaved(form: object, unsaved: boolean): void {
  if (unsaved) forms.add(form)
  else forms.delete(form)
  for (const listener of listeners) listener()
  // Only while required: browsers do not cache a page with this listener.
  if (forms.size > 0) addEventListener('beforeunload', warn)
  else removeEventListener('beforeunload', warn)
}

/** While it is true, the screen shows a secret that is not shown again: leaving the page asks first. */
export function useShownOnce(shown: boolean): void {
  const secret = useRef({}).current
  // Its end runs before effects of the next screen, which may navigate.
  useLayoutEffect(() => {
    if (!shown) return
    secrets.add(secret)
    setUnsaved(secret, true)
    return () => {
      secrets.delete(secret)
      setUnsaved(secret, false)
    }
  }, [shown, secret])
}

export const unsavedForms = (): HTMLFormElement[] =>
  [...forms].flatMap((form) => ('current' in form && form.current instanceof HTMLFormElement ? [form.current] : []))

/** For navigations that keep the input elsewhere. */
export function setAllSaved(): void {
  for (const form of [...forms]) setUnsaved(form, false)
}

function ask(go: () => void): void {
  leaving.set({
    secret: secrets.size > 0,
    go() {
      leaving.set(null)
      setAllSaved()
      go()
    },
  })
}

/** Asks before a navigation with unsaved input. */
export const askBeforeLeaving: AroundNavHandler = (navigate, to, options) => {
  const elsewhere = !to.startsWith('#')
  if (forms.size > 0 && elsewhere) ask(() => navigate(to, options))
  else navigate(to, options)
}

// Also for the browser's Back button, where it can be cancelled (Navigation API).
globalThis.navigation?.addEventListener('navigate', (event) => {
  if (event.navigationType !== 'traverse' || !event.cancelable || forms.size === 0) return
  event.preventDefault()
  ask(() => navigation.traverseTo(event.destination.key))
})
