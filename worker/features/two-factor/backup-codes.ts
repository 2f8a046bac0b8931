import type { Scope } from '../../identity/scope.ts'
import { open, seal } from '../../kit/encrypt.ts'
import { equalSecrets } from '../../kit/hash.ts'
import { randomString } from '../../kit/random.ts'
import type { Statement } from '../../platform/statements.ts'
import { twoFactorOptions } from './two-factor.config.ts'
import { burnStatements, replaceStatements } from './two-factor.store.ts'
import type { TwoFactor } from './two-factor.table.ts'

/** Codes for who has lost the second factor: each works once. They are shown in two halves, `aaaaa-bbbbb`. */

export function newBackupCodes(scope: Scope): string[] {
  const { amount, length } = twoFactorOptions.of(scope).backupCodeOptions
  const half = Math.ceil(length / 2)
  return Array.from({ length: amount }, () => {
    const code = randomString(length)
    return `${code.slice(0, half)}-${code.slice(half)}`
  })
}

export const sealBackupCodes = (scope: Scope, codes: string[]): Promise<string[]> =>
  Promise.all(codes.map((code) => seal(scope.settings.secrets, code)))

/** The codes that are left. One that was sealed before codes were sealed by themselves holds the list of all. */
export async function openBackupCodes(scope: Scope, { backupCodes }: TwoFactor): Promise<string[]> {
  const opened = await Promise.all(backupCodes.map((code) => open(scope.settings.secrets, code)))
  return opened.flatMap((code) => (code.startsWith('[') ? (JSON.parse(code) as string[]) : code))
}

/** A code as it was typed, without what does not belong to it. */
const letters = (code: string): string => code.replace(/[^A-Za-z0-9]/g, '')

/**
 * Looks whether a code is one of a record's.
 * @returns what burns it, for the batch of what it is used for: of any number of parallel ones one commits; null for a
 *   wrong code
 */
export async function findBackupCode(scope: Scope, record: TwoFactor, code: string): Promise<Statement[] | null> {
  const guess = letters(code)
  const codes = await openBackupCodes(scope, record)
  const at = codes.findIndex((candidate) => equalSecrets(letters(candidate), guess))
  if (at === -1) return null
  if (codes.length === record.backupCodes.length) return burnStatements(scope.db, record.id, record.backupCodes[at]!)
  // A list of before becomes single codes with its first use.
  return replaceStatements(scope.db, record, await sealBackupCodes(scope, codes.toSpliced(at, 1)))
}
