import { welcomeTarget } from '../../../http/answer-sign-in.ts'
import type { Scope } from '../../../identity/scope.ts'
import type { Work } from '../../../identity/work.ts'
import { withQuery } from '../../../kit/urls.ts'
import type { CallbackOutcome } from '../../social/model/callback-outcome.ts'
import type { Connection } from '../model/connections.table.ts'
import { type AssertedPerson, signInByConnection } from './provision.ts'

/** The end of a sign-in through a connection. */
export async function finishSsoSignIn(
  scope: Scope,
  connection: Connection,
  targets: { callbackURL: string; newUserURL?: string | undefined },
  person: AssertedPerson,
  proof?: (work: Work) => void,
): Promise<CallbackOutcome> {
  if (connection.state !== 'active') return { error: 'sso_connection_not_active' }
  const entered = await signInByConnection(scope, connection, person, proof)
  if (entered.kind === 'refused') return { error: entered.reason }
  const { result, isNew } = entered
  const target = (isNew ? targets.newUserURL : undefined) ?? targets.callbackURL
  // The app's screen asks for the second factor and then goes to the target in its query.
  if (result.kind === 'challenged') {
    return { to: withQuery(`${scope.settings.baseUrl}/two-factor`, { callbackURL: target }) }
  }
  return { to: welcomeTarget(scope, result.user, target) }
}
