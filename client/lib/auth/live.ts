/** What has changed for the user. */
export type LiveChange = 'user' | 'sessions' | 'credentials' | 'organizations' | 'purchases' | 'approvals'

export interface LiveChannelOptions {
  /**
   * The URL of the API, such as `https://accounts.example.com/api/auth`.
   * @default '/api/auth' on the page's own origin
   */
  baseURL?: string | undefined
  /**
   * Called after a change on any device. After each connection but the first attempt it gets all changes, because messages
   * may have been missed.
   */
  onChange(changed: ReadonlySet<LiveChange>): void
  /** Called when the session of this page has ended. */
  onEnd?(): void
  /** Identifies this page: the header `gatehouse-tab` of a call keeps its own messages away. */
  tab?: string | undefined
}

/** The type requires each change. */
const all: Record<LiveChange, true> = {
  ...{ user: true, sessions: true, credentials: true, organizations: true, purchases: true, approvals: true },
}
const everything: ReadonlySet<LiveChange> = new Set(Object.keys(all) as LiveChange[])

/** The close code of the server after the session has ended. */
const sessionEnded = 4401

/** Below the time (ms) after which proxies close an idle connection. */
const pingInterval = 50_000
const firstPause = 1000
const maxPause = 300_000

/**
 * Opens a WebSocket that names changes of the user, and opens it again after a failure, with growing random pauses.
 * @returns a function that closes it
 */
export function openLiveChannel({ baseURL = '/api/auth', onChange, onEnd, tab }: LiveChannelOptions): () => void {
  const url = new URL(`${baseURL.replace(/\/$/, '')}/live`, location.href)
  url.protocol = url.protocol.replace('http', 'ws')
  if (tab) url.searchParams.set('tab', tab)
  let socket: WebSocket | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let isFirst = true

  function connect() {
    const own = new WebSocket(url)
    socket = own
    const mayHaveMissed = !isFirst
    isFirst = false
    let pings: ReturnType<typeof setInterval> | undefined
    let openedAt = Number.POSITIVE_INFINITY
    own.onopen = () => {
      openedAt = Date.now()
      pings = setInterval(() => own.send('ping'), pingInterval)
      if (mayHaveMissed) onChange(everything)
    }
    own.onmessage = ({ data }: MessageEvent<string>) => {
      if (data !== 'pong') onChange(new Set((JSON.parse(data) as { changed: LiveChange[] }).changed))
    }
    own.onclose = ({ code }) => {
      clearInterval(pings)
      // Closed here, and perhaps opened again.
      if (socket !== own) return
      socket = undefined
      if (code === sessionEnded) onEnd?.()
      // A server that closes new connections is not called more and more often.
      if (Date.now() - openedAt > pingInterval) failures = 0
      // Many pages lose their connection together: they return at different times.
      timer = setTimeout(connect, Math.random() * Math.min(maxPause, firstPause * 2 ** failures++))
    }
  }

  function disconnect() {
    clearTimeout(timer)
    const open = socket
    socket = undefined
    open?.close()
  }

  function reconnect() {
    if (socket) return
    clearTimeout(timer)
    connect()
  }

  // A page with a connection cannot be kept for the Back button.
  addEventListener('pagehide', disconnect)
  const onShow = ({ persisted }: PageTransitionEvent) => persisted && reconnect()
  addEventListener('pageshow', onShow)
  addEventListener('online', reconnect)
  connect()
  return () => {
    removeEventListener('pagehide', disconnect)
    removeEventListener('pageshow', onShow)
    removeEventListener('online', reconnect)
    disconnect()
  }
}
