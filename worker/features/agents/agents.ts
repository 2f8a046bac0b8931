import type { Caller, Scope } from '../../identity/scope.ts'
import { securityEvent } from '../../identity/security/security-events.ts'
import { unitOfWork } from '../../identity/unit-of-work.ts'
import { isGuest } from '../../identity/users/guests.ts'
import { mayDo } from '../../kit/permissions.ts'
import { newId } from '../../kit/random.ts'
import { after, days } from '../../kit/time.ts'
import { identityProviderOptions } from '../identity-provider/identity-provider.config.ts'
import { identityProviderErrors as errors, oauthError } from '../identity-provider/identity-provider.errors.ts'
import { type Client, exchangeGrantType, stateOf } from '../identity-provider/model/clients/client.ts'
import { isNotificationAddress } from '../identity-provider/model/clients/client-metadata-checks.ts'
import { bearsName } from '../identity-provider/model/clients/client-name.ts'
import type { AgentState, OAuthApplication } from '../identity-provider/model/clients/clients.table.ts'
import { draftMachine } from '../identity-provider/model/clients/new-client.ts'
import { addConsent } from '../identity-provider/model/grants/consents.store.ts'
import { endTokensOfClient } from '../identity-provider/model/grants/ended-tokens.ts'
import { deleteProviderGrants } from '../identity-provider/model/grants/provider-grants.store.ts'
import { readResources } from '../identity-provider/model/protocol/known-resources.ts'
import { readAccess } from '../identity-provider/model/protocol/resources.ts'
import { organizationOptions } from '../organization/model/organization.config.ts'
import * as store from './agents.store.ts'
import type { AgentActivity, AgentEvent } from './agents.table.ts'

type Access = Readonly<Record<string, readonly string[]>>

/** @throws Error for a client that is not an agent */
export function presentAgent(row: OAuthApplication, now: Date) {
  if (!row.agent || !row.expiresAt) throw new Error(`the client ${row.clientId} is not an agent`)
  return {
    clientId: row.clientId,
    name: row.name,
    userId: row.userId,
    organizationId: row.organizationId,
    ...row.agent,
    state: stateOf(row, now),
    credential: row.clientSecret === null ? ('key' as const) : ('secret' as const),
    expiresAt: row.expiresAt,
    createdAt: row.createdAt,
  }
}

/** The roles that permit an action on the agents of an organization: they are credentials, like its API keys. */
export function agentRolesThatMay(scope: Pick<Scope, 'options'>, action: 'create' | 'read' | 'update'): string[] {
  const { enabled, roles } = organizationOptions.of(scope)
  return enabled ? Object.keys(roles).filter((name) => mayDo(roles, name, { apiKey: [action] })) : []
}

interface NewAgent {
  name: string
  purpose: string
  organizationId?: string | undefined
  access: Access
  callsPerDay: number
  unitsPerDay: number
  days: number
  jwks?: { keys: Record<string, unknown>[] } | undefined
  jwksUri?: string | undefined
  notificationEndpoint?: string | undefined
}

const scopesOf = (access: Access): string[] => [...new Set(Object.values(access).flat())]

/**
 * Creates an agent of the caller, which may act for them, or of an organization, which may act for members who allow it.
 * @throws INVALID_AGENT_ACCESS, INVALID_AGENT_NAME, INVALID_AGENT_KEYS, INVALID_AGENT_NOTIFICATION_ENDPOINT, AGENT_LIMIT_REACHED, ORGANIZATION_REFUSES_AGENT
 */
export async function createAgent(scope: Scope, { user, session }: Caller, given: NewAgent) {
  const { name, purpose, organizationId = null, callsPerDay, unitsPerDay } = given
  if (bearsName(name, scope.settings.appName)) throw errors.INVALID_AGENT_NAME()
  if (isGuest(user)) throw errors.AGENT_LIMIT_REACHED()
  await readResources(scope)
  const access = readAccess(scope, given.access)
  if (access === null) throw errors.INVALID_AGENT_ACCESS()
  const now = scope.now()
  const { notificationEndpoint: notified } = given
  if (notified !== undefined && !isNotificationAddress(notified, scope.settings))
    throw errors.INVALID_AGENT_NOTIFICATION_ENDPOINT()
  const draft = {
    ...{ name, organizationId, userId: organizationId === null ? user.id : null, service: null },
    agent: { purpose, access, callsPerDay, unitsPerDay },
    expiresAt: after(now, days(given.days)),
    registration: {
      grant_types: [exchangeGrantType],
      response_types: [],
      ...(notified === undefined
        ? {}
        : { backchannel_token_delivery_mode: 'ping' as const, backchannel_client_notification_endpoint: notified }),
    },
  }
  const { row, secret } = draftMachine(scope, draft, given, errors.INVALID_AGENT_KEYS)
  const { clientId } = row
  const owner = { userId: user.id, organizationId, roles: agentRolesThatMay(scope, 'create') }
  const work = unitOfWork(scope)
  work.require(store.mayOwn(owner), errors.ORGANIZATION_REFUSES_AGENT)
  work.require(
    store.hasFewerAgents(owner, identityProviderOptions.of(scope).agentsPerOwner),
    errors.AGENT_LIMIT_REACHED,
  )
  work.run(store.insertAgent(scope.db, row))
  work.run(store.addActivity(scope.db, activity(scope, clientId, 'created', { userId: user.id })))
  if (organizationId === null) work.run(addConsent(scope, user.id, row, scopesOf(access)))
  securityEvent(scope, work, { type: 'oauth-client-created', user, sessionId: session.id, details: { clientId } })
  work.audit({
    ...{ subjectType: 'oauth-client', subjectId: clientId, organizationId },
    after: { name, access, callsPerDay, unitsPerDay, days: given.days },
  })
  await work.commit()
  return { agent: presentAgent(row, now), clientSecret: secret }
}

