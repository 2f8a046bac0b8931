import { httpErrors } from '../../http/http.errors.ts'
import type { Scope } from '../../identity/scope.ts'
import { bounded, timeouts } from '../../platform/bounded.ts'
import { seatHeaders } from '../../platform/durable/live-channel.ts'
import { liveErrors } from './live.errors.ts'

interface Seat {
  /** The name of the channel's object. */
  channel: string
  sessionId: string
  /** When the connection is closed. */
  until: Date
  /** The value of the header `gatehouse-tab` of the tab's own calls, about which it gets no message. */
  tab?: string | undefined
  /** It begins with the messages of the last ten seconds. */
  recent?: boolean | undefined
}

/**
 * Connects a tab with a channel.
 * @throws UPGRADE_REQUIRED, TOO_MANY_REQUESTS
 */
export async function openChannel(
  scope: Scope,
  { channel, sessionId, until, tab, recent }: Seat,
  request: Request,
): Promise<Response> {
  if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket') throw liveErrors.UPGRADE_REQUIRED()
  scope.io.used.durable += 1
  const { status, webSocket } = await bounded('the live channel', timeouts.required, () =>
    scope.env.LIVE.getByName(channel).fetch('https://live', {
      headers: {
        upgrade: 'websocket',
        [seatHeaders.session]: sessionId,
        [seatHeaders.until]: String(until.getTime()),
        ...(tab && { [seatHeaders.tab]: tab }),
        ...(recent && { [seatHeaders.recent]: '1' }),
      },
    }),
  )
  if (!webSocket) {
    if (status === 429) throw httpErrors.TOO_MANY_REQUESTS()
    throw httpErrors.UNAVAILABLE()
  }
  return new Response(null, { status: 101, webSocket })
}
