import { redirectUriFault } from '../../../features/identity-provider/clients/redirect-uris.ts'
import { sha256 } from '../../../kit/hash.ts'
import { asDate, asFlag, asJson, asText, type ImportRecord, type Values } from '../records.ts'

/** A row by column names in lower case without underscores. */
export type Row = Record<string, unknown>

export interface ReadRow {
  row: Row
  /** Where it stands in its file. */
  at: string
  problem?: string
}

type Records = ImportRecord | ImportRecord[] | null
type Read = (row: Row, at: string) => Records

/** What a row becomes, unless it has no id. @param read null for what has ended, which stays behind in silence */
const identified =
  (kind: string, read: (row: Row, id: string) => Records): Read =>
  (row, at) => {
    const id = asText(row.id)
    return id === null ? { kind: 'skipped', what: at, reason: `${kind} without an id` } : read(row, id)
  }

const userIdOf = (row: Row): string => asText(row.userid) ?? ''

const hasPassed = (date: Date | null): boolean => date !== null && date.getTime() < Date.now()

/** JSON as the column holds it; null for anything else, which nobody could read. */
const jsonText = (value: unknown): string | null => {
  const object = asJson(value)
  return object && JSON.stringify(object)
}

const number = (value: unknown): number | null => {
  const read = asText(value) === null ? Number.NaN : Number(value)
  return Number.isFinite(read) ? read : null
}

const times = (row: Row) => ({ created_at: asDate(row.createdat), updated_at: asDate(row.updatedat) })

const organization = identified('organization', ({ name, slug, logo, metadata, createdat }, id) => {
  const values = { name: asText(name), slug: asText(slug), logo: asText(logo), metadata: jsonText(metadata) }
  return { kind: 'organization', values: { id, ...values, created_at: asDate(createdat) } }
})

const team = identified('team', ({ name, organizationid, createdat }, id) => {
  const values = { id, name: asText(name), organization_id: asText(organizationid), created_at: asDate(createdat) }
  return { kind: 'team', values }
})

const member = identified('member', (row, id) => {
  const [role, team_id] = [asText(row.role) ?? 'member', asText(row.teamid)]
  const values = { id, organization_id: asText(row.organizationid), role, team_id, created_at: asDate(row.createdat) }
  return { kind: 'member', userId: userIdOf(row), values }
})

const invitation = identified('invitation', (row, id) => {
  const [role, status, team_id] = [asText(row.role), asText(row.status) ?? 'pending', asText(row.teamid)]
  const [expires_at, created_at] = [asDate(row.expiresat), asDate(row.createdat)]
  const whom = { email: asText(row.email)?.toLowerCase(), role, status, team_id }
  const values = { id, organization_id: asText(row.organizationid), ...whom, expires_at, created_at }
  return { kind: 'invitation', userId: asText(row.inviterid) ?? '', values }
})

const passkey = identified('passkey', (row, id) => {
  const values = {
    id,
    name: asText(row.name),
    public_key: asText(row.publickey),
    credential_id: asText(row.credentialid),
    counter: Number(row.counter) || 0,
    device_type: row.devicetype === 'singleDevice' ? 'singleDevice' : 'multiDevice',
    backed_up: asFlag(row.backedup),
    transports: asText(row.transports),
    aaguid: asText(row.aaguid) ?? '00000000-0000-0000-0000-000000000000',
    created_at: asDate(row.createdat),
  }
  return { kind: 'passkey', userId: userIdOf(row), values }
})

const session = identified('session', (row, id) => {
  const expires_at = asDate(row.expiresat)
  // What has ended stays behind, and so does an administrator who acts as somebody else.
  if (!expires_at || hasPassed(expires_at) || asText(row.impersonatedby)) return null
  const values = {
    id,
    token: asText(row.token),
    expires_at,
    ip_address: asText(row.ipaddress) ?? '',
    user_agent: asText(row.useragent)?.slice(0, 1024),
    active_organization_id: asText(row.activeorganizationid),
    ...times(row),
  }
  return { kind: 'session', userId: userIdOf(row), values }
})

/** SHA-256 in base64url, which is what a key is stored as on both sides. */
const isHash = (text: string): boolean => /^[\w-]{43}$/.test(text)

/** An object of lists of texts, as JSON. */
function permissionsText(value: unknown): string | null {
  const object = asJson(value)
  const isList = (list: unknown) => Array.isArray(list) && list.every((action) => typeof action === 'string')
  return object && Object.values(object).every(isList) ? JSON.stringify(object) : null
}

