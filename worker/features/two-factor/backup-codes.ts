import type { Scope } from '../../identity/scope.ts'
import type { Work } from '../../identity/work.ts'
import { open, seal } from '../../kit/encrypt.ts'
import { equalSecrets } from '../../kit/hash.ts'
import { randomString } from '../../kit/random.ts'
import { twoFactorOptions } from './two-factor.config.ts'
import { removeCode, replaceCodes } from './two-factor.store.ts'
import type { TwoFactor } from './two-factor.table.ts'

/** Single-use codes for users without their second factor, shown in two halves: `aaaaa-bbbbb`. */

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

/** The remaining codes. An entry from before codes were sealed separately contains the list of all codes. */
export async function openBackupCodes(scope: Scope, { backupCodes }: TwoFactor): Promise<string[]> {
  const opened = await Promise.all(backupCodes.map((code) => open(scope.settings.secrets, code)))
  return opened.flatMap((code) => (code.startsWith('[') ? (JSON.parse(code) as string[]) : code))
}

/** Normalizes a typed code. */
const letters = (code: string): string => code.replace(/[^A-Za-z0-9]/g, '')

/** Finds a backup code. @returns a function that removes it in the unit of work of its effect; null for a wrong code */
export async function findBackupCode(
  scope: Scope,
  record: TwoFactor,
  code: string,
): Promise<((work: Work) => void) | null> {
  const guess = letters(code)
  const codes = await openBackupCodes(scope, record)
  const at = codes.findIndex((candidate) => equalSecrets(letters(candidate), guess))
  if (at === -1) return null
  const { id, backupCodes } = record
  if (codes.length === backupCodes.length) return (work) => removeCode(scope.db, work, id, backupCodes[at]!)
  // The first use of a list that is sealed as a whole replaces it by single codes.
  const next = await sealBackupCodes(scope, codes.toSpliced(at, 1))
  return (work) => replaceCodes(scope.db, work, record, next)
}
