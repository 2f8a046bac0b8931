import { redirectUriFault } from '../../../features/identity-provider/model/clients/redirect-uris.ts'
import type { InvitationStatus } from '../../../features/organization/model/invitations.table.ts'
import { sha256 } from '../../../kit/hash.ts'
import { usualKeyAccess } from '../../../kit/key-access.ts'
import type { Permissions } from '../../../kit/permissions.ts'
import { asDate, asFlag, asJson, asText, type ImportRecord } from '../records.ts'

/** A row by column names in lower case without underscores. */
export type SourceRow = Record<string, unknown>

export interface ReadRow {
  row: SourceRow
  /** The position in the file. */
  at: string
  problem?: string
}

type Records = ImportRecord | ImportRecord[] | null
type Read = (row: SourceRow, at: string) => Records

/**
 * Converts a row, unless it has no id. @param read returns null for an expired row, which is skipped without a report
 */
const identified =
  (kind: string, read: (row: SourceRow, id: string) => Records): Read =>
  (row, at) => {
    const id = asText(row.id)
    return id === null ? { kind: 'skipped', what: at, reason: `${kind} without an id` } : read(row, id)
  }

const userIdOf = (row: SourceRow): string => asText(row.userid) ?? ''

const hasPassed = (date: Date | null): boolean => date !== null && date.getTime() < Date.now()

const number = (value: unknown): number | null => {
  const read = asText(value) === null ? Number.NaN : Number(value)
  return Number.isFinite(read) ? read : null
}

const times = (row: SourceRow) => ({ createdAt: asDate(row.createdat), updatedAt: asDate(row.updatedat) })

const organization = identified('organization', ({ name, slug, logo, metadata, createdat }, id) => {
  const values = { name: asText(name), slug: asText(slug), logo: asText(logo), metadata: asJson(metadata) }
  return { kind: 'organization', values: { id, ...values, createdAt: asDate(createdat) } }
})

const team = identified('team', ({ name, organizationid, createdat }, id) => {
  const values = { id, name: asText(name), organizationId: asText(organizationid), createdAt: asDate(createdat) }
  return { kind: 'team', values }
})

const member = identified('member', (row, id) => {
  const [role, teamId] = [asText(row.role) ?? 'member', asText(row.teamid)]
  const values = { id, organizationId: asText(row.organizationid), role, teamId, createdAt: asDate(row.createdat) }
  return { kind: 'member', userId: userIdOf(row), values }
})

const invitation = identified('invitation', (row, id) => {
  const [role, teamId] = [asText(row.role), asText(row.teamid)]
  const status = (asText(row.status) ?? 'pending') as InvitationStatus
  const [expiresAt, createdAt] = [asDate(row.expiresat), asDate(row.createdat)]
  const whom = { email: asText(row.email)?.toLowerCase(), role, status, teamId }
  const values = { id, organizationId: asText(row.organizationid), ...whom, expiresAt, createdAt }
  return { kind: 'invitation', userId: asText(row.inviterid) ?? '', values }
})

const passkey = identified('passkey', (row, id) => {
  const values = {
    id,
    name: asText(row.name),
    publicKey: asText(row.publickey),
    credentialID: asText(row.credentialid),
    counter: Number(row.counter) || 0,
    deviceType: row.devicetype === 'singleDevice' ? ('singleDevice' as const) : ('multiDevice' as const),
    backedUp: asFlag(row.backedup),
    transports: asText(row.transports),
    aaguid: asText(row.aaguid) ?? '00000000-0000-0000-0000-000000000000',
    createdAt: asDate(row.createdat),
  }
  return { kind: 'passkey', userId: userIdOf(row), values }
})

const session = identified('session', (row, id) => {
  const expiresAt = asDate(row.expiresat)
  // The import leaves out expired sessions and impersonations by an administrator.
  if (!expiresAt || hasPassed(expiresAt) || asText(row.impersonatedby)) return null
  const values = {
    id,
    token: asText(row.token),
    expiresAt,
    ipAddress: asText(row.ipaddress) ?? '',
    userAgent: asText(row.useragent)?.slice(0, 1024),
    activeOrganizationId: asText(row.activeorganizationid),
    ...times(row),
  }
  return { kind: 'session', userId: userIdOf(row), values }
})

/** SHA-256 in base64url, the stored form of a key on both sides. */
const isHash = (text: string): boolean => /^[\w-]{43}$/.test(text)

/** An object of lists of texts. */
function permissionsOf(value: unknown): Permissions | null {
  const object = asJson(value)
  const isList = (list: unknown) => Array.isArray(list) && list.every((action) => typeof action === 'string')
  return object && Object.values(object).every(isList) ? (object as Permissions) : null
}

/** The server encodes it twice: as JSON in a JSON string. */
function metadataOf(value: unknown): Record<string, unknown> | null {
  const once = asJson(value)
  if (once !== null || typeof value !== 'string') return once
  try {
    return asJson(JSON.parse(value))
  } catch {
    return null
  }
}

