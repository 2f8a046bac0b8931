import { removeUser } from '../../identity/accounts/users.ts'
import type { SignInAttempt } from '../../identity/lifecycle.ts'
import type { User } from '../../identity/model/users.table.ts'
import { contributed } from '../../identity/registry.ts'
import type { Scope } from '../../identity/scope.ts'
import { readBearerToken } from '../../identity/sessions/bearer-token.ts'
import { shownKeys } from '../../identity/sessions/device-key.ts'
import { readSessionToken } from '../../identity/sessions/session-cookies.ts'
import { sessionByToken } from '../../identity/sessions/sessions.store.ts'
import { forgetSessionsOf } from '../../identity/sessions/sessions.ts'
import { unitOfWork } from '../../identity/unit-of-work.ts'
import { coreErrors } from '../../identity/users/users.errors.ts'
import { findUserById } from '../../identity/users/users.store.ts'
import { AppError } from '../../kit/errors.ts'
import { anonymousOptions } from './anonymous.config.ts'
import { hasNoWayIn, isGuestsSession, userFulfils } from './anonymous.store.ts'

/** A guest with an address or a proven number can sign in again, and is kept. */
const isGuest = (user: User): boolean => user.isAnonymous && user.emailIsPlaceholder && !user.phoneNumberVerified

const adoptKind = 'anonymous:adopt-guest'

/** The token of the browser's earlier session, and the user who has signed in. */
export interface Adoption {
  token: string
  userId: string
}

/** When a guest signs in as another user or signs up, a job in the batch of the session moves the guest's data. */
export function adoptGuest(scope: Scope, { user, method, writes }: SignInAttempt): null {
  const token =
    method === 'anonymous' || method === 'rotation' ? null : (readSessionToken(scope) ?? readBearerToken(scope))
  if (token === null) return null
  const adoption: Adoption = { token, userId: user.id }
  writes.push((work) =>
    work.defer(adoptKind, adoption, { when: isGuestsSession(token, user.id, shownKeys(scope, token)) }),
  )
  return null
}

export const anonymousJobs = { [adoptKind]: { run: adopt, cost: 12 } }

/** Calls onLinkAccount, then deletes the guest. A failed deletion repeats both. */
async function adopt(scope: Scope, { token, userId }: Adoption): Promise<void> {
  const [found] = await sessionByToken(scope.db, token)
  const guest = found?.user
  if (!guest || guest.id === userId || !isGuest(guest)) return
  const isLost = hasNoWayIn(
    guest.id,
    contributed(scope, 'keeps', 'wayIn', 'all').map((keeps) => keeps(scope, guest.id)),
  )
  if (!(await userFulfils(scope.db, guest.id, isLost))) return
  const user = await findUserById(scope.db, userId)
  if (!user) return
  const { onLinkAccount, disableDeleteAnonymousUser } = anonymousOptions.of(scope)
  await onLinkAccount?.({ anonymousUser: guest, newUser: user }, { env: scope.env })
  if (disableDeleteAnonymousUser) return
  try {
    const work = unitOfWork(scope, coreErrors.USER_NOT_FOUND)
    work.require(isLost)
    work.audit({ action: 'guest-replaced', actor: { type: 'system', id: null }, subjectId: guest.id })
    await removeUser(scope, guest, work)
  } catch (thrown) {
    // The guest has a sign-in method and is kept, or is already deleted.
    if (thrown instanceof AppError && thrown.code === coreErrors.USER_NOT_FOUND.code) return
    throw thrown
  }
  forgetSessionsOf(scope, guest.id)
}
