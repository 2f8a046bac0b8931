/** The close code of the server after the session has ended. */
const sessionEnded = 4401

/** Below the time (ms) after which proxies close an idle connection. */
const pingInterval = 50_000
const firstPause = 1000
const maxPause = 300_000

interface SocketHandlers {
  /** Called for each message but the answers of the server to pings. */
  onText(text: string): void
  /** Called after each connection but the first attempt: messages may have been missed. */
  onReopen(): void
  /** Called when the session of this page has ended. */
  onEnd?(): void
}

/**
 * Opens a WebSocket at an http(s) URL, and opens it again after a failure, with growing random pauses.
 * @returns a function that closes it
 */
export function openSocket(address: URL, { onText, onReopen, onEnd }: SocketHandlers): () => void {
  const url = new URL(address)
  url.protocol = url.protocol.replace('http', 'ws')
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
      if (mayHaveMissed) onReopen()
    }
    own.onmessage = ({ data }: MessageEvent<string>) => {
      if (data !== 'pong') onText(data)
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
