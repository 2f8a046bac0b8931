import { jobStatementsFor } from '../../../../identity/jobs/jobs.ts'
import type { EventRows, EventType } from '../../../../identity/model/events.ts'
import type { JobKind } from '../../../../identity/model/job-kind.ts'
import type { Scope } from '../../../../identity/scope.ts'
import { addToFeed } from '../../../../identity/sessions/ended-sessions.ts'
import { unitOfWork } from '../../../../identity/unit-of-work.ts'
import { sha256 } from '../../../../kit/hash.ts'
import { ms, seconds } from '../../../../kit/time.ts'
import { maxOutage } from '../../../../platform/circuit.ts'
import { jsonOf } from '../../../../platform/json-sql.ts'
import type { Condition, Statement } from '../../../../platform/statements.ts'
import { identityProviderOptions } from '../../identity-provider.config.ts'
import { configuredResources, maxRegisteredJwtLifetime } from '../protocol/known-resources.ts'
import * as store from './ended-tokens.store.ts'
import { deleteTokens, ofGrant } from './tokens.store.ts'

/**
 * JWT access tokens that end before they expire: a feed of their own (decision 213), because they live longer than what the feed
 * of ended sessions judges. An entry is `jwt:` with the first characters of the hash of a `jti`, or `client:` with those of a client
 * id, or `resource:` with those of the hash of an identifier, and the time (ms) until which its tokens are void.
 */
const feed = 'tokens'

/** For writes that are in flight while a token is issued. */
const slack = seconds(60)

const hasConfiguredJwts = (scope: Pick<Scope, 'options'>): boolean =>
  configuredResources(scope).some(({ tokenFormat }) => tokenFormat === 'jwt')

/** How long (ms) an entry is kept: as long as a JWT can be valid. */
export function tokensKeptFor(scope: Pick<Scope, 'options'>): number {
  const { accessTokenExpiresIn } = identityProviderOptions.of(scope)
  const times = configuredResources(scope)
    .filter(({ tokenFormat }) => tokenFormat === 'jwt')
    .map((server) => server.accessTokenExpiresIn ?? accessTokenExpiresIn)
  return ms(Math.max(maxRegisteredJwtLifetime, ...times) + slack)
}

type Rows = Pick<EventRows, 'from' | 'where'> & { key: EventRows['subject'] }
type NamedRows = Rows & { name: EventRows['subject'] }

/** Jobs for rows of the batch. Without a resource that has JWTs, the statement reads one index and writes nothing. */
function jobsFor(scope: Scope, { where, ...rows }: Rows, payload: Record<string, EventRows['subject']>): Statement[] {
  const needed = hasConfiguredJwts(scope) ? where : store.ifRegisteredJwts(where)
  return jobStatementsFor(scope, 'ended-token', { ...rows, where: needed, payload: jsonOf(payload) })
}

const entries = (scope: Scope, { name, ...rows }: NamedRows): Statement[] => jobsFor(scope, rows, { name })

/** For a batch, before it deletes or expires the tokens of a condition: verifiers refuse them, and what agents derived from them. */
export const endTokens = (scope: Scope, which: Condition): Statement[] =>
  entries(scope, store.rowsOfTokens(which, scope.now()))

/** Deletes all tokens of one authorization, which two parties have used. */
export async function endGrant(scope: Scope, grantId: string): Promise<void> {
  const work = unitOfWork(scope)
  work.run(endTokens(scope, ofGrant(grantId)))
  work.run(deleteTokens(scope.db, ofGrant(grantId)))
  await work.commit()
}

export const endServiceToken = (scope: Scope, id: string): Statement[] => entries(scope, store.rowsOfServiceToken(id))

/** For a batch: verifiers refuse all earlier tokens of a client, and those of chains with it. */
export const endTokensOfClient = (scope: Scope, which: Condition): Statement[] =>
  entries(scope, store.rowsOfClient(which, scope.now()))

/** For a batch, before a client is deleted or disabled: its tokens, and what agents derived from them. */
export const endClient = (scope: Scope, clientId: string, which: Condition): Statement[] => [
  ...endTokensOfClient(scope, which),
  ...entries(scope, store.rowsDerivedFrom(clientId, which, scope.now())),
]

/**
 * For a batch, before it changes registered resources: verifiers refuse all their earlier JWTs, with one entry for each: `resource:`, characters of
 * the hash of its identifier, and the time (ms).
 */
export const endTokensAt = (scope: Scope, which: Condition): Statement[] => {
  const { at, ...rows } = store.rowsOfResources(which, scope.now())
  return jobsFor(scope, rows, { resourceId: rows.key, at })
}

/** Events after which a user's tokens may be void: a ban, a new password, another way to sign in. */
const changingUsers: readonly EventType[] = ['user.updated', 'password.reset', 'security.event', 'session.ended']

/** Lifecycle place `recording`: a job for a user with JWTs, which reads what is void after the commit. */
export function feedVoidedTokens(scope: Scope, type: EventType, rows: () => EventRows): Statement[] {
  const now = scope.now()
  if (type === 'organization.deleted') return entries(scope, store.rowsOfOwned(rows(), 'organizationId', now))
  if (type === 'member.removed') return jobsOfUsers(scope, store.userOfMember(rows()), now)
  if (type === 'user.deleted') {
    return [
      ...entries(scope, store.rowsOfUsers(rows(), now)),
      ...entries(scope, store.rowsOfOwned(rows(), 'userId', now)),
    ]
  }
  if (!changingUsers.includes(type)) return []
  return jobsOfUsers(scope, rows(), now)
}

const jobsOfUsers = (scope: Scope, found: Pick<EventRows, 'from' | 'where' | 'subject'>, now: Date): Statement[] =>
  jobsFor(scope, store.withJwt(found, now), { userId: found.subject })

type Payload = { name: string } | { userId: string } | { resourceId: string; at: number }

async function namesOfResources(scope: Scope, payloads: readonly Payload[]): Promise<string[]> {
  const ended = payloads.flatMap((payload) => ('resourceId' in payload ? [payload] : []))
  if (ended.length === 0) return []
  const ids = ended.map(({ resourceId }) => resourceId)
  const identifiers = new Map((await store.selectIdentifiers(scope.db, ids)).map((row) => [row.id, row.identifier]))
  return ended.flatMap(({ resourceId, at }) => {
    const identifier = identifiers.get(resourceId)
    return identifier ? [`resource:${sha256(identifier).slice(0, store.shownLength)}@${at}`] : []
  })
}

export const endedTokenJobs: Record<'ended-token', JobKind<Scope>> = {
  'ended-token': {
    async runAll(scope, jobs) {
      const payloads = jobs.map(({ payload }) => payload as Payload)
      const names = payloads.flatMap((payload) => ('name' in payload ? [payload.name] : []))
      const userIds = [...new Set(payloads.flatMap((payload) => ('userId' in payload ? [payload.userId] : [])))]
      const voided = userIds.length > 0 ? await store.namesOfVoided(scope.db, userIds, scope.now()) : []
      const all = [...names, ...voided, ...(await namesOfResources(scope, payloads))]
      if (all.length > 0) await addToFeed(scope, feed, all, tokensKeptFor(scope))
      return new Map()
    },
    pauses: [0, seconds(1), seconds(5), seconds(30)],
    batchSize: 500,
    cost: 2,
    // Afterwards every token has expired.
    rules: (scope) => ({ giveUpAfter: tokensKeptFor(scope) / 1000 + maxOutage, keepFailed: 0 }),
  },
}
