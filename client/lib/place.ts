import { createContext, useContext } from 'react'
import type { BaseLocationHook, BaseSearchHook } from 'wouter'
import { navigate, useBrowserLocation, useHistoryState, useSearch } from 'wouter/use-browser-location'

/** Where a screen is: the address of the document, or that of a component in a page of another product. */
export interface Place {
  /** For the router. */
  hook: BaseLocationHook
  searchHook: BaseSearchHook
  useState(): unknown
  /** The path, the query and the state of this moment, for code outside of rendering. */
  now(): { path: string; search: string; state: unknown }
  navigate(to: string, options?: { replace?: boolean; state?: unknown }): void
  back(): void
  /** A component: the address of the page that contains it. The title of that page is not ours. */
  page?(): string
  /** Whether a screen has been shown: later ones take the focus. */
  visited: boolean
}

/** The app's own document. */
const documentPlace: Place = {
  hook: useBrowserLocation,
  searchHook: useSearch,
  useState: useHistoryState,
  now: () => ({ path: location.pathname, search: location.search, state: history.state }),
  navigate,
  back: () => history.back(),
  visited: false,
}

export const PlaceContext = createContext(documentPlace)

export const usePlace = (): Place => useContext(PlaceContext)

/** The state of the current history entry. */
export const usePlaceState = <State>(): State | null => usePlace().useState() as State | null
