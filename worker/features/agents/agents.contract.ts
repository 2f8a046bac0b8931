import * as z from 'zod'
import { get, post, type RecencyQuestion } from '../../http/endpoint.ts'
import { statusAnswer } from '../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { boundedRecord } from '../../kit/bounded-record.ts'
import { nameInput } from '../../kit/inputs.ts'
import { listOf, pageQuery } from '../../kit/page.ts'
import { seconds } from '../../kit/time.ts'
import { identityProviderErrors as errors } from '../identity-provider/identity-provider.errors.ts'
import { agentStates } from '../identity-provider/model/clients/clients.table.ts'
import { publicKeys } from '../identity-provider/model/protocol/protocol.contract.ts'
import { agentEvents, maxLines } from './agents.table.ts'

const organizationId = z.string().min(1).max(64)
const clientId = z.string().min(1).max(512)

/** Scopes by resource: what an agent may do. */
const access = boundedRecord(z.string().max(2000), z.array(z.string().max(200)).max(50), 100)

export const agentAnswer = z.object({
  clientId: z.string(),
  name: z.string(),
  purpose: z.string(),
  /** Null: the agent belongs to an organization. */
  userId: z.string().nullable(),
  organizationId: z.string().nullable(),
  access,
  callsPerDay: z.number(),
  unitsPerDay: z.number(),
  /** `expired`: its time has ended. */
  state: z.enum([...agentStates, 'expired']),
  /** How it authenticates: with its secret, or with a key (`private_key_jwt`). */
  credential: z.enum(['secret', 'key']),
  expiresAt: z.date(),
  createdAt: z.date(),
})

/** The new state of an agent. */
export const newState = z.enum(agentStates)

/** A paused agent has no credential that works. */
const resumes = ({ given }: RecencyQuestion): boolean => given.state === 'active'

const activityAnswer = z.object({
  lines: z
    .array(
      z.object({
        id: z.string(),
        event: z.enum(agentEvents),
        userId: z.string().nullable(),
        resource: z.string().nullable(),
        scopes: listOf(z.string()),
        /** The agents between the user and this one. */
        through: listOf(z.string()),
        units: z.number().nullable(),
        action: z.string().nullable(),
        createdAt: z.date(),
      }),
    )
    .max(maxLines),
})

