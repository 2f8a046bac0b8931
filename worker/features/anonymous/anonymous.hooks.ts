import type { SignInAttempt } from '../../identity/lifecycle.ts'
import type { Scope } from '../../identity/scope.ts'
import { readBearerToken } from '../../identity/sessions/bearer-token.ts'
import { readSessionToken } from '../../identity/sessions/session-cookies.ts'
import { findSession } from '../../identity/sessions/sessions.store.ts'
import { forgetSessionsOf } from '../../identity/sessions/sessions.ts'
import { coreErrors } from '../../identity/users/users.errors.ts'
import { findUserById } from '../../identity/users/users.store.ts'
import type { User } from '../../identity/users/users.table.ts'
import { removeUser } from '../../identity/users/users.ts'
import { AppError } from '../../kit/errors.ts'
import { demand } from '../../platform/statements.ts'
import { anonymousOptions } from './anonymous.config.ts'
import { hasNoWayIn, holds, isGuestsSession } from './anonymous.store.ts'

export const publicAnonymous = () => ({ features: { anonymous: true } })

/** A guest who has meanwhile given an address or a way in, or proven a number, can come back, and stays. */
const isGuest = (user: User): boolean => user.isAnonymous && user.emailIsPlaceholder && !user.phoneNumberVerified

const adoptKind = 'anonymous:adopt-guest'

/** Whose session the browser has had, and who has signed in there now. */
export interface Adoption {
  token: string
  userId: string
}

/**
 * A guest signs in to a real account, or signs up for one: that the account adopts them is written down with the
 * session, and done after the answer. Whether the browser's session is a guest's the statement itself finds out.
 */
export async function adoptGuest(scope: Scope, { user, method, alongside }: SignInAttempt): Promise<null> {
  const token =
    method === 'anonymous' || method === 'rotation' ? null : (readSessionToken(scope) ?? readBearerToken(scope))
  if (token === null) return null
  const adoption: Adoption = { token, userId: user.id }
  alongside.push(...(await scope.task(adoptKind, adoption, isGuestsSession(token, user.id))))
  return null
}

/** The tasks of this feature, see identity/lifecycle.ts. */
export const anonymousTasks = {
  /**
   * The application takes over what it keeps for a guest, and the guest is deleted. When the deletion fails the
   * application is asked again.
   */
  async [adoptKind](scope: Scope, { token, userId }: Adoption): Promise<void> {
    const guest = (await findSession(scope.db, token))?.user
    if (!guest || guest.id === userId || !isGuest(guest)) return
    const isLost = hasNoWayIn(
      guest.id,
      scope.lifecycle.keptWaysIn.map((keeps) => keeps(scope, guest.id)),
    )
    if (!(await holds(scope.db, guest.id, isLost))) return
    const user = await findUserById(scope.db, userId)
    if (!user) return
    const { onLinkAccount, disableDeleteAnonymousUser } = anonymousOptions.of(scope)
    await onLinkAccount?.({ anonymousUser: guest, newUser: user }, { env: scope.env })
    if (disableDeleteAnonymousUser) return
    try {
      await removeUser(scope, guest, [demand(scope.db, isLost)])
    } catch (thrown) {
      // They have got a way in meanwhile, and stay, or are gone already.
      if (thrown instanceof AppError && thrown.code === coreErrors.USER_NOT_FOUND.code) return
      throw thrown
    }
    forgetSessionsOf(scope, guest.id)
  },
}
