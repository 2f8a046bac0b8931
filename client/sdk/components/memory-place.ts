import { useSyncExternalStore } from 'react'
import type { Place } from '../../lib/place.ts'

interface Entry {
  path: string
  search: string
  state: unknown
}

/**
 * The place of a component: it keeps the address of its screen and the screens before it in memory, so that the address
 * of the page stays the page's.
 * @param start a path with its query
 */
export function memoryPlace(start: string): Place {
  const entryOf = (to: string, state: unknown): Entry => {
    const [, path = '/', search = ''] = /^([^?#]*)(\?[^#]*)?/.exec(to)!
    return { path, search, state }
  }
  let entries = [entryOf(start, null)]
  const listeners = new Set<() => void>()
  const now = () => entries.at(-1)!
  function change(next: Entry[]) {
    entries = next
    for (const listener of listeners) listener()
  }
  function useNow<Value>(read: (entry: Entry) => Value): Value {
    const get = () => read(now())
    return useSyncExternalStore(
      (listener) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      get,
      get,
    )
  }
  const navigate: Place['navigate'] = (to, { replace = false, state = null } = {}) =>
    change([...(replace ? entries.slice(0, -1) : entries), entryOf(to, state)])
  return {
    hook: () => [useNow(({ path }) => path), navigate],
    searchHook: () => useNow(({ search }) => search),
    useState: () => useNow(({ state }) => state),
    now,
    navigate,
    back: () => entries.length > 1 && change(entries.slice(0, -1)),
    page: pageAddress,
    visited: false,
  }
}

/** The address of the page, without the error that a provider has returned. */
export function pageAddress(): string {
  const url = new URL(location.href)
  for (const name of ['error', 'error_description']) url.searchParams.delete(name)
  return url.href
}
