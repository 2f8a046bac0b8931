import type { UserChange } from '../../identity/lifecycle.ts'
import type { Scope } from '../../identity/scope.ts'
import type { NewUser, User } from '../../identity/users/users.table.ts'
import { usernameOptions } from './username.config.ts'
import { usernameErrors as errors } from './username.errors.ts'
import { findHolder } from './username.store.ts'
import { readDisplayUsername, readUsername } from './username-rules.ts'

/** What a body says about both names; null takes a name away. Without a display name, the username is shown as typed. */
function readNames(scope: Scope, input: Readonly<Record<string, unknown>>): Partial<NewUser> {
  const { username, displayUsername } = input
  const names: Partial<NewUser> = {}
  if (username === null) Object.assign(names, { username: null, displayUsername: null })
  else if (username !== undefined) {
    names.username = readUsername(username, usernameOptions.of(scope))
    names.displayUsername = username as string
  }
  if (displayUsername === null) names.displayUsername = null
  else if (displayUsername !== undefined) names.displayUsername = readDisplayUsername(displayUsername)
  return names
}

/**
 * A username that is taken is told before anything else is tried, so that the answer does not depend on whether the
 * address is taken too. Of two who ask at the same moment the unique index decides (users/users.ts).
 */
async function refuseTaken(scope: Scope, username: string | null | undefined, own?: string): Promise<void> {
  if (!username) return
  const holder = await findHolder(scope.db, username)
  if (holder !== null && holder !== own) throw errors.USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER()
}

/** At sign-up. */
export async function nameNewUser(scope: Scope, { values, input }: UserChange<NewUser>): Promise<NewUser> {
  const names = readNames(scope, input)
  await refuseTaken(scope, names.username)
  return { ...values, ...names }
}

/** At update-user. One's own username again is not a change. */
export async function renameUser(
  scope: Scope,
  user: User,
  { values, input }: UserChange<Partial<NewUser>>,
): Promise<Partial<NewUser>> {
  const names = readNames(scope, input)
  if (names.username !== user.username) await refuseTaken(scope, names.username, user.id)
  return { ...values, ...names }
}

/** What the hosted screens are told. */
export function usernameFeatures(scope: Scope) {
  const { minUsernameLength: min, maxUsernameLength: max } = usernameOptions.of(scope)
  return { features: { username: true }, usernameLength: { min, max } }
}
