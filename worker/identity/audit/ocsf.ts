import type { NamedRecord } from './audit-log.store.ts'

/** The fields of a record that the mapping reads. */
export type MappedRecord = Omit<NamedRecord, 'seq' | 'hash' | 'organizationHash'>

/** OCSF classes of the category Identity & Access Management (3), by `class_uid` (schema.ocsf.io, version 1.4.0). */
const classes = { accountChange: 3001, authentication: 3002, entityManagement: 3004, groupManagement: 3006 } as const

interface Mapping {
  class_uid: number
  activity_id: number
}

const { accountChange, authentication, entityManagement, groupManagement } = classes
const as = (class_uid: number, activity_id: number): Mapping => ({ class_uid, activity_id })

/** The mapping by the action, first match first. What none of them names is a change of an entity. */
const byAction: readonly (readonly [RegExp, Mapping])[] = [
  [/^(sign-out|revoke-.*session|.*\.sign-out|stop-impersonating|oauth2\.logout)/, as(authentication, 2)],
  [
    /^(sign-in|sso\.(callback|saml2)|impersonate-user|callback|oauth2\.callback|magic-link|two-factor\.verify)/,
    as(authentication, 1),
  ],
  [/^oauth2\.token$/, as(authentication, 3)],
  [/^(sign-up|create-user)/, as(accountChange, 1)],
  [/^(unban-user|ban-expired)$/, as(accountChange, 2)],
  [/^(change-password|set-password)/, as(accountChange, 3)],
  [/^(reset-password|set-user-password|email-otp\.reset-password|phone-number\.reset-password)/, as(accountChange, 4)],
  [/^ban-user$/, as(accountChange, 5)],
  [/^(delete-user|remove-user)/, as(accountChange, 6)],
  [/^two-factor\.enable/, as(accountChange, 10)],
  [/^two-factor\.disable/, as(accountChange, 11)],
  [/^organization\.(accept-invitation|add-(team-)?member)|add-member$/, as(groupManagement, 3)],
  [/^(organization\.(remove-(team-)?member|leave)|remove-organization-member)$/, as(groupManagement, 4)],
  [/(^|[.-])(create|add|register|invite|upload)/, as(entityManagement, 1)],
  [/(^|[.-])(list|export)/, as(entityManagement, 2)],
  [/(^|[.-])(delete|remove|revoke|cancel|reject|unlink)/, as(entityManagement, 4)],
]

/** A record as an event of the Open Cybersecurity Schema Framework. */
export function toOcsf(record: MappedRecord): object {
  const { class_uid, activity_id } =
    byAction.find(([pattern]) => pattern.test(record.action))?.[1] ?? as(entityManagement, 3)
  const user = { uid: record.subjectId ?? undefined, name: record.subjectName ?? undefined, type_id: 1 }
  const entity = { uid: record.subjectId ?? undefined, type: record.subjectType }
  const about =
    class_uid === entityManagement
      ? { entity }
      : class_uid === groupManagement
        ? { user, group: { uid: record.organizationId ?? undefined, type: 'organization' } }
        : { user }
  return {
    activity_id,
    category_uid: 3,
    class_uid,
    type_uid: class_uid * 100 + activity_id,
    severity_id: 1,
    status_id: 1,
    time: record.createdAt.getTime(),
    message: record.action,
    metadata: {
      version: '1.4.0',
      uid: record.id,
      sequence: record.organizationSeq ?? undefined,
      correlation_uid: record.requestId ?? undefined,
      product: { name: 'Gatehouse', vendor_name: 'Gatehouse' },
      tenant_uid: record.organizationId ?? undefined,
    },
    actor: {
      user: { uid: record.actorId ?? undefined, name: record.actorName ?? undefined, type: record.actorType },
      ...(record.actorVia === null ? {} : { session: { credential_uid: record.actorVia } }),
    },
    ...(record.ipAddress === null ? {} : { src_endpoint: { ip: record.ipAddress } }),
    ...(record.userAgent === null ? {} : { http_request: { user_agent: record.userAgent } }),
    ...about,
    unmapped: { before: record.before, after: record.after, on_behalf_of: record.onBehalfOf },
  }
}
