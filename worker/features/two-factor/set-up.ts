import { findPasswordHash } from '../../identity/accounts/accounts.store.ts'
import { confirmPassword } from '../../identity/accounts/passwords.ts'
import type { Caller, Scope } from '../../identity/scope.ts'
import { securityEvent } from '../../identity/security/security-events.ts'
import { unitOfWork } from '../../identity/unit-of-work.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import type { Work } from '../../identity/work.ts'
import { open, seal } from '../../kit/encrypt.ts'
import { AppError, faultIn } from '../../kit/errors.ts'
import { newId } from '../../kit/random.ts'
import { newBackupCodes, openBackupCodes, sealBackupCodes } from './backup-codes.ts'
import { clearPending } from './pending.ts'
import { rotateSession } from './rotate-session.ts'
import { newTotpSecret, totpUri } from './totp.ts'
import { deleteTrustedDevices } from './trusted-devices.store.ts'
import { setUpsSince, twoFactorOptions } from './two-factor.config.ts'
import { twoFactorErrors as errors } from './two-factor.errors.ts'
import * as store from './two-factor.store.ts'
import type { TwoFactor } from './two-factor.table.ts'

/** Records that the second factor was enabled or disabled. */
export const factorEvent = (
  scope: Scope,
  work: Work,
  { user, session }: Caller,
  type: 'two-factor-enabled' | 'two-factor-disabled',
): void => securityEvent(scope, work, { type, user, sessionId: session.id })

/**
 * Verifies the caller's own password, or that the caller has none. @throws NO_PASSWORD_CREDENTIAL_FOUND, INVALID_PASSWORD,
 * VALIDATION_ERROR for a missing one
 */
async function confirm(scope: Scope, { user }: Caller, password: string | undefined): Promise<store.PasswordGuard> {
  if (password === undefined) {
    // A guest has nothing that a second factor protects.
    if (user.isAnonymous) throw errors.NO_PASSWORD_CREDENTIAL_FOUND()
    if ((await findPasswordHash(scope.db, user.id)) !== null) throw missingPassword()
    return { userId: user.id, passwordHash: null }
  }
  const passwordHash = await confirmPassword(scope, user, password, errors.NO_PASSWORD_CREDENTIAL_FOUND)
  return { userId: user.id, passwordHash }
}

const missingPassword = () => new AppError(400, 'VALIDATION_ERROR', 'Invalid body parameters: password: Invalid input')

/** Begins the set-up: a new secret and new codes, in force with the first code. The user may repeat a lost call. */
export async function enable(
  scope: Scope,
  caller: Caller,
  { password, issuer }: { password?: string | undefined; issuer?: string | undefined },
): Promise<{ totpURI: string; backupCodes: string[] }> {
  const guard = await confirm(scope, caller, password)
  const { user } = caller
  const secret = newTotpSecret()
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
    const work = unitOfWork(scope)
    work.run(store.enforceStatements(scope.db, record))
    factorEvent(scope, work, caller, 'two-factor-enabled')
    const enabled = { ...user, twoFactorEnabled: true, updatedAt: now }
    await rotateSession(scope, work, caller, enabled, { passwordHash: guard.passwordHash ?? undefined })
  } else {
    if (!(await store.addUnconfirmed(scope.db, record, guard))) throw core.INVALID_PASSWORD()
    // The next code belongs to this setup, and not to a pending sign-in of this browser.
    clearPending(scope)
  }
  return { totpURI: totpUri(scope, secret, user.email, issuer), backupCodes }
}

/** Turns two-factor off; the session gets a new token. */
export async function disable(scope: Scope, caller: Caller, password: string | undefined): Promise<void> {
  const { userId, passwordHash } = await confirm(scope, caller, password)
  const now = scope.now()
  const user = { ...caller.user, twoFactorEnabled: false, updatedAt: now }
  const work = unitOfWork(scope)
  work.run(store.disableStatements(scope.db, userId, now))
  factorEvent(scope, work, caller, 'two-factor-disabled')
  await rotateSession(scope, work, caller, user, { passwordHash: passwordHash ?? undefined })
}

/** The address of the newest secret, to be scanned again. */
export async function readTotpUri(scope: Scope, caller: Caller, password: string | undefined): Promise<string> {
  if (twoFactorOptions.of(scope).totpOptions.disable) throw errors.TOTP_ISNT_CONFIGURED()
  await confirm(scope, caller, password)
  const record = (await store.recordsOf(scope.db, caller.user.id, setUpsSince(scope))).at(-1)
  if (!record) throw errors.TOTP_NOT_ENABLED()
  return totpUri(scope, await open(scope.settings.secrets, record.secret), caller.user.email)
}

/**
 * New backup codes; the old ones end at once, because others may have seen them. The write is repeated after a fault.
 * @throws TWO_FACTOR_ISNT_ENABLED, also when the record or its codes changed in the meantime
 */
export async function regenerateBackupCodes(
  scope: Scope,
  caller: Caller,
  password: string | undefined,
): Promise<string[]> {
  if (!caller.user.twoFactorEnabled) throw errors.TWO_FACTOR_ISNT_ENABLED()
  const [guard, before] = await Promise.all([
    confirm(scope, caller, password),
    store.findBackupCodes(scope.db, caller.user.id),
  ])
  if (!before) throw errors.TWO_FACTOR_ISNT_ENABLED()
  const codes = newBackupCodes(scope)
  const after = await sealBackupCodes(scope, codes)
  const event = { type: 'backup-codes-created', user: caller.user, sessionId: caller.session.id } as const
  const write = async () => {
    const work = unitOfWork(scope)
    work.run(store.replaceBackupCodes(scope.db, guard, { before, after })).orFail(errors.TWO_FACTOR_ISNT_ENABLED)
    securityEvent(scope, work, event)
    await work.commit()
  }
  await write().catch((thrown) => {
    if (!faultIn(thrown)) throw thrown
    return write()
  })
  return codes
}

const inForce = (records: TwoFactor[]): TwoFactor | undefined => records.find(({ confirmed }) => confirmed)

/** The remaining codes. Server-only: see two-factor.operations.ts. @throws BACKUP_CODES_ARENT_ENABLED */
export async function viewBackupCodes(scope: Scope, userId: string): Promise<string[]> {
  const record = inForce(await store.recordsOf(scope.db, userId, scope.now()))
  if (!record) throw errors.BACKUP_CODES_ARENT_ENABLED()
  return openBackupCodes(scope, record)
}

/** The state for the account page. */
export const presentStatus = ({ user }: Caller, records: TwoFactor[], trustedDevices: number) => ({
  enabled: user.twoFactorEnabled,
  backupCodesLeft: inForce(records)?.backupCodes.length ?? 0,
  trustedDevices,
})

/** Revokes all trusted devices of the caller. */
export async function forgetDevices(scope: Scope, caller: Caller): Promise<void> {
  await deleteTrustedDevices(scope.db, caller.user.id)
}
