import { defineParts } from '../../http/feature.ts'
import type { ReactionsOf } from '../../identity/lifecycle.ts'
import type { MemberFacts } from '../../identity/model/events.ts'
import type { Session } from '../../identity/model/sessions.table.ts'
import type { User } from '../../identity/model/users.table.ts'
import { notifyTabs } from '../../identity/notify-tabs.ts'
import type { Scope } from '../../identity/scope.ts'
import { everySession } from '../../platform/durable/live-channel.ts'

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

export const liveParts = defineParts({
  steps: { reactions },
})
