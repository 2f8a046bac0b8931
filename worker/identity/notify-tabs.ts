import { bounded, timeouts } from '../platform/bounded.ts'
import type { LiveChange } from '../platform/durable/live-channel.ts'
import { liveOptions } from './live.config.ts'
import type { Scope } from './scope.ts'

/** Users that one request notifies. A request may make few calls; the tabs of further users load again on their next focus. */
const maxUsers = 40

interface Told {
  changed: Set<LiveChange>
  ended: Set<string>
}

const waiting = new WeakMap<Scope, Map<string, Told>>()

/**
 * Notifies the open tabs of a user of a change, after the response: one call for each user, best effort, because a tab
 * loads its data again when it is opened, focused or connected.
 * @param endedSession the id of an ended session, or everySession: its connections are closed
 */
export function notifyTabs(scope: Scope, userId: string, change: LiveChange, endedSession?: string): void {
  if (!liveOptions.of(scope).enabled) return
  let users = waiting.get(scope)
  if (!users) {
    users = new Map()
    waiting.set(scope, users)
    scope.after(() => send(scope))
  }
  let told = users.get(userId)
  if (!told) {
    if (users.size >= maxUsers) return
    told = { changed: new Set(), ended: new Set() }
    users.set(userId, told)
  }
  told.changed.add(change)
  if (endedSession) told.ended.add(endedSession)
}

async function send(scope: Scope): Promise<void> {
  const users = [...waiting.get(scope)!]
  const tab = scope.request.headers.get('gatehouse-tab')
  waiting.delete(scope)
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

const organizations = new WeakMap<Scope, Set<string>>()

/**
 * Notifies the open audit pages of an organization of a new record, after the response: one call for each organization,
 * best effort. The pages load the record with their own sessions.
 */
export function notifyAuditPages(scope: Scope, organizationId: string): void {
  if (!liveOptions.of(scope).enabled) return
  let ids = organizations.get(scope)
  if (!ids) {
    ids = new Set()
    organizations.set(scope, ids)
    scope.after(async () => {
      const all = [...organizations.get(scope)!]
      organizations.delete(scope)
      await Promise.all(
        all.map((id) =>
          bounded('the live channel', timeouts.required, async () =>
            scope.env.LIVE.getByName(auditChannel(id)).notify(['records'], [], null),
          ),
        ),
      )
    })
  }
  if (ids.size < maxOrganizations) ids.add(organizationId)
}
