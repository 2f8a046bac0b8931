import { and, eq, gt, isNull, not, or, type SQL, sql } from 'drizzle-orm'
import type { EventRows } from '../../../../identity/model/events.ts'
import { users } from '../../../../identity/model/users.table.ts'
import type { Database } from '../../../../platform/database.ts'
import { type Condition, givenValues, rowExists } from '../../../../platform/statements.ts'
import { oauthApplications } from '../clients/clients.table.ts'
import { oauthResources as resources } from '../protocol/resources.table.ts'
import { oauthServiceTokens as services, oauthAccessTokens as tokens } from './grants.table.ts'
import { isActive, maySeeResource } from './tokens.store.ts'

/** Characters of a hash or of a client id that an entry shows: 96 bits of a hash. */
export const shownLength = 16

const isJwt = (now: Date) => and(sql`${tokens.accessToken} like 'jwt:%'`, gt(tokens.accessTokenExpiresAt, now))

/** The name of a JWT in the feed. */
const nameOf = (stored: SQL | typeof tokens.accessToken | typeof services.accessToken): SQL =>
  sql`substr(${stored}, 1, ${'jwt:'.length + shownLength})`

/** Tokens that agents got for those of a condition. The grant narrows the search to an index. */
const derivedFrom = (which: Condition): Condition =>
  sql`(${tokens.grantId} in (select ${tokens.grantId} from ${tokens} where ${which})
    and exists (select 1 from json_each(${tokens.chain}) link where json_extract(link.value, '$.token') in
      (select ${tokens.id} from ${tokens} where ${which})))`

/** The JWTs of a condition that have not expired, and those that agents derived from them. */
export const rowsOfTokens = (which: Condition, now: Date) => ({
  from: sql`${tokens}`,
  where: and(isJwt(now), or(which, derivedFrom(which)))!,
  key: sql`${tokens.userId}`,
  name: nameOf(tokens.accessToken),
})

/** The JWT of a service. */
export const rowsOfServiceToken = (id: string) => ({
  from: sql`${services}`,
  where: and(eq(services.id, id), sql`${services.accessToken} like 'jwt:%'`)!,
  key: sql`${services.clientId}`,
  name: nameOf(services.accessToken),
})

/** A registered client or an agent: all its JWTs from before now, and those with it in their chain. */
export const rowsOfClient = (which: Condition, now: Date) => ({
  from: sql`${oauthApplications}`,
  where: which,
  key: sql`${oauthApplications.clientId}`,
  name: sql`'client:' || substr(${oauthApplications.clientId}, 1, ${shownLength}) || ${`@${now.getTime()}`}`,
})

/** What agents derived from the tokens of a client, which their own chain does not name. */
export const rowsDerivedFrom = (clientId: string, which: Condition, now: Date) => ({
  ...rowsOfTokens(eq(tokens.clientId, clientId), now),
  where: and(isJwt(now), derivedFrom(eq(tokens.clientId, clientId)), rowExists(oauthApplications, which))!,
})

/** Registered resources whose tokens are JWTs. */
export const rowsOfResources = (which: Condition, now: Date) => ({
  from: sql`${resources}`,
  where: and(eq(resources.tokenFormat, 'jwt'), which)!,
  key: sql`${resources.id}`,
  at: sql`${now.getTime()}`,
})

/** A condition, while a registered resource (live, or deleted within a day) has JWTs. */
export const ifRegisteredJwts = (where: Condition): Condition =>
  sql`exists (select 1 from ${resources} where token_format = 'jwt') and ${where}`

/** @param ids of registered resources */
export const selectIdentifiers = (db: Database, ids: readonly string[]) =>
  db
    .select({ id: resources.id, identifier: resources.identifier })
    .from(resources)
    .where(sql`${resources.id} in ${givenValues(ids)}`)

type Subjects = Pick<EventRows, 'from' | 'where' | 'subject'>

/** The JWTs of users who are about to be deleted. */
export const rowsOfUsers = ({ from, where, subject }: Subjects, now: Date) => ({
  from: sql`${from} join ${tokens} on ${tokens.userId} = ${subject}`,
  where: and(where, isJwt(now))!,
  key: subject,
  name: nameOf(tokens.accessToken),
})

/** The clients and agents of users or organizations that are about to be deleted. */
export const rowsOfOwned = ({ from, where, subject }: Subjects, owner: 'userId' | 'organizationId', now: Date) => ({
  ...rowsOfClient(where, now),
  from: sql`${from} join ${oauthApplications} on ${oauthApplications[owner]} = ${subject}`,
})

/** Those users of an event who have a JWT that has not expired. */
export const withJwt = ({ from, where, subject }: Subjects, now: Date) => ({
  from,
  where: and(where, sql`exists (select 1 from ${tokens} where ${tokens.userId} = ${subject} and ${isJwt(now)})`)!,
  key: subject,
})

/** The user of an event about a member. */
export const userOfMember = ({ from, where }: Pick<EventRows, 'from' | 'where'>) => ({
  from,
  where,
  subject: sql`${users.id}`,
})

/** The names of the JWTs of users that a ban or a new password has ended. */
export async function namesOfVoided(db: Database, userIds: readonly string[], now: Date): Promise<string[]> {
  const rows = await db
    .select({ name: nameOf(tokens.accessToken).mapWith(String) })
    .from(tokens)
    .leftJoin(users, eq(users.id, tokens.userId))
    .where(
      and(
        sql`${tokens.userId} in (select value from json_each(${JSON.stringify(userIds)}))`,
        isJwt(now),
        or(
          isNull(users.id),
          not(eq(users.securityVersion, tokens.securityVersion)),
          not(isActive(now)!),
          not(maySeeResource(sql`${tokens.resource}`, sql`${tokens.userId}`)),
        ),
      ),
    )
  return rows.map(({ name }) => name)
}
