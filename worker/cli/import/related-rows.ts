import type { RelatedRecord, Values } from './records.ts'
import type { Row, Skipped } from './row.ts'

interface Kind {
  table: string
  /** What the row cannot be without. */
  required: string[]
  /** The column of its person, without whom it stays behind. */
  person?: string
  /** Columns that become null where the row that they name is not there: column -> table. */
  optional?: Record<string, string>
  /** Whether it has an updated_at. */
  updated?: boolean
}

const kinds: Record<RelatedRecord['kind'], Kind> = {
  organization: { table: 'organizations', required: ['name', 'slug'] },
  team: { table: 'teams', required: ['name', 'organization_id'] },
  member: { table: 'members', required: ['organization_id'], person: 'user_id', optional: { team_id: 'teams' } },
  invitation: {
    table: 'invitations',
    required: ['organization_id', 'email', 'expires_at'],
    person: 'inviter_id',
    optional: { team_id: 'teams' },
  },
  passkey: { table: 'passkeys', required: ['public_key', 'credential_id'], person: 'user_id' },
  session: {
    table: 'sessions',
    required: ['token', 'expires_at'],
    person: 'user_id',
    optional: { active_organization_id: 'organizations' },
    updated: true,
  },
  apiKey: { table: 'api_keys', required: ['key_hash'], person: 'user_id', updated: true },
  oauthClient: {
    table: 'oauth_applications',
    required: ['client_id', 'redirect_urls'],
    optional: { user_id: 'users' },
    updated: true,
  },
  oauthConsent: { table: 'oauth_consents', required: ['client_id', 'scopes'], person: 'user_id', updated: true },
  oauthToken: {
    table: 'oauth_access_tokens',
    required: ['client_id', 'scopes', 'access_token', 'access_token_expires_at'],
    person: 'user_id',
    updated: true,
  },
}

/** Rows of what belongs to people: organizations, sessions, keys, clients ... */
export class RelatedRows {
  private readonly people: ReadonlyMap<string, string>
  private readonly now: Date
  /** What clients are called, for the consents to them. */
  private readonly clients = new Map<string, string>()

  /** @param people the ids of those who were imported: the source's -> ours */
  constructor(people: ReadonlyMap<string, string>, now: Date) {
    this.people = people
    this.now = now
  }

  /** @returns the row, or why there is none */
  rowOf(record: RelatedRecord): Row | Skipped {
    const { kind } = record
    const { table, required, person, optional, updated } = kinds[kind]
    const { created_at, ...given } = record.values
    const id = String(given.id)
    const absent = required.find((column) => given[column] === null || given[column] === undefined)
    if (absent) return { what: id, reason: `${kind}: has no ${absent}` }
    const values: Values = { ...given, created_at: created_at ?? this.now }
    const needs: Row['needs'] = []
    if (person && 'userId' in record) {
      const userId = this.people.get(String(record.userId))
      if (!userId) return { what: id, reason: `${kind}: its person was not imported` }
      values[person] = userId
      needs.push(['users', userId])
    }
    if (values.organization_id) needs.push(['organizations', String(values.organization_id)])
    if (updated) values.updated_at ??= values.created_at
    if (kind === 'oauthClient') {
      values.user_id = (record.userId && this.people.get(record.userId)) ?? null
      this.clients.set(String(values.client_id), String(values.name))
    }
    if (kind === 'oauthConsent') values.client_name = this.clients.get(String(values.client_id)) ?? values.client_id
    const named = Object.entries(optional ?? {}).filter(([column]) => values[column])
    return { table, id, values, needs, ...(named.length > 0 && { optional: Object.fromEntries(named) }) }
  }
}
