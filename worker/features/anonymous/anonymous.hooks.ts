import type { IssuedSession } from '../../identity/lifecycle.ts'
import type { Scope } from '../../identity/scope.ts'
import { forgetSessionsOf } from '../../identity/sessions/sessions.ts'
import type { User } from '../../identity/users/users.table.ts'
import { removeUser } from '../../identity/users/users.ts'
import { anonymousOptions } from './anonymous.config.ts'
import { placeholderPrefix } from './anonymous.ts'

export const publicAnonymous = () => ({ features: { anonymous: true } })

/** A guest who has meanwhile proven an address or a number is somebody who can come back, and stays. */
const isGuest = (user: User): boolean =>
  user.isAnonymous && !user.emailVerified && !user.phoneNumberVerified && user.email.startsWith(placeholderPrefix)

/**
 * A guest has signed in to a real account, or signed up for one: the application takes over what it keeps for them,
 * and the guest is deleted. The answer does not wait for it.
 */
export function adoptGuest(scope: Scope, { user, method, previous }: IssuedSession): void {
  if (method === 'anonymous') return
  scope.after(async () => {
    const guest = (await previous())?.user
    if (!guest || guest.id === user.id || !isGuest(guest)) return
    const { onLinkAccount, disableDeleteAnonymousUser } = anonymousOptions.of(scope)
    await onLinkAccount?.({ anonymousUser: guest, newUser: user }, scope)
    if (disableDeleteAnonymousUser) return
    await removeUser(scope, guest)
    forgetSessionsOf(scope, guest.id)
  })
}