export const agentsContract = {
  listAgents: get('/agents/list', {
    summary: 'Lists the agents of the caller, or of an organization whose API keys the caller may read, newest first',
    access: 'session',
    input: { query: z.object({ organizationId: organizationId.optional(), ...pageQuery }) },
    answer: listOf(agentAnswer),
    errors: [core.UNAUTHORIZED],
    budget: { d1: 1, read: 1100 },
    changes: [],
  }),
  agentResources: get('/agents/resources', {
    summary: 'Lists the resources and scopes that an agent can have',
    access: 'session',
    answer: z.object({
      /** As the configuration lists them; each scope with its words. */
      resources: listOf(z.object({ resource: z.string(), scopes: z.record(z.string(), z.string()) })),
    }),
    errors: [core.UNAUTHORIZED],
    budget: { d1: 1 },
    changes: [],
  }),
  createAgent: post('/agents/create', {
    summary: 'Creates an agent. The response is the only one that shows its secret; an agent with keys has none',
    access: 'recent-authentication',
    input: {
      body: z.object({
        name: nameInput.min(1).max(100),
        purpose: nameInput.min(1).max(200),
        organizationId: organizationId.optional(),
        access,
        /** Tokens that it receives in a day. */
        callsPerDay: z.number().int().min(1).max(10_000).default(200),
        /** Cost units that servers report in a day. */
        unitsPerDay: z.number().int().min(0).max(1_000_000).default(1000),
        /** Days until it expires. */
        days: z.number().int().min(1).max(365).default(90),
        ...publicKeys,
        /** A public https address that gets a request when the user has answered (CIBA, mode `ping`); without it the agent polls. */
        notificationEndpoint: z.string().max(1000).optional(),
      }),
    },
    answer: z.object({ agent: agentAnswer, clientSecret: z.string().nullable() }),
    errors: [
      core.UNAUTHORIZED,
      errors.INVALID_AGENT_ACCESS,
      errors.INVALID_AGENT_NAME,
      errors.INVALID_AGENT_KEYS,
      errors.INVALID_AGENT_NOTIFICATION_ENDPOINT,
      errors.AGENT_LIMIT_REACHED,
      errors.ORGANIZATION_REFUSES_AGENT,
    ],
    limits: { rate: { max: 10, window: seconds(60) } },
    budget: { d1: 3, durable: 1 },
    changes: ['oauth-client', 'oauth-consent'],
    audit: 'agents.create',
  }),
  setAgentState: post('/agents/set-state', {
    summary: 'Pauses, resumes or revokes an agent; a revoked one stays revoked',
    access: 'own-session',
    accessRules: { recentFor: resumes },
    input: { body: z.object({ clientId, state: newState }) },
    answer: agentAnswer,
    errors: [core.UNAUTHORIZED, errors.AGENT_NOT_FOUND],
    limits: { whenFull: 'secures', rate: { max: 30, window: seconds(60) } },
    budget: { d1: 2, durable: 1 },
    changes: ['oauth-client'],
    audit: 'agents.set-state',
  }),
  allowAgent: post('/agents/allow', {
    summary: 'Lets an agent of an organization act for the caller, a member, until the caller ends the connection',
    access: 'own-session',
    input: { body: z.object({ clientId }) },
    answer: statusAnswer,
    errors: [core.UNAUTHORIZED, errors.AGENT_NOT_FOUND],
    limits: { rate: { max: 30, window: seconds(60) } },
    budget: { d1: 3, durable: 1 },
    changes: ['oauth-consent'],
    audit: 'agents.allow',
  }),
  sharedAgents: get('/agents/shared', {
    summary:
      'Lists the active agents of organizations of the caller, newest first, and which of them may act for the caller',
    access: 'session',
    input: { query: z.object(pageQuery) },
    answer: listOf(
      z.object({
        clientId: z.string(),
        name: z.string(),
        purpose: z.string(),
        organizationName: z.string(),
        access,
        expiresAt: z.date(),
        /** Whether it may act for the caller. */
        allowed: z.boolean(),
      }),
    ),
    errors: [core.UNAUTHORIZED],
    budget: { d1: 1, read: 2600 },
    changes: [],
  }),
  agentActivity: get('/agents/activity', {
    summary: 'Lists what an agent of the caller did, newest first: at most 200 lines of the last 30 days',
    access: 'session',
    input: { query: z.object({ clientId }) },
    answer: activityAnswer,
    errors: [core.UNAUTHORIZED],
    budget: { d1: 1 },
    changes: [],
  }),
  listAllAgents: get('/admin/list-agents', {
    summary: 'Lists the agents of all users and organizations, newest first',
    access: { admin: { agent: ['list'] } },
    input: {
      query: z.object({
        ...pageQuery,
        /**
         * A part of the name of the agent or its owner, or of the address of its user, compared with the 5,000 newest agents; or
         * the client id of any.
         */
        search: z.string().max(100).optional(),
      }),
    },
    answer: listOf(agentAnswer.extend({ ownerName: z.string().nullable() })),
    errors: [core.UNAUTHORIZED],
    budget: { d1: 1, read: 30_000 },
    changes: [],
  }),
  anyAgentActivity: get('/admin/agent-activity', {
    summary: 'Lists what an agent did, newest first: at most 200 lines of the last 30 days',
    access: { admin: { agent: ['list'] } },
    input: { query: z.object({ clientId }) },
    answer: activityAnswer,
    errors: [core.UNAUTHORIZED],
    budget: { d1: 1 },
    changes: [],
  }),
  setAnyAgentState: post('/admin/set-agent-state', {
    limits: { whenFull: 'secures' },
    summary: 'Pauses, resumes or revokes any agent; a revoked one stays revoked',
    access: { admin: { agent: ['update'] } },
    accessRules: { recentFor: resumes },
    input: { body: z.object({ clientId, state: newState }) },
    answer: agentAnswer,
    errors: [core.UNAUTHORIZED, errors.AGENT_NOT_FOUND],
    budget: { d1: 2, durable: 1 },
    changes: ['oauth-client'],
    audit: 'admin.set-agent-state',
  }),
}
