/** The close code of the server after the session has ended. */
const sessionEnded = 4401

/** Below the time (ms) after which proxies close an idle connection. */
const pingInterval = 50_000
const firstPause = 1000
const maxPause = 300_000

/** The first connection begins with the messages of this time (ms). */
const recentTime = 10_000

interface SocketHandlers {
  /** When the data of the page was loaded (Unix time, ms). @default now */
  since?: number | undefined
  /** Called for each message. The first connection also brings the messages after `since`. */
  onChange(changed: ReadonlySet<string>): void
  /** Called when messages may have been missed: after each connection but an early first one. */
  onMissed(): void
  /** Called after the first of the connections that are refused, one after another: the session may have ended. */
  onRefused?(): void
  /** Called when the session of this page has ended. */
  onEnd?(): void
}

/**
 * Opens a WebSocket at an http(s) URL, and opens it again after a failure, with growing random pauses.
 * @returns a function that closes it
 */
export function openSocket(
  address: URL,
  { since = Date.now(), onChange, onMissed, onRefused, onEnd }: SocketHandlers,
): () => void {
  const url = new URL(address)
  url.protocol = url.protocol.replace('http', 'ws')
  let socket: WebSocket | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let isFirst = true
  let isRefused = false

  function connect() {
    const isLater = !isFirst
    isFirst = false
    if (isLater) url.searchParams.delete('recent')
    else url.searchParams.set('recent', 'true')
    const own = new WebSocket(url)
    socket = own
    let pings: ReturnType<typeof setInterval> | undefined
    let openedAt = Number.POSITIVE_INFINITY
    own.onopen = () => {
      openedAt = Date.now()
      pings = setInterval(() => own.send('ping'), pingInterval)
      isRefused = false
      if (isLater || openedAt - since > recentTime) onMissed()
    }
    own.onmessage = ({ data }: MessageEvent<string>) => {
      if (data === 'pong') return
      const { changed, ago } = JSON.parse(data) as { changed: string[]; ago?: number }
      if (ago === undefined || Date.now() - ago >= since) onChange(new Set(changed))
    }
    own.onclose = ({ code }) => {
      clearInterval(pings)
      // Closed here, and perhaps opened again.
      if (socket !== own) return
      socket = undefined
      if (code === sessionEnded) onEnd?.()
      // A browser does not say why it has no connection; without a network it was not refused.
      if (openedAt > Date.now() && navigator.onLine && !isRefused) {
        isRefused = true
        onRefused?.()
      }
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
