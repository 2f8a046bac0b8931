import { defineEndpoints } from '../../http/feature.ts'
import { routes } from '../../http/routes.ts'
import { liveContract } from './live.contract.ts'
import { openChannel } from './open-channel.ts'

export const liveEndpoints = defineEndpoints({
  routes: routes(liveContract, {
    live: ({ scope, caller: { user, session }, query, request }) =>
      openChannel(scope, { channel: user.id, sessionId: session.id, until: session.expiresAt, ...query }, request),
  }),
})
