import { useState, useSyncExternalStore } from 'react'
import type { Result } from './types.ts'
import { createView, type View, type ViewState } from './view.ts'

export type Watched<Data> = ViewState<Data> & { refetch(fresh?: boolean): Promise<void> }

export function useView<Data>(view: View<Data>): Watched<Data> {
  const state = useSyncExternalStore(view.subscribe, view.get, view.get)
  return { ...state, refetch: view.refetch }
}

/** What a component loads once, without a cache. `refetch` starts over. */
export function useLoad<Data>(load: () => Promise<Result<Data>>): Watched<Data> {
  const [view] = useState(() => createView(load))
  const refetch = () => {
    view.clear()
    return view.refetch()
  }
  return { ...useView(view), refetch }
}