const apiKey = identified('apiKey', (row, id) => {
  const [stored, expiresAt, permissions] = [asText(row.key), asDate(row.expiresat), permissionsOf(row.permissions)]
  if (hasPassed(expiresAt)) return null
  if (asText(row.permissions) && !permissions) {
    return { kind: 'skipped', what: id, reason: 'apiKey: its permissions cannot be read' }
  }
  const values = {
    id,
    name: asText(row.name),
    start: asText(row.start),
    prefix: asText(row.prefix),
    // With `disableKeyHashing` the server stored the plain key.
    keyHash: stored && (isHash(stored) ? stored : sha256(stored)),
    enabled: row.enabled === null || row.enabled === undefined || asFlag(row.enabled),
    expiresAt,
    remaining: number(row.remaining),
    refillAmount: number(row.refillamount),
    refillInterval: number(row.refillinterval),
    lastRefillAt: asDate(row.lastrefillat),
    rateLimitEnabled: asFlag(row.ratelimitenabled),
    rateLimitTimeWindow: number(row.ratelimittimewindow),
    rateLimitMax: number(row.ratelimitmax),
    requestCount: number(row.requestcount) ?? 0,
    // In better-auth every use of a key starts a new window.
    windowStartedAt: asDate(row.lastrequest),
    lastRequest: asDate(row.lastrequest),
    access: usualKeyAccess(permissions),
    permissions,
    metadata: metadataOf(row.metadata),
    ...times(row),
  }
  return { kind: 'apiKey', userId: userIdOf(row), values }
})

const oauthClient = identified('oauthClient', (row, id) => {
  const given = (asText(row.redirecturls) ?? '').split(',').filter((uri) => uri !== '')
  const redirectURLs = given.filter((uri) => redirectUriFault(uri) === null)
  const faults = given.flatMap((uri): ImportRecord[] => {
    const fault = redirectUriFault(uri)
    return fault ? [{ kind: 'skipped', what: id, reason: `oauthClient: redirect URI ${uri} ${fault}` }] : []
  })
  const secret = asText(row.clientsecret)
  const isPublic = secret === null || asText(row.type) === 'public'
  const values = {
    id,
    clientId: asText(row.clientid),
    clientSecret: isPublic ? null : sha256(secret),
    name: asText(row.name) || (redirectURLs[0] && new URL(redirectURLs[0]).host) || 'Unnamed application',
    icon: asText(row.icon),
    metadata: metadataOf(row.metadata),
    redirectURLs,
    type: isPublic ? 'public' : 'web',
    // A secret may be in the header or in the body, independent of the client's registration.
    authenticationScheme: isPublic ? 'none' : 'client_secret_basic',
    disabled: asFlag(row.disabled),
    registration: { grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] },
    ...times(row),
  }
  return [...faults, { kind: 'oauthClient', userId: asText(row.userid), values }]
})

/** Tokens are stored in plain text there, and as their SHA-256 here. */
const oauthToken = identified('oauthToken', (row, id) => {
  const scopes = asText(row.scopes)
  const accessToken = asText(row.accesstoken)
  const [accessEnds, refreshEnds] = [asDate(row.accesstokenexpiresat), asDate(row.refreshtokenexpiresat)]
  // Every row has a refresh token. The client received it only with this scope.
  const refreshToken = scopes?.split(' ').includes('offline_access') ? asText(row.refreshtoken) : null
  if (hasPassed(accessEnds) && (refreshToken === null || hasPassed(refreshEnds))) return null
  const { createdAt, updatedAt } = times(row)
  const values = {
    id,
    clientId: asText(row.clientid),
    scopes,
    accessToken: accessToken && sha256(accessToken),
    accessTokenExpiresAt: accessEnds,
    refreshToken: refreshToken && sha256(refreshToken),
    refreshTokenExpiresAt: refreshToken === null ? null : refreshEnds,
    grantId: sha256(`imported:${id}`),
    // The security version of an imported user, so that a password reset here also ends imported grants.
    securityVersion: 0,
    authTime: createdAt ?? new Date(0),
    createdAt,
    updatedAt,
  }
  return { kind: 'oauthToken', userId: userIdOf(row), values }
})

/** The tables of better-auth except those of users, in the order of their references. */
export const relatedTables: [table: string, read: Read][] = [
  ['organization', organization],
  ['team', team],
  ['member', member],
  ['invitation', invitation],
  ['passkey', passkey],
  ['session', session],
  ['apikey', apiKey],
  ['oauthapplication', oauthClient],
  ['oauthaccesstoken', oauthToken],
]

/** better-auth stores one row per consent. Here a user has one row per client, with all granted scopes. */
export async function* consentsOf(rows: AsyncIterable<ReadRow>): AsyncGenerator<ImportRecord> {
  const given = new Map<string, { id: string; row: SourceRow; scopes: Set<string> }>()
  for await (const { row, at, problem } of rows) {
    const id = asText(row.id)
    if (problem || id === null) yield { kind: 'skipped', what: at, reason: problem ?? 'oauthConsent without an id' }
    else if (asFlag(row.consentgiven)) {
      const key = JSON.stringify([row.userid, row.clientid])
      const consent = given.get(key) ?? { id, row, scopes: new Set() }
      given.set(key, consent)
      for (const scope of asText(row.scopes)?.split(' ') ?? []) consent.scopes.add(scope)
    }
  }
  for (const { id, row, scopes } of given.values()) {
    const values = { clientId: asText(row.clientid), scopes: [...scopes].join(' '), consentGiven: true }
    yield { kind: 'oauthConsent', userId: userIdOf(row), values: { id, ...values, ...times(row) } }
  }
}
