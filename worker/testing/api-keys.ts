import { createKey, type KeyOwner } from '../features/api-key/manage.ts'
import { verifyKey } from '../features/api-key/verify.ts'
import type { TestApp } from './harness.ts'
import { type Changes, storedRows, updateRows } from './rows.ts'

/** For tests: calls of other Workers through the RPC entrypoint. */

type Properties = Parameters<typeof createKey>[2]

/** Creates a key as a server does. @returns the key and its id */
export async function serverKey(app: TestApp, owner: KeyOwner, properties: Properties = {}) {
  const { scope, settle } = app.openScope()
  scope.auditing.action = 'server.create-api-key'
  const { key, shown } = await createKey(scope, owner, properties, null)
  await settle()
  return { id: key.id, key: shown }
}

/** Verifies a key as a server does. @returns the result, and its round trips to D1 */
export async function verify(app: TestApp, key: string, permissions?: Record<string, string[]>) {
  const { scope, settle } = app.openScope()
  const answer = await verifyKey(scope, key, permissions)
  const { d1 } = scope.io.used
  await settle()
  return { ...answer, code: answer.error?.code ?? 'valid', d1 }
}

/** Updates the row of a key directly in the database. */
export const alter = (id: string, changes: Changes<'api_keys'>) => updateRows('api_keys', changes, { id })

export const rowOf = async (id: string) => (await storedRows('api_keys')).find((row) => row.id === id) ?? null
