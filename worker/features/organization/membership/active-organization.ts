import type { Caller, Scope } from '../../../identity/scope.ts'
import { showSession } from '../../../identity/sessions/sessions.ts'
import { activateInSession } from './active-organization.store.ts'

/** Another organization, or none, has become the session's active one: the caller and the cookies learn of it. */
export const showActiveOrganization = (scope: Scope, caller: Caller, activeOrganizationId: string | null): void =>
  showSession(scope, caller, { activeOrganizationId })

/** The cookies may tell another organization than the session's row, when an answer was lost: they are sent again. */
export const resendActiveOrganization = (scope: Scope, caller: Caller): void => showSession(scope, caller, {})

/** An organization is the session's active one, but not its user's any more. The answer does not wait for the write. */
export function forgetActiveOrganization(scope: Scope, caller: Caller): void {
  const { id, activeOrganizationId } = caller.session
  if (activeOrganizationId !== null) scope.after(() => activateInSession(scope.db, id, null).run())
  showActiveOrganization(scope, caller, null)
}
