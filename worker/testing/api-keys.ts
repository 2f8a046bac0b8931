import { createKey, type KeyOwner } from '../features/api-key/manage.ts'
import { verifyKey } from '../features/api-key/verify.ts'
import { env, type TestApp } from './harness.ts'

/** For tests: what other Workers do through the RPC entrypoint. */

type Properties = Parameters<typeof createKey>[2]

/** Makes a key as a server does. @returns the key, and its id */
export async function serverKey(app: TestApp, owner: KeyOwner, properties: Properties = {}) {
  const { scope, settle } = app.openScope()
  const { key, shown } = await createKey(scope, owner, properties, null)
  await settle()
  return { id: key.id, key: shown }
}

/** Verifies a key as a server does. @returns the answer, and the round trips to D1 that it waited for */
export async function verify(app: TestApp, key: string, permissions?: Record<string, string[]>) {
  const { scope, settle } = app.openScope()
  const answer = await verifyKey(scope, key, permissions)
  const { d1 } = scope.io
  await settle()
  return { ...answer, code: answer.error?.code ?? 'valid', d1 }
}

/** Changes the row of a key, past all endpoints. */
export const alter = (id: string, changes: string) =>
  env.DB.prepare(`update api_keys set ${changes} where id = ?`).bind(id).run()

export const rowOf = (id: string) =>
  env.DB.prepare('select * from api_keys where id = ?').bind(id).first<Record<string, number | string | null>>()
