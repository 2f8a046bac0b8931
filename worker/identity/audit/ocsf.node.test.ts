import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { type AuditActivity, auditActions } from '../../kit/audit-actions.ts'
import { type MappedRecord, toOcsf } from './ocsf.ts'

/** What receivers of the log rely on: the activity by the words of the action, first match first; `updated` otherwise. */
const byWords: readonly (readonly [RegExp, AuditActivity])[] = [
  [/^(sign-out|end-copied-session|revoke-.*session|.*\.sign-out|stop-impersonating|oauth2\.logout)/, 'signed-out'],
  [
    /^(sign-in|sso\.(callback|saml2)|impersonate-user|callback|oauth2\.callback|magic-link|two-factor\.verify|passkey\.verify-second)/,
    'signed-in',
  ],
  [/^oauth2\.token$/, 'ticket-issued'],
  [/^(sign-up|create-user)/, 'account-created'],
  [/^(unban-user|ban-expired)$/, 'account-enabled'],
  [/^(change-password|set-password)/, 'password-changed'],
  [/^(reset-password|set-user-password|email-otp\.reset-password|phone-number\.reset-password)/, 'password-reset'],
  [/^ban-user$/, 'account-disabled'],
  [/^(delete-user|remove-user)/, 'account-deleted'],
  [/^two-factor\.enable/, 'second-factor-enabled'],
  [/^two-factor\.disable/, 'second-factor-disabled'],
  [/^organization\.(accept-invitation|add-(team-)?member)|add-member$/, 'member-added'],
  [/^(organization\.(remove-(team-)?member|leave)|remove-organization-member)$/, 'member-removed'],
  [/^admin\.block-network$/, 'created'],
  [/^admin\.(unblock-network|end-network-sessions)$/, 'deleted'],
  [/(^|[.-])(create|add|register|invite|upload)/, 'created'],
  [/(^|[.-])(list|export)/, 'read'],
  [/(^|[.-])(delete|remove|revoke|cancel|reject|unlink)/, 'deleted'],
]

it('an action has the activity of its words; a new one that differs is named here', () => {
  const expected = Object.keys(auditActions).map((action) => [
    action,
    byWords.find(([words]) => words.test(action))?.[1] ?? 'updated',
  ])
  expect(auditActions).toEqual(Object.fromEntries(expected))
})

const record = (action: string): MappedRecord => ({
  ...{ id: 'r', createdAt: new Date(0), action, organizationId: 'o', organizationSeq: 1 },
  ...{ actorType: 'user', actorId: 'a', actorName: null, actorVia: null, onBehalfOf: null },
  ...{ subjectType: 'user', subjectId: 's', subjectName: null, ipAddress: null, userAgent: null, requestId: null },
  ...{ before: {}, after: {} },
})

it.each<[action: string, type: number]>([
  ['sign-in.email', 300201],
  ['sign-out', 300202],
  ['oauth2.token', 300203],
  ['sign-up.email', 300101],
  ['unban-user', 300102],
  ['change-password', 300103],
  ['reset-password', 300104],
  ['ban-user', 300105],
  ['remove-user', 300106],
  ['two-factor.enable', 300110],
  ['two-factor.disable', 300111],
  ['organization.accept-invitation', 300603],
  ['organization.leave', 300604],
  ['api-key.create', 300401],
  ['export-users', 300402],
  ['organization.update', 300403],
  ['api-key.delete', 300404],
  ['of-another-version', 300403],
  ['constructor', 300403],
])('%s has the type %i', (action, type) => {
  expect(toOcsf(record(action))).toMatchObject({ type_uid: type, class_uid: Math.floor(type / 100) })
})

it('each action is stated by an endpoint, an operation or a use case', () => {
  const files = readdirSync('worker', { recursive: true, encoding: 'utf8' }).filter(
    (file) => /^(features|identity|http|rpc)\/.*\.ts$/.test(file) && !/\.(test|cases)\.ts$/.test(file),
  )
  const source = files.map((file) => readFileSync(`worker/${file}`, 'utf8')).join('\n')
  expect(Object.keys(auditActions).filter((action) => !source.includes(`'${action}'`))).toEqual([])
})
