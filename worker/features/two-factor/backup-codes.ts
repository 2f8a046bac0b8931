import type { Scope } from '../../identity/scope.ts'
import { open, seal } from '../../kit/encrypt.ts'
import { equalSecrets } from '../../kit/hash.ts'
import { randomString } from '../../kit/random.ts'
import { twoFactorOptions } from './two-factor.config.ts'
import { findRecords, swapBackupCodes } from './two-factor.store.ts'
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

export const sealBackupCodes = (scope: Scope, codes: string[]): Promise<string> =>
  seal(scope.settings.secrets, JSON.stringify(codes))

/** The codes that are left. */
export const openBackupCodes = async (scope: Scope, record: TwoFactor): Promise<string[]> =>
  JSON.parse(await open(scope.settings.secrets, record.backupCodes))

/** A code as it was typed, without what does not belong to it. */
const letters = (code: string): string => code.replace(/[^A-Za-z0-9]/g, '')

/** How often the list is read when other codes of it are used at the same moment. */
const tries = 2

/** Uses a backup code: of any number of calls with one code one gets true. */
export async function takeBackupCode(scope: Scope, records: readonly TwoFactor[], code: string): Promise<boolean> {
  const guess = letters(code)
  let current = records
  for (let n = 0; n < tries; n++) {
    if (n > 0) current = await findRecords(scope.db, current[0]!.userId)
    const found = await findCode(scope, current, guess)
    if (!found) return false
    const { record, left } = found
    if (await swapBackupCodes(scope.db, record.id, record.backupCodes, await sealBackupCodes(scope, left))) return true
  }
  return false
}

async function findCode(scope: Scope, records: readonly TwoFactor[], guess: string) {
  for (const record of records) {
    const codes = await openBackupCodes(scope, record)
    const left = codes.filter((code) => !equalSecrets(letters(code), guess))
    if (left.length < codes.length) return { record, left }
  }
  return null
}
