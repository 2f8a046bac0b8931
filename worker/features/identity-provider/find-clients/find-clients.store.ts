import { eq, sql } from 'drizzle-orm'
import { users } from '../../../identity/model/users.table.ts'
import type { Database } from '../../../platform/database.ts'
import { idsThatMatch } from '../../../platform/statements.ts'
import { organizations } from '../../organization/model/organizations.table.ts'
import { ownerName } from '../../organization/model/owner-name.store.ts'
import { oauthApplications as clients } from '../model/clients/clients.table.ts'

/** For a batch: the clients whose id or name begins with a text. The client with exactly this id is first, the others by name. */
export function clientsThatMatch(db: Database, text: string, limit: number) {
  const { clientId, name } = clients
  const matches = [
    { by: clientId, begins: text },
    { by: sql`${name} collate nocase`, begins: text },
  ]
  return db
    .select({
      clientId,
      name: sql<string>`${name}`.as('client_name'),
      isAgent: sql<number>`${clients.agent} is not null`.as('is_agent'),
      isService: sql<number>`${clients.service} is not null`.as('is_service'),
      userId: clients.userId,
      organizationId: clients.organizationId,
      ownerName: ownerName(),
      redirectURLs: clients.redirectURLs,
      authenticationMethod: clients.authenticationScheme,
      disabled: clients.disabled,
      state: clients.state,
      expiresAt: clients.expiresAt,
      createdAt: sql`${clients.createdAt}`.mapWith(clients.createdAt).as('client_created_at'),
    })
    .from(clients)
    .leftJoin(users, eq(users.id, clients.userId))
    .leftJoin(organizations, eq(organizations.id, clients.organizationId))
    .where(sql`${clients.id} in (${idsThatMatch(clients, clients.id, matches, limit)})`)
    .orderBy(sql`${clientId} <> ${text}`, sql`+${name} collate nocase`, clientId)
    .limit(limit)
}
