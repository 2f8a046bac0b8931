import { newId } from '../kit/random.ts'
import { cheapHash } from './cheap-hash.ts'
import { type Device, env, type TestApp } from './harness.ts'
import { anotherDevice } from './organizations.ts'
import type { Person } from './people.ts'

/** For tests: administrators and the people whom they act on, signed in without the cost of a password. */

export const root: Person = { name: 'Root', email: 'root@example.com', password: 'password-of-root' }

export interface Known {
  id: string
  device: Device
}

/** Writes somebody with a password, a role and a session behind the application's back. */
export async function withRole(app: TestApp, person: Person, role: string): Promise<Known> {
  const id = newId()
  const now = Date.now()
  await env.DB.batch([
    env.DB.prepare(
      'insert into users (id, name, email, role, created_at, updated_at) values (?1, ?2, ?3, ?4, ?5, ?5)',
    ).bind(id, person.name, person.email, role, now),
    env.DB.prepare(
      `insert into accounts (id, provider_id, account_id, user_id, password, created_at, updated_at)
       values (?1, 'credential', ?1, ?1, ?2, ?3, ?3)`,
    ).bind(id, cheapHash.hash(person.password), now),
  ])
  return { id, device: await anotherDevice(app, id) }
}

export const administrator = (app: TestApp, person: Person = root): Promise<Known> => withRole(app, person, 'admin')

export const plain = (app: TestApp, person: Person): Promise<Known> => withRole(app, person, 'user')

export async function idOf(email: string): Promise<string> {
  const row = await env.DB.prepare('select id from users where email = ?').bind(email).first<{ id: string }>()
  return row!.id
}

export interface AuditRow {
  action: string
  actor_id: string | null
  subject_id: string
  before: string
  after: string
  ip_address: string | null
}

/** The audit log, oldest first. */
export const auditRows = async (): Promise<AuditRow[]> =>
  (await env.DB.prepare('select * from admin_audit order by created_at, rowid').all<AuditRow>()).results
