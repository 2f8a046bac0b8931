import { confirmPassword } from '../../identity/accounts/passwords.ts'
import type { Caller, Scope } from '../../identity/scope.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { open, seal } from '../../kit/encrypt.ts'
import { newId } from '../../kit/random.ts'
import { newBackupCodes, openBackupCodes, sealBackupCodes } from './backup-codes.ts'
import { clearPending } from './pending.ts'
import { rotateSession } from './rotate-session.ts'
import { newSecret, totpUri } from './totp.ts'
import { deleteTrustedDevices } from './trusted-devices.store.ts'
import { setUpsSince, twoFactorOptions } from './two-factor.config.ts'
import { twoFactorErrors as errors } from './two-factor.errors.ts'
import * as store from './two-factor.store.ts'
import type { TwoFactor } from './two-factor.table.ts'

/** The caller's own password, given again. @throws NO_PASSWORD_CREDENTIAL_FOUND, INVALID_PASSWORD */
async function confirm(scope: Scope, { user }: Caller, password: string): Promise<store.PasswordGuard> {
  const passwordHash = await confirmPassword(scope, user, password, errors.NO_PASSWORD_CREDENTIAL_FOUND)
  return { userId: user.id, passwordHash }
}

/**
 * Begins the set-up: a new secret and new backup codes, which take the place of older ones with the first code. Who
 * does not get the answer asks again: what was made for them never counted, and lapses.
 * @throws see the contract
 */
export async function enable(
  scope: Scope,
  caller: Caller,
  { password, issuer }: { password: string; issuer?: string | undefined },
): Promise<{ totpURI: string; backupCodes: string[] }> {
  const guard = await confirm(scope, caller, password)
  const { user } = caller
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
  if (twoFactorOptions.of(scope).skipVerificationOnEnable) {
    await rotateSession(
      scope,
      caller,
      { ...user, twoFactorEnabled: true, updatedAt: now },
      { passwordHash: guard.passwordHash, alongside: store.enforceStatements(scope.db, record) },
    )
  } else {
    if (!(await store.addUnconfirmed(scope.db, record, guard))) throw core.INVALID_PASSWORD()
    // The next code is for this, and not for a sign-in that was left unfinished on this browser.
    clearPending(scope)
  }
  return { totpURI: totpUri(scope, secret, user.email, issuer), backupCodes }
}

/** Turns two-factor off; the session gets a new token. @throws see the contract */
export async function disable(scope: Scope, caller: Caller, password: string): Promise<void> {
  const { userId, passwordHash } = await confirm(scope, caller, password)
  const now = scope.now()
  const user = { ...caller.user, twoFactorEnabled: false, updatedAt: now }
  const alongside = store.disableStatements(scope.db, userId, now)
  await rotateSession(scope, caller, user, { passwordHash, alongside })
}

/** The address of the newest secret, to be scanned again. @throws see the contract */
export async function readTotpUri(scope: Scope, caller: Caller, password: string): Promise<string> {
  if (twoFactorOptions.of(scope).totpOptions.disable) throw errors.TOTP_ISNT_CONFIGURED()
  await confirm(scope, caller, password)
  const record = (await store.recordsOf(scope.db, caller.user.id, setUpsSince(scope))).at(-1)
  if (!record) throw errors.TOTP_NOT_ENABLED()
  return totpUri(scope, await open(scope.settings.secrets, record.secret), caller.user.email)
}

/**
 * New backup codes. The old ones end at once, for whoever makes new ones may know that others have seen the old. So
 * that nobody is left with neither list, the write comes again when nobody knows whether it was done; and whoever does
 * not get the answer asks again, for which the session and the password are enough.
 * @throws see the contract
 */
export async function regenerateBackupCodes(scope: Scope, caller: Caller, password: string): Promise<string[]> {
  if (!caller.user.twoFactorEnabled) throw errors.TWO_FACTOR_ISNT_ENABLED()
  const guard = await confirm(scope, caller, password)
  const codes = newBackupCodes(scope)
  const sealed = await sealBackupCodes(scope, codes)
  const write = () => store.replaceBackupCodes(scope.db, guard, sealed)
  if (!(await write().catch(write))) throw errors.TWO_FACTOR_ISNT_ENABLED()
  return codes
}

const inForce = (records: TwoFactor[]): TwoFactor | undefined => records.find(({ confirmed }) => confirmed)

/** The codes that are left. Server-only: see two-factor.rpc.ts. @throws BACKUP_CODES_ARENT_ENABLED */
export async function viewBackupCodes(scope: Scope, userId: string): Promise<string[]> {
  const record = inForce(await store.recordsOf(scope.db, userId, scope.now()))
  if (!record) throw errors.BACKUP_CODES_ARENT_ENABLED()
  return openBackupCodes(scope, record)
}

/** What the account page shows. */
export const presentStatus = ({ user }: Caller, records: TwoFactor[], trustedDevices: number) => ({
  enabled: user.twoFactorEnabled,
  backupCodesLeft: inForce(records)?.backupCodes.length ?? 0,
  trustedDevices,
})

/** Every device of the caller has to give the second factor again. */
export async function forgetDevices(scope: Scope, caller: Caller): Promise<void> {
  await deleteTrustedDevices(scope.db, caller.user.id)
}
