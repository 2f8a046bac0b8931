import { sql } from 'drizzle-orm'
import { users } from '../../../identity/model/users.table.ts'
import { organizations } from './organizations.table.ts'

/** The name of what owns a row: of the joined organization, or of the joined user. @template Name `string` where each row has an owner */
export const ownerName = <Name extends string | null = string | null>() =>
  sql<Name>`coalesce(${organizations.name}, nullif(${users.name}, ''), ${users.email})`.as('owner_name')