/** A line about an agent. */
export const activity = (
  scope: Scope,
  clientId: string,
  event: AgentEvent,
  more: Partial<AgentActivity> = {},
): AgentActivity => ({
  id: newId(),
  clientId,
  event,
  userId: null,
  resource: null,
  scopes: null,
  through: null,
  units: null,
  action: null,
  createdAt: scope.now(),
  ...more,
})

/** An agent of an organization is in the log of that organization. */
const auditOf = (clientId: string) => ({
  ...{ subjectType: 'oauth-client', subjectId: clientId },
  organizationId: store.organizationOfAgent(clientId),
})

const eventOf = { active: 'resumed', paused: 'paused', revoked: 'revoked' } as const

/**
 * Changes the state of an agent. Tokens of a paused or revoked agent, and those that were derived from them, are invalid
 * from the commit on; those of a revoked one are deleted. @param caller null: a server
 * @param as an administrator and a server change any agent @throws AGENT_NOT_FOUND, also for a revoked one
 */
export async function setAgentState(
  scope: Scope,
  caller: Caller | null,
  clientId: string,
  state: AgentState,
  as: 'owner' | 'administrator' = 'owner',
) {
  const now = scope.now()
  const managed =
    caller && as === 'owner' ? { userId: caller.user.id, roles: agentRolesThatMay(scope, 'update') } : null
  const work = unitOfWork(scope)
  const end = state === 'revoked' ? { expiresAt: now } : {}
  const changes = { state, updatedAt: now, ...end }
  const updated = work
    .run(store.updateAgent(scope.db, clientId, managed, changes), { unlessUnchanged: { except: ['expiresAt'] } })
    .orFail(errors.AGENT_NOT_FOUND)
  if (state !== 'active') work.run(endTokensOfClient(scope, store.isAgent(clientId)))
  if (state === 'revoked') {
    work.run([store.deleteTokensOfAgent(scope.db, clientId), deleteProviderGrants(scope.db, clientId)])
  }
  const line = activity(scope, clientId, eventOf[state], { userId: caller?.user.id ?? null })
  work.run(store.addActivity(scope.db, line))
  const action = as === 'administrator' ? ({ action: 'set-agent-state' } as const) : {}
  work.audit({ ...action, ...auditOf(clientId), after: { state } })
  await work.commit()
  return presentAgent(updated.row, now)
}

/** The caller lets an agent of their organization act for them. @throws AGENT_NOT_FOUND */
export async function allowAgent(scope: Scope, { user }: Caller, clientId: string): Promise<void> {
  const [found] = await store.selectSharedAgent(scope.db, clientId, user.id)
  if (!found?.agent) throw errors.AGENT_NOT_FOUND()
  const work = unitOfWork(scope)
  work.run(addConsent(scope, user.id, found, scopesOf(found.agent.access)))
  work.audit({ ...auditOf(clientId), after: { access: found.agent.access } })
  await work.commit()
}

/** Counts a token against the budget of an agent. @throws slow_down with status 429 beyond the budget of the day */
export async function spendCall(scope: Scope, { agent, clientId }: Client): Promise<void> {
  if (!agent) return
  const rule = { max: agent.callsPerDay, window: days(1) }
  const { allowed, retryAfter } = await scope.counters.hit(`agent-calls:${clientId}`, rule)
  if (allowed) return
  const headers = { 'retry-after': String(retryAfter) }
  throw oauthError('slow_down', 'the agent has used its budget of the day', { status: 429, headers })
}

/**
 * A server reports what an agent did and what it cost. Units beyond the budget of the day are refused and not recorded.
 * @throws AGENT_NOT_FOUND for an unknown, paused, revoked or expired agent; AGENT_BUDGET_USED
 */
export async function recordAgentUse(
  scope: Scope,
  { clientId, units, action }: { clientId: string; units: number; action: string },
) {
  const [row] = await store.selectAgent(scope.db, clientId)
  if (!row?.agent || stateOf(row, scope.now()) !== 'active') throw errors.AGENT_NOT_FOUND()
  const rule = { max: row.agent.unitsPerDay, window: days(1), by: units }
  const key = `agent-units:${clientId}`
  const { allowed, count } = await scope.counters.hit(key, rule)
  if (!allowed) throw errors.AGENT_BUDGET_USED()
  const work = unitOfWork(scope)
  work.run(store.addActivity(scope.db, activity(scope, clientId, 'use', { units, action })))
  await work.commit()
  return { unitsLeft: row.agent.unitsPerDay - count }
}
