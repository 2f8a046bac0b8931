import { Operations, type RpcAnswer, requireUserId, run } from '../../http/operations.ts'
import { type PresentedTokens, presentAccess, presentTokens } from './present-tokens.ts'
import { type AccountChoice, getAccessToken, refreshAccountTokens } from './tokens.ts'

export class SocialOperations extends Operations {
  /** The access token of a user's account at a provider, refreshed when it is about to expire. */
  getAccessToken(input: AccountChoice & { userId: string }): Promise<RpcAnswer<PresentedTokens>> {
    return this[run](async (scope) => presentAccess(await getAccessToken(scope, requireUserId(input), input)))
  }

  /** Refreshes the tokens of a user's account at a provider. */
  refreshToken(input: AccountChoice & { userId: string }): Promise<RpcAnswer<PresentedTokens>> {
    return this[run](async (scope) => presentTokens(await refreshAccountTokens(scope, requireUserId(input), input)))
  }
}
