import type { Caller, Scope } from '../../../identity/scope.ts'
import { showSession } from '../../../identity/sessions/sessions.ts'
import { activateInSession } from './active-organization.store.ts'

/** Updates the caller and the cookies after the active organization has changed. */
export const showActiveOrganization = (scope: Scope, caller: Caller, activeOrganizationId: string | null): void =>
  showSession(scope, caller, {
    activeOrganizationId,
    activeTeamId: activeOrganizationId === caller.session.activeOrganizationId ? caller.session.activeTeamId : null,
  })

/** Sends the cookies again: after a lost response they may differ from the row of the session. */
export const resendActiveOrganization = (scope: Scope, caller: Caller): void => showSession(scope, caller, {})

/** Deactivates an organization that the user is no longer a member of. The response does not wait for the write. */
export function forgetActiveOrganization(scope: Scope, caller: Caller): void {
  const { id, activeOrganizationId } = caller.session
  if (activeOrganizationId !== null) scope.after(() => activateInSession(scope.db, id, null).run())
  showActiveOrganization(scope, caller, null)
}
