import { Operations, type RpcAnswer, requireUserId, run } from '../../http/operations.ts'
import { setSessionFields } from '../../identity/sessions/session-fields.ts'
import { listSessions } from '../../identity/sessions/sessions.store.ts'
import type { FieldValue } from '../../kit/additional-field.ts'
import { type DescribedSession, describeSession } from './session.ts'

export class SessionOperations extends Operations {
  /** The live sessions of a user, newest first, each with what is known of its device and place. */
  listSessions(input: { userId: string }): Promise<RpcAnswer<DescribedSession[]>> {
    return this[run](async (scope) => {
      const sessions = await listSessions(scope.db, requireUserId(input), scope.now())
      return Promise.all(sessions.map((session) => describeSession(scope, session)))
    })
  }

  /**
   * Sets fields of a session (session.additionalFields); null takes one away.
   * @param input `sessionToken`: as get-session shows it, without its signature
   * @returns all fields as they are now
   */
  setSessionFields(input: {
    sessionToken: string
    fields: Record<string, FieldValue>
  }): Promise<RpcAnswer<Record<string, FieldValue>>> {
    return this[run]((scope) => setSessionFields(scope, String(input.sessionToken), Object(input.fields)))
  }
}
