import { makeServerKey } from '../features/server-keys/new-server-key.ts'
import type { ServerKey } from '../features/server-keys/server-keys.table.ts'
import { pathOfOperation } from '../http/operations.ts'
import { type ServerPermission, serverPermissionNames } from '../kit/server-permissions.ts'
import type { Answer, Device, TestApp } from './harness.ts'
import { insertRows } from './rows.ts'

/** For tests: a back end with a server key. */
export interface BackEnd {
  id: string
  key: string
  device: Device
  /** Calls an operation by its name. */
  call(operation: string, input?: unknown, headers?: Record<string, string>): Promise<Answer>
}

/** Writes a key directly to the database. */
export async function backEnd(
  app: TestApp,
  permissions: readonly ServerPermission[] = serverPermissionNames,
  changes: Partial<ServerKey> = {},
  ip?: string,
): Promise<BackEnd> {
  const { row, shown } = makeServerKey({ name: 'back end', permissions }, null, new Date())
  await insertRows('server_keys', { ...row, ...changes })
  return callerWith(app, row.id, shown, ip)
}

export function callerWith(app: TestApp, id: string, key: string, ip?: string): BackEnd {
  const device = app.device(ip)
  device.headers = { authorization: `Bearer ${key}` }
  return {
    id,
    key,
    device,
    call: (operation, input = {}, headers = {}) => device.post(pathOfOperation(operation), input, { headers }),
  }
}
