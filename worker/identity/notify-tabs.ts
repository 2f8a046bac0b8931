import { bounded, timeouts } from '../platform/bounded.ts'
import type { LiveChange } from '../platform/durable/live-channel.ts'
import { liveOptions } from './live.config.ts'
import type { Scope } from './scope.ts'

/** Users that one request notifies. A request may make few calls; the tabs of further users load again on their next focus. */
const maxUsers = 40

interface TabChanges {
  changed: Set<LiveChange>
  ended: Set<string>
}

/** The changes of a request by user, which are sent after the response. */
const changesByUser = (): Map<string, TabChanges> => new Map()

/**
 * Notifies the open tabs of a user of a change, after the response: one call for each user, best effort, because a tab
 * loads its data again when it is opened, focused or connected.
 * @param endedSession the id of an ended session, or everySession: its connections are closed
 */
export function notifyTabs(scope: Scope, userId: string, change: LiveChange, endedSession?: string): void {
  if (!liveOptions.of(scope).enabled) return
  const users = scope.once(changesByUser)
  if (users.size === 0) scope.after(() => send(scope))
  let changes = users.get(userId)
  if (!changes) {
    if (users.size >= maxUsers) return
    changes = { changed: new Set(), ended: new Set() }
    users.set(userId, changes)
  }
  changes.changed.add(change)
  if (endedSession) changes.ended.add(endedSession)
}

async function send(scope: Scope): Promise<void> {
  const users = [...scope.once(changesByUser)]
  scope.once(changesByUser).clear()
  const tab = scope.request.headers.get('gatehouse-tab')
  await Promise.all(
    users.map(([userId, { changed, ended }]) =>
      bounded('the live channel', timeouts.required, async () =>
        scope.env.LIVE.getByName(userId).notify([...changed], [...ended], tab),
      ),
    ),
  )
}

/** The name of the channel of the open audit pages of an organization. Ids of users have no colon. */
export const auditChannel = (organizationId: string): string => `audit:${organizationId}`

/** Organizations whose open audit pages one request notifies. */
const maxOrganizations = 5

const changedOrganizations = (): Set<string> => new Set()

/**
 * Notifies the open audit pages of an organization of a new record, after the response: one call for each organization,
 * best effort. The pages load the record with their own sessions.
 */
export function notifyAuditPages(scope: Scope, organizationId: string): void {
  if (!liveOptions.of(scope).enabled) return
  const ids = scope.once(changedOrganizations)
  if (ids.size === 0) scope.after(() => sendToAuditPages(scope))
  if (ids.size < maxOrganizations) ids.add(organizationId)
}

async function sendToAuditPages(scope: Scope): Promise<void> {
  const ids = [...scope.once(changedOrganizations)]
  scope.once(changedOrganizations).clear()
  await Promise.all(
    ids.map((id) =>
      bounded('the live channel', timeouts.required, async () =>
        scope.env.LIVE.getByName(auditChannel(id)).notify(['records'], [], null),
      ),
    ),
  )
}