/** The server encodes it twice: as JSON, in a text of JSON. */
function metadataText(value: unknown): string | null {
  const once = jsonText(value)
  if (once !== null || typeof value !== 'string') return once
  try {
    return jsonText(JSON.parse(value))
  } catch {
    return null
  }
}

const apiKey = identified('apiKey', (row, id) => {
  const [stored, expires_at, permissions] = [asText(row.key), asDate(row.expiresat), permissionsText(row.permissions)]
  if (hasPassed(expires_at)) return null
  if (asText(row.permissions) && !permissions) {
    return { kind: 'skipped', what: id, reason: 'apiKey: its permissions cannot be read' }
  }
  const values = {
    id,
    name: asText(row.name),
    start: asText(row.start),
    prefix: asText(row.prefix),
    // With `disableKeyHashing` the server stored the key itself.
    key_hash: stored && (isHash(stored) ? stored : sha256(stored)),
    enabled: row.enabled === null || row.enabled === undefined || asFlag(row.enabled),
    expires_at,
    remaining: number(row.remaining),
    refill_amount: number(row.refillamount),
    refill_interval: number(row.refillinterval),
    last_refill_at: asDate(row.lastrefillat),
    rate_limit_enabled: asFlag(row.ratelimitenabled),
    rate_limit_time_window: number(row.ratelimittimewindow),
    rate_limit_max: number(row.ratelimitmax),
    request_count: number(row.requestcount) ?? 0,
    // Its window there begins anew with every use.
    window_started_at: asDate(row.lastrequest),
    last_request: asDate(row.lastrequest),
    permissions,
    metadata: metadataText(row.metadata),
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
    client_id: asText(row.clientid),
    client_secret: isPublic ? null : sha256(secret),
    name: asText(row.name) || (redirectURLs[0] && new URL(redirectURLs[0]).host) || 'Unnamed application',
    icon: asText(row.icon),
    metadata: metadataText(row.metadata),
    redirect_urls: JSON.stringify(redirectURLs),
    type: isPublic ? 'public' : 'web',
    // A secret may come in the header or in the body, whatever a client registered for.
    authentication_scheme: isPublic ? 'none' : 'client_secret_basic',
    disabled: asFlag(row.disabled),
    registration: '{"grant_types":["authorization_code","refresh_token"],"response_types":["code"]}',
    ...times(row),
  }
  return [...faults, { kind: 'oauthClient', userId: asText(row.userid), values }]
})

/** Tokens are stored as they are there, and as their SHA-256 here. */
const oauthToken = identified('oauthToken', (row, id) => {
  const scopes = asText(row.scopes)
  const accessToken = asText(row.accesstoken)
  const [accessEnds, refreshEnds] = [asDate(row.accesstokenexpiresat), asDate(row.refreshtokenexpiresat)]
  // Every row has a refresh token; the client got it only with this scope.
  const refreshToken = scopes?.split(' ').includes('offline_access') ? asText(row.refreshtoken) : null
  if (hasPassed(accessEnds) && (refreshToken === null || hasPassed(refreshEnds))) return null
  const { created_at, updated_at } = times(row)
  const values: Values = {
    id,
    client_id: asText(row.clientid),
    scopes,
    access_token: accessToken && sha256(accessToken),
    access_token_expires_at: accessEnds,
    refresh_token: refreshToken && sha256(refreshToken),
    refresh_token_expires_at: refreshToken && refreshEnds,
    grant_id: sha256(`imported:${id}`),
    // That of a person as they are imported: a password that is reset here ends what was granted there.
    security_version: 0,
    auth_time: created_at ?? new Date(0),
    created_at,
    updated_at,
  }
  return { kind: 'oauthToken', userId: userIdOf(row), values }
})

/** Tables of better-auth besides those of people, in the order in which they need each other. */
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

/** Each time that somebody agreed is a row there; here a person has one for each client, with all that they agreed to. */
export async function* consentsOf(rows: AsyncIterable<ReadRow>): AsyncGenerator<ImportRecord> {
  const given = new Map<string, { id: string; row: Row; scopes: Set<string> }>()
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
    const values = { client_id: asText(row.clientid), scopes: [...scopes].join(' '), consent_given: true }
    yield { kind: 'oauthConsent', userId: userIdOf(row), values: { id, ...values, ...times(row) } }
  }
}
