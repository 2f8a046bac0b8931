import { Buffer } from 'node:buffer'
import { mayHold } from '../../kit/word-filter.ts'
import type { Scope } from '../scope.ts'
import { coreErrors } from '../users/users.errors.ts'
import { emailAndPasswordOptions } from './accounts.config.ts'

/** Decoded with the first chosen password in this isolate. */
let filter: Uint8Array | null = null

/**
 * Rejects common passwords, in any case and without an external service.
 * @throws PASSWORD_TOO_COMMON
 */
export async function refuseCommon(scope: Scope, password: string): Promise<void> {
  if (emailAndPasswordOptions.of(scope).commonPasswords === 'allow') return
  if (await isCommonPassword(password)) throw coreErrors.PASSWORD_TOO_COMMON()
}

/** Whether a password is in the list, in any case. */
export async function isCommonPassword(password: string): Promise<boolean> {
  const known = filter ?? Buffer.from((await import('./common-passwords.generated.ts')).commonPasswords, 'base64')
  filter = known
  return mayHold(known, password.normalize('NFKC').toLowerCase())
}
