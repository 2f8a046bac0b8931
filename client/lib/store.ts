import { useSyncExternalStore } from 'react'
import { deployment } from './deployment.ts'

export interface Store<Value> {
  get(): Value
  set(value: Value): void
  use(): Value
}

export function createStore<Value>(initial: Value): Store<Value> {
  let value = initial
  const listeners = new Set<() => void>()
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const get = () => value
  return {
    get,
    set(next) {
      value = next
      for (const listener of listeners) listener()
    },
    use: () => useSyncExternalStore(subscribe, get, get),
  }
}

/** Preferences of the browser, not of a user: a sign-out keeps them. */
const preferences = ['theme', 'language', 'lastUsed']

const never = () => () => {}

/** What only the browser knows. `before` is the value in the page of the Worker, which the first rendering repeats. */
export const useBrowserValue = <Value>(read: () => Value, before: Value): Value =>
  useSyncExternalStore(never, read, () => before)

const yes = () => true

/** Whether the page of the Worker has become the app. */
export const useHydrated = (): boolean => useBrowserValue(yes, false)

/** Values in the browser's storage; null for unknown ones and without storage. */
export const remembered = {
  get(key: string): string | null {
    try {
      return localStorage.getItem(deployment.storage + key)
    } catch {
      return null
    }
  },
  set(key: string, value: string | null): void {
    try {
      if (value === null) localStorage.removeItem(deployment.storage + key)
      else localStorage.setItem(deployment.storage + key, value)
    } catch {
      // Without storage the value is lost.
    }
  },
  /** Reads the preferences. @returns a function that writes them again */
  keepPreferences(): () => void {
    const kept = preferences.map((key) => [key, remembered.get(key)] as const)
    return () => {
      for (const [key, value] of kept) if (value !== null) remembered.set(key, value)
    }
  },
}
