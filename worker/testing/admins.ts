import { cheapHash } from './cheap-hash.ts'
import type { Device, TestApp } from './harness.ts'
import { anotherDevice } from './organizations.ts'
import type { Person } from './people.ts'
import { storedRows } from './rows.ts'
import { addUser, linkAccount } from './states.ts'

/** For tests: administrators and the users whom they act on, signed in without the cost of a password. */

export const root: Person = { name: 'Root', email: 'root@example.com', password: 'password-of-root' }

export interface Known {
  id: string
  device: Device
}

/** Writes a user with a password, a role and a session directly to the database. */
export async function withRole(app: TestApp, person: Person, role: string): Promise<Known> {
  const { id } = await addUser({ name: person.name, email: person.email, role })
  await linkAccount(id, { providerId: 'credential', password: await cheapHash.hash(person.password) })
  return { id, device: await anotherDevice(app, id) }
}

export const administrator = (app: TestApp, person: Person = root): Promise<Known> => withRole(app, person, 'admin')

export const plain = (app: TestApp, person: Person): Promise<Known> => withRole(app, person, 'user')

export interface AuditRow {
  action: string
  actor_type: string
  actor_id: string | null
  subject_id: string
  organization_id: string | null
  before: string
  after: string
  ip_address: string | null
}

/** The audit log of administrators and servers, oldest first. */
export const auditRows = async () =>
  ((await storedRows('audit_records')) as AuditRow[]).filter(({ actor_type }) =>
    ['administrator', 'server', 'server-key', 'system'].includes(actor_type),
  )
