import { sql } from 'drizzle-orm'
import { users } from '../identity/model/users.table.ts'
import { newId } from '../kit/random.ts'
import { type Changes, deleteRows, insertRows, type Row, rowOf, rowsOf, updateRows, type Where } from './rows.ts'

/** Initial states of tests: of all rows, or of those that meet a condition. */

export const newUser = (user: Partial<Row<'users'>>) => {
  const id = user.id ?? newId()
  return { id, name: '', email: `${id}@example.com`, createdAt: new Date(), updatedAt: new Date(), ...user }
}
/** A user without a session and a way to sign in. */
export async function addUser(user: Partial<Row<'users'>>): Promise<{ id: string }> {
  const added = newUser(user)
  await insertRows('users', added)
  return added
}
export const idOf = async (email: string): Promise<string> => (await rowOf('users', { email }))!.id
export const updateUsers = (changes: Changes<'users'>, where?: Where<'users'>) => updateRows('users', changes, where)
export const verifyAddresses = (where?: Where<'users'>) => updateUsers({ emailVerified: true }, where)
export const banUsers = (where?: Where<'users'>, until: Date | null = null) =>
  updateUsers({ banned: true, banExpires: until }, where)
export const deleteUsers = (where?: Where<'users'>) => deleteRows('users', where)

/** The users have the second factor enabled, but no authenticator. */
export const demandSecondFactor = (where?: Where<'users'>) => updateUsers({ twoFactorEnabled: true }, where)

/** Pending links, codes and trusted devices are invalid. */
export const invalidatePending = () => updateUsers({ securityVersion: sql`${users.securityVersion} + 1` })

/** The users have no password and no account at a provider. */
export const deleteAccounts = (where?: Where<'accounts'>) => deleteRows('accounts', where)
export const expireAccessTokens = () => updateRows('accounts', { accessTokenExpiresAt: new Date(1) })

/** Sessions are those of an impersonation. */
export const impersonateAs = (impersonatedBy: string, where?: Where<'sessions'>) =>
  updateRows('sessions', { impersonatedBy }, where)

/** The last authentication is not recent. */
export const makeSessionsStale = (authenticatedAt = new Date(1)) => updateRows('sessions', { authenticatedAt })
/** The last authentication is now, by these methods. */
export const authenticateSessions = (amr: string[]) => updateRows('sessions', { authenticatedAt: new Date(), amr })
export const endSessions = (where?: Where<'sessions'>) => deleteRows('sessions', where)
export const expireSessions = (expiresAt: Date, where?: Where<'sessions'>) =>
  updateRows('sessions', { expiresAt }, where)

/** A member has another role. */
export const changeRole = (role: string, where?: Where<'members'>) => updateRows('members', { role }, where)

export const sessionsInOrganizations = async (where?: Where<'sessions'>) =>
  (await rowsOf('sessions', where)).filter(({ activeOrganizationId }) => activeOrganizationId !== null)

/** The jobs of a kind, for all that it reaches (`mail`, `webhook/acme`). */
export const jobsOf = async (kind: string, where?: Where<'jobs'>) =>
  (await rowsOf('jobs', where)).filter((job) => job.kind.split('/')[0] === kind)

/** Jobs of a kind that are due. */
export const addJobs = (kind: string, ...rows: Partial<Row<'jobs'>>[]) =>
  insertRows(
    'jobs',
    ...rows.map((job) => ({
      id: newId(),
      kind,
      payload: '{}',
      attempts: 0,
      nextAt: new Date(1),
      state: 'pending' as const,
      createdAt: new Date(),
      ...job,
    })),
  )

/** The user has an account at a provider, or a password. */
export const linkAccount = (userId: string, account: Partial<Row<'accounts'>> & { providerId: string }) =>
  insertRows('accounts', {
    id: newId(),
    accountId: userId,
    userId,
    createdAt: new Date(1),
    updatedAt: new Date(1),
    ...account,
  })

/** The user has a passkey that no authenticator holds. */
export function addPasskey(userId: string): Promise<void> {
  const id = newId()
  const key = { publicKey: '', counter: 0, deviceType: 'singleDevice' as const, backedUp: false, aaguid: '' }
  return insertRows('passkeys', { id, userId, credentialID: id, createdAt: new Date(0), ...key })
}

/** The user has a confirmed second factor and a trusted device. */
export async function addAuthenticator(userId: string): Promise<void> {
  const now = new Date()
  await insertRows('two_factors', { id: 't', userId, confirmed: true, secret: 'x', backupCodes: [], createdAt: now })
  const expiresAt = new Date(now.getTime() + 1e9)
  const device = { tokenHash: 'h', twoFactorId: 't', securityVersion: 0, createdAt: now, expiresAt }
  await insertRows('trusted_devices', { userId, ...device })
}
