/**
 * Where a person was going before being asked to sign in: `?callbackURL=` of the page. It is somebody else's text.
 * The server validates it and answers the URL to follow; the app itself goes only to paths of its own origin.
 */
export interface Continuation {
  /** As it was given; goes to the server as it is. */
  callbackURL: string | undefined
  /** The other site's host, to be shown; null when it is a page of ours. */
  host: string | null
  /** A path of this app, safe to go to without asking the server. */
  path: string | null
  /** The query that carries it to the next page of the flow: '' or '?callbackURL=…'. */
  query: string
}

// One slash, then neither a slash nor a backslash nor the code of one; no backslash and no control character at all.
const relative = /^\/(?![/\\]|%2f|%5c)[^\\\p{Cc}]*$/iu

export function continuationOf(search: string, origin: string): Continuation {
  const callbackURL = new URLSearchParams(search).get('callbackURL') || undefined
  if (!callbackURL) return { callbackURL: undefined, host: null, path: null, query: '' }
  const query = `?callbackURL=${encodeURIComponent(callbackURL)}`
  if (relative.test(callbackURL) && URL.canParse(callbackURL, origin)) {
    const url = new URL(callbackURL, origin)
    if (url.origin === origin) return { callbackURL, host: null, path: url.pathname + url.search + url.hash, query }
  }
  const url = URL.canParse(callbackURL) ? new URL(callbackURL) : null
  const host = url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.host : null
  return { callbackURL, host, path: null, query }
}

export const continuation = () => continuationOf(location.search, location.origin)
