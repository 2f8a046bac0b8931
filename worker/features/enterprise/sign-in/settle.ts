import type { Scope } from '../../../identity/scope.ts'
import { plainName } from '../../../kit/inputs.ts'
import type { CallbackOutcome } from '../../social/model/callback-outcome.ts'
import type { AuthorizationState } from '../../social/model/state.ts'
import { type Connection, providerOf } from '../model/connections.table.ts'
import { recordTest } from './sign-in.store.ts'

/**
 * A test ends on its page, with its outcome in the connection: the page reads it from the settings. The state of another
 * connection changes nothing.
 */
export async function settle(
  scope: Scope,
  connection: Connection | undefined,
  { test, provider, callbackURL }: Pick<AuthorizationState, 'test' | 'provider' | 'callbackURL'>,
  outcome: CallbackOutcome,
  attributes: string[],
): Promise<CallbackOutcome> {
  if (!test) return 'to' in outcome ? { to: outcome.to } : outcome
  const error = 'error' in outcome ? outcome.error : null
  const detail = 'error' in outcome ? (outcome.description ?? outcome.detail ?? null) : null
  if (connection && provider === providerOf(connection)) {
    const shown = detail === null ? null : plainName(detail).slice(0, 300)
    await recordTest(scope.db, connection, { at: scope.now().getTime(), error, detail: shown, attributes }).run()
  }
  return { to: callbackURL }
}
