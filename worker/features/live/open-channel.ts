import { httpErrors } from '../../http/http.errors.ts'
import type { Caller, Scope } from '../../identity/scope.ts'
import { bounded, timeouts } from '../../platform/bounded.ts'
import { seatHeaders } from '../../platform/durable/live-channel.ts'
import { liveErrors } from './live.errors.ts'

/**
 * Connects a tab with the channel of its user until the session ends.
 * @param tab the value of the header `gatehouse-tab` of its own calls, about which it gets no message
 * @throws UPGRADE_REQUIRED, TOO_MANY_REQUESTS
 */
export async function openChannel(
  scope: Scope,
  { user, session }: Caller,
  tab: string | undefined,
  request: Request,
): Promise<Response> {
  if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket') throw liveErrors.UPGRADE_REQUIRED()
  scope.io.durable += 1
  const { status, webSocket } = await bounded('the live channel', timeouts.required, () =>
    scope.env.LIVE.getByName(user.id).fetch('https://live', {
      headers: {
        upgrade: 'websocket',
        [seatHeaders.session]: session.id,
        [seatHeaders.until]: String(session.expiresAt.getTime()),
        ...(tab && { [seatHeaders.tab]: tab }),
      },
    }),
  )
  if (!webSocket) {
    if (status === 429) throw httpErrors.TOO_MANY_REQUESTS()
    throw httpErrors.UNAVAILABLE()
  }
  return new Response(null, { status: 101, webSocket })
}
