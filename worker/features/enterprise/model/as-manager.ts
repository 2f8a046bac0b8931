import type { Caller, Scope } from '../../../identity/scope.ts'
import { requireSsoManager, type SsoManager } from './managers.ts'

/** The answer of an endpoint that has nothing else to say. */
export const done = { success: true as const }

interface ManagedCall<Body> {
  scope: Scope
  caller: Caller
  body: Body
}

/** A handler for those who may manage the single sign-on of the organization that the body names: it runs as one of them. */
export const asManager =
  <Body extends { organizationId?: string | undefined }, Result>(
    handle: (scope: Scope, manager: SsoManager, body: Body) => Promise<Result>,
  ) =>
  async ({ scope, caller, body }: ManagedCall<Body>): Promise<Result> =>
    handle(scope, await requireSsoManager(scope, caller, body.organizationId), body)
