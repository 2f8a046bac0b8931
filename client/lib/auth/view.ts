import { useSyncExternalStore } from 'react'
import type { AuthError, Result } from './types.ts'

export interface ViewState<Data> {
  /**
   * The last good answer: it survives a failed refresh, so that a lost network signs nobody out on the screen. After
   * a 401 there is none: what was somebody's is not shown to nobody.
   */
  data: Data | null
  error: AuthError | null
  /** Nothing has been answered yet. */
  isPending: boolean
  /** A request is under way. */
  isRefetching: boolean
}

/** Something the server knows, kept for the screens: loaded when first looked at, again when told so. */
export interface View<Data> {
  get(): ViewState<Data>
  subscribe(listener: () => void): () => void
  /** Asks again; answers when the newest answer is in. `fresh` asks for what no cache has kept. */
  refetch(fresh?: boolean): Promise<void>
  /** Asks again if anybody is looking; otherwise the next look does. */
  invalidate(): void
  /** Forgets what it knows, because it belonged to somebody who is gone. */
  clear(): void
}

/** @param known what is known before anything was asked */
export function createView<Data>(load: (fresh: boolean) => Promise<Result<Data>>, known?: Data): View<Data> {
  let state: ViewState<Data> = { data: known ?? null, error: null, isPending: known === undefined, isRefetching: false }
  let stale = known === undefined
  let newest = 0
  const listeners = new Set<() => void>()

  function set(change: Partial<ViewState<Data>>) {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }

  async function refetch(fresh = false) {
    newest += 1
    const turn = newest
    stale = false
    set({ isRefetching: true })
    const { data, error } = await load(fresh)
    // An older answer that comes late must not overwrite a newer one.
    if (turn !== newest) return
    const settled = { error, isPending: false, isRefetching: false }
    if (error) set(error.status === 401 ? { ...settled, data: null } : settled)
    else set({ ...settled, data })
  }

  return {
    get: () => state,
    subscribe(listener) {
      listeners.add(listener)
      if (stale) void refetch()
      return () => listeners.delete(listener)
    },
    refetch,
    invalidate() {
      if (listeners.size > 0) void refetch()
      else stale = true
    },
    clear() {
      newest += 1
      stale = true
      set({ data: null, error: null, isPending: true, isRefetching: false })
    },
  }
}

export type Watched<Data> = ViewState<Data> & { refetch(fresh?: boolean): Promise<void> }

/** A component that looks at a view: it loads on the first look and follows every change. */
export function useView<Data>(view: View<Data>): Watched<Data> {
  const state = useSyncExternalStore(view.subscribe, view.get, view.get)
  return { ...state, refetch: view.refetch }
}
