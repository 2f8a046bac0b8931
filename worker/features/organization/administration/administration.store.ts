import { and, asc, desc, eq, gt, type SQL, sql } from 'drizzle-orm'
import { users } from '../../../identity/model/users.table.ts'
import type { CursorPosition } from '../../../kit/cursor.ts'
import { type Page, pageSize } from '../../../kit/page.ts'
import type { Database } from '../../../platform/database.ts'
import { idsThatMatch, listContains, read } from '../../../platform/statements.ts'
import { invitations } from '../model/invitations.table.ts'
import { members } from '../model/members.table.ts'
import { maxMembers } from '../model/membership.schemas.ts'
import { memberWithUser } from '../model/membership.store.ts'
import { organizations } from '../model/organizations.table.ts'
import { teams } from '../model/teams.table.ts'

/** Queries over the organizations of all users, for administrators. Every value of a caller is a bound parameter. */

/** The count of the members stops here, because it reads every row that it counts. */
const countCap = 1000

const countedMembers: SQL = sql`(select count(*) from ${sql`(select 1 from ${members} where ${eq(members.organizationId, organizations.id)} limit ${countCap})`})`

const { id, name, slug, logo, createdAt } = organizations
const counted = { id, name, slug, logo, createdAt, memberCount: countedMembers.mapWith(Number).as('member_count') }

/** For a batch: a page, newest first, and one more row, which shows whether another page follows. */
export const organizationPage = (db: Database, { limit, after }: { limit: number; after: CursorPosition | null }) =>
  db
    .select(counted)
    .from(organizations)
    .where(after ? sql`(${createdAt}, ${id}) < (${after.createdAt}, ${after.id})` : undefined)
    .orderBy(desc(createdAt), desc(id))
    .limit(limit + 1)

/** For a batch: the organizations whose name or slug begins with a text, or whose id it is, by name. */
export function organizationsThatMatch(db: Database, text: string, limit: number) {
  const matches = [
    { by: sql`${name} collate nocase`, begins: text },
    ...[...new Set([text, text.toLowerCase()])].map((begins) => ({ by: slug, begins })),
    { by: id, is: text },
  ]
  return (
    db
      .select(counted)
      .from(organizations)
      .where(sql`${id} in (${idsThatMatch(organizations, id, matches, limit)})`)
      // The plus keeps SQLite from walking the index of the order.
      .orderBy(sql`+${name} collate nocase`, id)
      .limit(limit)
  )
}

const inviterName = sql<string>`${users.name}`.as('inviter_name')

/** For a batch: an organization with its members, owners first, its teams and its pending invitations. */
export const organizationReads = (db: Database, organizationId: string, ownerRole: string, now: Date) => ({
  found: db.select(counted).from(organizations).where(eq(id, organizationId)),
  members: db
    .select(memberWithUser)
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(eq(members.organizationId, organizationId))
    .orderBy(desc(listContains(members.role, ownerRole)), asc(members.createdAt), asc(members.id))
    .limit(maxMembers),
  teams: db
    .select()
    .from(teams)
    .where(eq(teams.organizationId, organizationId))
    .orderBy(asc(teams.name))
    .limit(pageSize),
  invitations: db
    .select({
      email: sql<string>`${invitations.email}`.as('invited_email'),
      role: sql<string | null>`${invitations.role}`.as('invited_role'),
      teamId: invitations.teamId,
      inviterName,
      createdAt: sql`${invitations.createdAt}`.mapWith(invitations.createdAt).as('invited_at'),
      expiresAt: invitations.expiresAt,
    })
    .from(invitations)
    .innerJoin(users, eq(users.id, invitations.inviterId))
    .where(
      and(
        eq(invitations.organizationId, organizationId),
        eq(invitations.status, 'pending'),
        gt(invitations.expiresAt, now),
      ),
    )
    .orderBy(desc(invitations.createdAt))
    .limit(pageSize),
})

/** For a batch: a page of the members, oldest first. */
export const membersOf = (db: Database, organizationId: string, page: Page) =>
  db
    .select(memberWithUser)
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(eq(members.organizationId, organizationId))
    .orderBy(asc(members.createdAt), asc(members.id))
    .limit(page.limit)
    .offset(page.offset)

export const organizationById = (db: Database, organizationId: string) =>
  db.select({ id }).from(organizations).where(eq(id, organizationId))

const membersWhere = (db: Database, organizationId: string, which: SQL) =>
  db
    .select(memberWithUser)
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(and(eq(members.organizationId, organizationId), which))

/** An organization, one of its members, and its owners. */
export async function findForChange(
  db: Database,
  { organizationId, memberId = '', ownerRole = '' }: { organizationId: string; memberId?: string; ownerRole?: string },
) {
  const found = await read(db, {
    organization: db.select().from(organizations).where(eq(id, organizationId)),
    member: membersWhere(db, organizationId, eq(members.id, memberId)),
    owners: membersWhere(db, organizationId, listContains(members.role, ownerRole)).limit(ownerRole ? pageSize : 0),
  })
  return { organization: found.organization[0] ?? null, member: found.member[0] ?? null, owners: found.owners }
}
