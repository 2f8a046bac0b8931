import { Operations, type RpcAnswer, requireUserId, run } from '../../http/operations.ts'
import { type PresentedTokens, presentAccess, presentTokens } from './tokens/present-tokens.ts'
import { type AccountChoice, getAccessToken, refreshAccountTokens } from './tokens/tokens.ts'

export class SocialOperations extends Operations {
  /** Returns the access token of a linked account, refreshed if it is about to expire. */
  getAccessToken(input: AccountChoice & { userId: string }): Promise<RpcAnswer<PresentedTokens>> {
    return this[run](async (scope) => presentAccess(await getAccessToken(scope, requireUserId(input), input)))
  }

  /** Refreshes the tokens of a linked account. */
  refreshToken(input: AccountChoice & { userId: string }): Promise<RpcAnswer<PresentedTokens>> {
    return this[run](async (scope) => presentTokens(await refreshAccountTokens(scope, requireUserId(input), input)))
  }
}
