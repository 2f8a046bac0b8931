import { confirmPassword } from '../../identity/accounts/passwords.ts'
import type { Caller, Scope } from '../../identity/scope.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { open, seal } from '../../kit/encrypt.ts'
import { newId } from '../../kit/random.ts'
import { newBackupCodes, openBackupCodes, sealBackupCodes } from './backup-codes.ts'
import { requireOwnSession } from './own-session.ts'
import { replaceSession } from './replace-session.ts'
import { newSecret, totpUri } from './totp.ts'
import { countTrustedDevices, deleteTrustedDevices } from './trusted-devices.store.ts'
import { twoFactorOptions } from './two-factor.config.ts'
import { twoFactorErrors as errors } from './two-factor.errors.ts'
import * as store from './two-factor.store.ts'

/** The caller's own password, given again. @throws NO_PASSWORD_CREDENTIAL_FOUND, INVALID_PASSWORD */
async function confirm(scope: Scope, { user }: Caller, password: string): Promise<store.PasswordGuard> {
  const passwordHash = await confirmPassword(scope, user, password, errors.NO_PASSWORD_CREDENTIAL_FOUND)
  return { userId: user.id, passwordHash }
}

/**
 * Begins the set-up: a new secret and new backup codes, which take the place of older ones with the first code.
 * @throws see the contract
 */
export async function enable(
  scope: Scope,
  caller: Caller,
  { password, issuer }: { password: string; issuer?: string | undefined },
): Promise<{ totpURI: string; backupCodes: string[] }> {
  requireOwnSession(caller)
  const guard = await confirm(scope, caller, password)
  const { user, session } = caller
  const secret = newSecret()
  const backupCodes = newBackupCodes(scope)
  const now = scope.now()
  const record = {
    id: newId(),
    userId: user.id,
    confirmed: false,
    secret: await seal(scope.settings.secrets, secret),
    backupCodes: await sealBackupCodes(scope, backupCodes),
    createdAt: now,
  }
  const answer = { totpURI: totpUri(scope, secret, user.email, issuer), backupCodes }
  if (!twoFactorOptions.of(scope).skipVerificationOnEnable) {
    if (!(await store.addUnconfirmed(scope.db, record, guard))) throw core.INVALID_PASSWORD()
    return answer
  }
  if (!(await store.addConfirmed(scope.db, record, guard, session.token))) throw core.INVALID_PASSWORD()
  await replaceSession(scope, caller, { ...user, twoFactorEnabled: true, updatedAt: now })
  return answer
}

/** Turns two-factor off; the session is replaced. @throws see the contract */
export async function disable(scope: Scope, caller: Caller, password: string): Promise<void> {
  requireOwnSession(caller)
  const guard = await confirm(scope, caller, password)
  const now = scope.now()
  if (!(await store.removeRecords(scope.db, guard, now, caller.session.token))) throw core.INVALID_PASSWORD()
  await replaceSession(scope, caller, { ...caller.user, twoFactorEnabled: false, updatedAt: now })
}

/** The address of the newest secret, to be scanned again. @throws see the contract */
export async function readTotpUri(scope: Scope, caller: Caller, password: string): Promise<string> {
  requireOwnSession(caller)
  if (twoFactorOptions.of(scope).totpOptions.disable) throw errors.TOTP_ISNT_CONFIGURED()
  await confirm(scope, caller, password)
  const record = (await store.findRecords(scope.db, caller.user.id)).at(-1)
  if (!record) throw errors.TOTP_NOT_ENABLED()
  return totpUri(scope, await open(scope.settings.secrets, record.secret), caller.user.email)
}

/** New backup codes; the old ones end. @throws see the contract */
export async function regenerateBackupCodes(scope: Scope, caller: Caller, password: string): Promise<string[]> {
  requireOwnSession(caller)
  if (!caller.user.twoFactorEnabled) throw errors.TWO_FACTOR_ISNT_ENABLED()
  const guard = await confirm(scope, caller, password)
  const codes = newBackupCodes(scope)
  if (!(await store.replaceBackupCodes(scope.db, guard, await sealBackupCodes(scope, codes)))) {
    throw errors.TWO_FACTOR_ISNT_ENABLED()
  }
  return codes
}

/** The codes that are left. Server-only: see worker/rpc.ts. @throws BACKUP_CODES_ARENT_ENABLED */
export async function viewBackupCodes(scope: Scope, userId: string): Promise<string[]> {
  const [record] = await store.findRecords(scope.db, userId)
  if (!record) throw errors.BACKUP_CODES_ARENT_ENABLED()
  return openBackupCodes(scope, record)
}

/** What the account page shows. */
export async function readStatus(scope: Scope, { user }: Caller) {
  const [records, trustedDevices] = await Promise.all([
    store.findRecords(scope.db, user.id),
    countTrustedDevices(scope.db, user, scope.now()),
  ])
  const inForce = records.find(({ confirmed }) => confirmed)
  return {
    enabled: user.twoFactorEnabled,
    backupCodesLeft: inForce ? (await openBackupCodes(scope, inForce)).length : 0,
    trustedDevices,
  }
}

/** Every device of the caller has to give the second factor again. */
export async function forgetDevices(scope: Scope, caller: Caller): Promise<void> {
  requireOwnSession(caller)
  await deleteTrustedDevices(scope.db, caller.user.id)
}
