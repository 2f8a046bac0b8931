import type { UserChange } from '../../identity/lifecycle.ts'
import type { NewUser, User } from '../../identity/model/users.table.ts'
import type { Scope } from '../../identity/scope.ts'
import { usernameOptions } from './username.config.ts'
import { usernameErrors as errors } from './username.errors.ts'
import { findHolder } from './username.store.ts'
import { readDisplayUsername, readUsername } from './username-rules.ts'

/**
 * Reads both names from a body; null removes a name. The default of the display name is the username in the user's
 * spelling.
 */
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

/** Rejects a taken username first: the response does not depend on the address. UNIQUE decides between requests. */
async function refuseTaken(scope: Scope, username: string | null | undefined, own?: string): Promise<void> {
  if (!username) return
  const holder = await findHolder(scope.db, username)
  if (holder !== null && holder !== own) throw errors.USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER()
}

export async function nameNewUser(scope: Scope, { values, input }: UserChange<NewUser>): Promise<NewUser> {
  const names = readNames(scope, input)
  await refuseTaken(scope, names.username)
  return { ...values, ...names }
}

/** The user's own username is not a change. */
export async function renameUser(
  scope: Scope,
  user: User,
  { values, input }: UserChange<Partial<NewUser>>,
): Promise<Partial<NewUser>> {
  const names = readNames(scope, input)
  if (names.username !== user.username) await refuseTaken(scope, names.username, user.id)
  return { ...values, ...names }
}
