import * as z from 'zod'
import { get } from '../../../http/endpoint.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { listOf } from '../../../kit/page.ts'
import { agentStates } from '../model/clients/clients.table.ts'

const clientKinds = ['client', 'agent', 'service'] as const

const foundClient = z.object({
  clientId: z.string(),
  name: z.string(),
  kind: z.enum(clientKinds),
  /** Both are null for a service, and after a registration without a user. */
  userId: z.string().nullable(),
  organizationId: z.string().nullable(),
  ownerName: z.string().nullable(),
  redirectURLs: listOf(z.string()),
  authenticationMethod: z.string(),
  disabled: z.boolean(),
  /** Of an agent or a service. */
  state: z.enum(agentStates).nullable(),
  expiresAt: z.date().nullable(),
  createdAt: z.date(),
})

export const findClientsContract = {
  findClients: get('/admin/find-clients', {
    summary: 'Finds registered OAuth clients, agents and services of all owners, without secrets',
    access: { admin: { client: ['list'] } },
    input: {
      query: z.object({
        /** The beginning of a client id or a name. */
        search: z.string().trim().min(1).max(512),
        limit: z.coerce.number<number | string>().int().min(1).max(50).optional(),
      }),
    },
    answer: z.object({
      /** The client with exactly this id first, then by name. */
      clients: z.array(foundClient).max(50),
    }),
    errors: [core.UNAUTHORIZED],
    budget: { d1: 1, read: 700 },
    changes: [],
  }),
}
