import { openSocket } from './socket.ts'

/** What has changed for the user. */
export type LiveChange = 'user' | 'sessions' | 'credentials' | 'organizations' | 'purchases' | 'approvals'

export interface LiveChannelOptions {
  /**
   * The URL of the API, such as `https://accounts.example.com/api/auth`.
   * @default '/api/auth' on the page's own origin
   */
  baseURL?: string | undefined
  /** When the data of the page was loaded (Unix time, ms): the first connection names what has changed since. @default now */
  since?: number | undefined
  /** Called after a change on any device. After a later connection it gets all changes, because messages may have been missed. */
  onChange(changed: ReadonlySet<LiveChange>): void
  /** Called when the session of this page has ended. */
  onEnd?(): void
  /** Called when a connection is refused, once until the next one: the session may have ended before it. */
  onRefused?(): void
  /** Identifies this page: the header `gatehouse-tab` of a call keeps its own messages away. */
  tab?: string | undefined
}

/** The type requires each change. */
const all: Record<LiveChange, true> = {
  ...{ user: true, sessions: true, credentials: true, organizations: true, purchases: true, approvals: true },
}
const everything: ReadonlySet<LiveChange> = new Set(Object.keys(all) as LiveChange[])

/**
 * Opens a WebSocket that names changes of the user, and opens it again after a failure, with growing random pauses.
 * @returns a function that closes it
 */
export function openLiveChannel({ baseURL = '/api/auth', tab, ...given }: LiveChannelOptions): () => void {
  const url = new URL(`${baseURL.replace(/\/$/, '')}/live`, location.href)
  if (tab) url.searchParams.set('tab', tab)
  return openSocket(url, {
    ...given,
    onChange: (changed) => given.onChange(changed as ReadonlySet<LiveChange>),
    onMissed: () => given.onChange(everything),
  })
}
