import type { Scope } from '../../../identity/scope.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'
import { AppError } from '../../../kit/errors.ts'
import { oauthError } from '../../identity-provider/identity-provider.errors.ts'
import { type Client, tokenTypes } from '../../identity-provider/model/clients/client.ts'
import { recordProviderUse } from '../../identity-provider/model/grants/provider-grants.store.ts'
import { isGranted, isUnbroken, type LiveToken } from '../../identity-provider/model/grants/tokens.store.ts'
import type { TokenAnswer } from '../../identity-provider/model/grants/tokens.ts'
import { words } from '../../identity-provider/model/protocol/parameters.ts'
import { getAccessToken } from '../../social/tokens/tokens.ts'
import { addActivity } from '../agents.store.ts'
import { activity } from '../agents.ts'

export interface UsableGrant {
  id: string
  providerId: string
  /** The row of the account. */
  accountId: string
  /** Scopes of the provider, joined by spaces. */
  scopes: string
}

/** The maximum I/O of a token that is refreshed, or for whose refresh by another request this one waits. */
const refresh = { d1: 14, kv: 2, durable: 6, outside: 3 }

/**
 * The provider's access token of the user of a token, for an agent. The existing refresh serves parallel requests: one of
 * them refreshes. The token is in this response only.
 * @throws invalid_grant if the token, the user or the agent has ended in the meantime; access_denied if the grant has, or
 *   if the provider's token has more scopes; invalid_target if the provider gives no token
 */
export async function provideToken(
  scope: Scope,
  client: Client,
  { token, user }: LiveToken,
  grant: UsableGrant,
): Promise<TokenAnswer> {
  scope.io.declare(refresh)
  const { providerId, accountId } = grant
  const provided = await getAccessToken(scope, user.id, { providerId, accountId }).catch((thrown) => {
    if (thrown instanceof AppError) throw oauthError('invalid_target', 'the provider gives no token for the account')
    throw thrown
  })
  if (provided.scopes.some((one) => !words(grant.scopes).includes(one))) throw moreThanGranted()
  const { clientId } = client
  const chain = [{ agent: clientId, token: token.id }, ...(token.chain ?? [])]
  const ended = () => oauthError('invalid_grant', 'invalid subject_token')
  const work = unitOfWork(scope)
  work.require(isGranted(scope, { ...token, clientId }, scope.now(), client), ended)
  work.require(isUnbroken(chain, scope.now()), ended)
  work.run(recordProviderUse(scope.db, grant, scope.now())).orFail(notGranted)
  const line = { userId: user.id, resource: providerId, scopes: provided.scopes.join(' ') }
  work.run(addActivity(scope.db, activity(scope, clientId, 'provider', line)))
  work.audit({
    action: 'oauth2.provider-token',
    actor: { type: 'client', id: user.id, via: clientId },
    subjectId: user.id,
    after: { provider: providerId, scopes: line.scopes },
  })
  await work.commit()
  const { accessToken, accessTokenExpiresAt } = provided
  const left = accessTokenExpiresAt && Math.floor((accessTokenExpiresAt.getTime() - scope.now().getTime()) / 1000)
  return {
    access_token: accessToken!,
    token_type: 'Bearer',
    ...(left === null ? {} : { expires_in: left }),
    scope: provided.scopes.join(' '),
    issued_token_type: tokenTypes.access,
  }
}

export const notGranted = () => oauthError('access_denied', 'the user does not allow the agent this provider')

export const moreThanGranted = () =>
  oauthError('access_denied', 'the account has scopes that the user does not allow the agent')
