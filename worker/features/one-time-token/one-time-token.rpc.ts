import { Operations, type RpcAnswer, run } from '../../http/operations.ts'
import { generateOneTimeTokenFor } from './one-time-token.ts'

export class OneTimeTokenOperations extends Operations {
  /**
   * Creates a one-time token for a session. @param input `sessionToken`: signed, as in the cookie or in
   * `set-auth-token`
   */
  generateOneTimeToken(input: { sessionToken: string }): Promise<RpcAnswer<{ token: string }>> {
    return this[run](async (scope) => ({ token: await generateOneTimeTokenFor(scope, String(input.sessionToken)) }))
  }
}
