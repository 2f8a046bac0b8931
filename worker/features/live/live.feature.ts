import { defineFeature } from '../../http/feature.ts'
import { routes } from '../../http/routes.ts'
import type { ReactionsOf } from '../../identity/lifecycle.ts'
import type { MemberFacts } from '../../identity/model/events.ts'
import type { Session } from '../../identity/model/sessions.table.ts'
import type { User } from '../../identity/model/users.table.ts'
import { liveOptions, notifyTabs } from '../../identity/notify-tabs.ts'
import type { Scope } from '../../identity/scope.ts'
import { everySession } from '../../platform/durable/live-channel.ts'
import { liveContract, type OptionalPublicConfiguration } from './live.contract.ts'
import { openChannel } from './open-channel.ts'

const aboutUser = (scope: Scope, { id }: User) => notifyTabs(scope, id, 'user')
const aboutMember = (scope: Scope, { member }: { member: MemberFacts }) =>
  notifyTabs(scope, member.userId, 'organizations')

const reactions: ReactionsOf<Scope> = {
  'user.updated': aboutUser,
  'user.deleted': (scope, { id }) => notifyTabs(scope, id, 'user', everySession),
  'session.created': (scope, { userId }: Session) => notifyTabs(scope, userId, 'sessions'),
  'session.ended': (scope, { id, userId }: Session) => notifyTabs(scope, userId, 'sessions', id),
  'security.event': (scope, { userId }) => notifyTabs(scope, userId, 'credentials'),
  'approval.requested': (scope, { userId }) => notifyTabs(scope, userId, 'approvals'),
  'member.added': aboutMember,
  'member.removed': aboutMember,
  'member.role-changed': aboutMember,
}

/** Open tabs learn at once about changes of their user. */
export const live = defineFeature({
  name: 'live',
  steps: { reactions },
  routes: routes(liveContract, {
    live: ({ scope, caller: { user, session }, query: { tab }, request }) =>
      openChannel(scope, { channel: user.id, sessionId: session.id, until: session.expiresAt, tab }, request),
  }),
  options: liveOptions,
  // Without the channel, too: pages send it with every call.
  corsHeaders: () => ({ request: ['gatehouse-tab'] }),
  publicConfiguration: (): OptionalPublicConfiguration => ({ features: { live: true } }),
})
