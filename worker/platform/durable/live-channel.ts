import { DurableObject } from 'cloudflare:workers'

/** What has changed for a user. A message names it without its content: the receiver asks with its own session. */
export const liveChanges = ['user', 'sessions', 'credentials', 'organizations', 'purchases', 'approvals'] as const
export type LiveChange = (typeof liveChanges)[number]

/** Open connections of a channel; another one is refused. */
export const maxTabs = 50

/** In a list of ended sessions: all of the user. */
export const everySession = '*'

/** The close code after the session of a connection has ended. */
export const sessionEnded = 4401

/**
 * Headers of the request that opens a connection: the id of its session, when that ends (Unix time, ms), its tab, and
 * whether it begins with the recent messages.
 */
export const seatHeaders = {
  ...{ session: 'gatehouse-session', until: 'gatehouse-until', tab: 'gatehouse-tab', recent: 'gatehouse-recent' },
}

/** An idle object keeps its memory for about as long (ms) before it sleeps. */
const recentTime = 10_000
const maxRecent = 50

type Changed = readonly (LiveChange | 'records')[]

interface Seat {
  until: number
  tab: string | null
}

/**
 * The open tabs of one user, or the open audit pages of one organization. The object sleeps between messages (hibernation): connections stay open, and an idle one
 * costs nothing.
 */
export class LiveChannel extends DurableObject {
  /** The newest messages, for pages that were loaded before them and connect after them. */
  #recent: { at: number; changed: Changed; tab: string | null }[] = []

  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env)
    // Answered by the runtime while the object sleeps.
    this.ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('ping', 'pong'))
  }

  /** Opens a connection. 429 if the user has too many. */
  override async fetch({ headers }: Request): Promise<Response> {
    const session = headers.get(seatHeaders.session)!
    const until = Number(headers.get(seatHeaders.until))
    if (this.ctx.getWebSockets().length >= maxTabs) return new Response(null, { status: 429 })
    const { 0: client, 1: server } = new WebSocketPair()
    this.ctx.acceptWebSocket(server, [session])
    server.serializeAttachment({ until, tab: headers.get(seatHeaders.tab) } satisfies Seat)
    if (headers.get(seatHeaders.recent)) {
      const now = Date.now()
      for (const { at, changed, tab } of this.#recent)
        if (now - at < recentTime && !isOwn(server, tab)) server.send(JSON.stringify({ changed, ago: now - at }))
    }
    const alarm = await this.ctx.storage.getAlarm()
    if (alarm === null || until < alarm) await this.ctx.storage.setAlarm(until)
    return new Response(null, { status: 101, webSocket: client })
  }

  /**
   * Sends `{"changed":[...]}` to every tab but the one that made the change; `records` only to audit pages.
   * @param ended ids of sessions that have ended, or everySession; their connections are closed
   */
  notify(changed: Changed, ended: readonly string[], tab: string | null): void {
    for (const session of ended) {
      for (const socket of this.ctx.getWebSockets(session === everySession ? undefined : session))
        close(socket, sessionEnded)
    }
    this.#recent = [...this.#recent.slice(1 - maxRecent), { at: Date.now(), changed, tab }]
    const text = JSON.stringify({ changed })
    for (const socket of this.ctx.getWebSockets()) {
      if (socket.readyState === WebSocket.OPEN && !isOwn(socket, tab)) socket.send(text)
    }
  }

  // A message other than "ping" would wake the object each time.
  override webSocketMessage(socket: WebSocket): void {
    close(socket, 1008)
  }

  override webSocketClose(socket: WebSocket): void {
    close(socket, 1000)
  }

  /** Closes the connections whose session has expired. */
  override async alarm(): Promise<void> {
    const now = Date.now()
    let next: number | null = null
    for (const socket of this.ctx.getWebSockets()) {
      const { until } = seatOf(socket)
      if (until <= now) close(socket, sessionEnded)
      else next = Math.min(next ?? until, until)
    }
    if (next !== null) await this.ctx.storage.setAlarm(next)
  }
}

const seatOf = (socket: WebSocket) => socket.deserializeAttachment() as Seat

/** Whether the tab that made a change is that of the connection. */
const isOwn = (socket: WebSocket, tab: string | null) => tab !== null && seatOf(socket).tab === tab

function close(socket: WebSocket, code: number): void {
  if (socket.readyState !== WebSocket.CLOSED) socket.close(code)
}
