import { useSearch } from 'wouter'
import { isRelativePath } from '../../worker/kit/urls.ts'
import { ownOrigin } from './deployment.ts'
import { usePlace } from './place.ts'

/**
 * The target after a sign-in: `?callbackURL=` of the page, which attackers can write. The server validates it and
 * returns the URL to follow; the app itself navigates only to paths of its own origin.
 */
export interface Continuation {
  /** Unchanged; sent to the server. */
  callbackURL: string | undefined
  /** The callback, if it is on another site: only the server can validate it. */
  foreign: string | undefined
  /** The host of another site, for display; null for this origin. */
  host: string | null
  /** A path of this origin, safe to open without asking the server. */
  path: string | null
  /**
   * The query for the next page of the flow: '' or '?callbackURL=…', with the `client_id` of an application that waits for
   * the sign-in (lib/target.ts).
   */
  query: string
}

export function continuationOf(search: string, origin: string): Continuation {
  const given = new URLSearchParams(search)
  const callbackURL = given.get('callbackURL') || undefined
  const kept = ['callbackURL', 'client_id'].flatMap((name) => {
    const value = given.get(name)
    return value ? [`${name}=${encodeURIComponent(value)}`] : []
  })
  const query = kept.length > 0 ? `?${kept.join('&')}` : ''
  const nowhere = { callbackURL, foreign: undefined, host: null, path: null, query }
  if (!callbackURL) return nowhere
  if (isRelativePath(callbackURL)) {
    const { pathname, search, hash } = new URL(callbackURL, origin)
    return { ...nowhere, path: pathname + search + hash }
  }
  const url = URL.canParse(callbackURL) ? new URL(callbackURL) : null
  const host = url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.host : null
  return { ...nowhere, foreign: host ? callbackURL : undefined, host }
}

export function useContinuation(): Continuation {
  const found = continuationOf(useSearch(), ownOrigin())
  // The page that contains a component names the callback: it belongs to this site and needs no validation here.
  return usePlace().page && found.foreign ? { ...found, host: null, path: found.foreign } : found
}
