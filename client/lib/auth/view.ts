import type { AuthError, Result } from './types.ts'

export interface ViewState<Data> {
  /** The last successful answer. A failed refresh keeps it; a 401 removes it, because it belongs to the ended session. */
  data: Data | null
  error: AuthError | null
  /** Before the first answer. */
  isPending: boolean
  /** While a request is under way. */
  isRefetching: boolean
}

/** A cached answer of the server: loaded for its first listener, and again after `invalidate`. */
export interface View<Data> {
  get(): ViewState<Data>
  set(data: Data): void
  /** Data that came with the page: the first listener does not load it again. Loaded data stays. */
  prime(data: Data): void
  subscribe(listener: () => void): () => void
  /** Adds a listener that loads nothing. @returns a function that removes it */
  observe(listener: () => void): () => void
  /** Loads again; resolves with the newest answer. `fresh` bypasses other caches. */
  refetch(fresh?: boolean): Promise<void>
  /** Loads again, at once with a listener, else for the next one. @param minAge ms; younger data stays */
  invalidate(minAge?: number): void
  /** Removes the data, because it belongs to a user who has signed out. */
  clear(): void
}

interface ViewOptions<Data> {
  /** The data before the first request. */
  known?: Data
  /** Older data (ms) is loaded again for a new listener. @default never */
  maxAge?: number
  /**
   * A cookie caches the answers. One that arrives late has replaced it: the cookie would have the state from before a
   * change, and later requests would get it from there.
   */
  isCached?: boolean
}

export function createView<Data>(
  load: (fresh: boolean) => Promise<Result<Data>>,
  { known, maxAge = Number.POSITIVE_INFINITY, isCached = false }: ViewOptions<Data> = {},
): View<Data> {
  let state: ViewState<Data> = { data: known ?? null, error: null, isPending: known === undefined, isRefetching: false }
  let loadedAt = known === undefined ? 0 : Date.now()
  let [newest, answered, open] = [0, 0, 0]
  let running = Promise.resolve()
  const listeners = new Set<() => void>()
  const isOlderThan = (age: number) => loadedAt === 0 || Date.now() - loadedAt > age

  function change(changes: Partial<ViewState<Data>>) {
    state = { ...state, ...changes }
    for (const listener of listeners) listener()
  }

  function refetch(fresh = false): Promise<void> {
    running = read(fresh)
    return running
  }

  async function read(fresh: boolean): Promise<void> {
    newest += 1
    const turn = newest
    loadedAt = Date.now()
    change({ isRefetching: true })
    open += 1
    const { data, error } = await load(fresh || (isCached && open > 1))
    open -= 1
    if (turn < answered) {
      if (isCached) void refetch(true)
      return
    }
    answered = turn
    // The caller gets the newest answer.
    if (turn !== newest) return running
    const settled = { error, isPending: false, isRefetching: false }
    if (error) change(error.status === 401 ? { ...settled, data: null } : settled)
    else change({ ...settled, data })
  }

  return {
    get: () => state,
    set: (data) => change({ data, isPending: false }),
    prime(data) {
      if (loadedAt !== 0) return
      loadedAt = Date.now()
      change({ data, error: null, isPending: false })
    },
    subscribe(listener) {
      listeners.add(listener)
      if (isOlderThan(maxAge)) void refetch()
      return () => listeners.delete(listener)
    },
    observe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    refetch,
    invalidate(minAge = -1) {
      if (!isOlderThan(minAge)) return
      // The request that is under way may have been answered before the change.
      if (listeners.size > 0 || state.isRefetching) void refetch()
      else loadedAt = 0
    },
    clear() {
      newest += 1
      running = Promise.resolve()
      loadedAt = 0
      change({ data: null, error: null, isPending: true, isRefetching: false })
    },
  }
}
