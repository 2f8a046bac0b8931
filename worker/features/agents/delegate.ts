import type { Scope } from '../../identity/scope.ts'
import { unitOfWork } from '../../identity/unit-of-work.ts'
import { randomString } from '../../kit/random.ts'
import { oauthError } from '../identity-provider/identity-provider.errors.ts'
import { type Client, tokenTypes } from '../identity-provider/model/clients/client.ts'
import type { Agent } from '../identity-provider/model/clients/clients.table.ts'
import type { OAuthAccessToken } from '../identity-provider/model/grants/grants.table.ts'
import {
  insertTokens,
  isGranted,
  isUnbroken,
  type LiveToken,
  selectUser,
} from '../identity-provider/model/grants/tokens.store.ts'
import { answerOf, type TokenAnswer, tokenRowOf } from '../identity-provider/model/grants/tokens.ts'
import type { AuthorizationDetail } from '../identity-provider/model/protocol/authorization-details.ts'
import { words } from '../identity-provider/model/protocol/parameters.ts'
import { scopesAt } from '../identity-provider/model/protocol/resources.ts'
import { addActivity } from './agents.store.ts'
import { activity } from './agents.ts'

/**
 * The scopes that an agent can have of a token: those of the token at its resource that the agent may have there and that
 * the user allows it. No chain has more than its user and each agent in it.
 */
export function delegableScopes(
  scope: Scope,
  token: Pick<OAuthAccessToken, 'scopes' | 'resource'>,
  { access }: Agent,
  allowed: readonly string[],
): string[] {
  const own = token.resource !== null && Object.hasOwn(access, token.resource) ? access[token.resource]! : []
  const held = scopesAt(scope, words(token.scopes), token.resource)
  return held.filter((name) => own.includes(name) && allowed.includes(name))
}

/**
 * A token of an agent that acts for the user of another token: not longer valid than that one, and only while that one, the
 * user and every agent of the chain are. It has no refresh token.
 * @throws invalid_grant if one of them has ended in the meantime
 */
export async function issueDelegated(
  scope: Scope,
  client: Client,
  { token, user }: LiveToken,
  { key, scopes, details }: { key: string | null; scopes: readonly string[]; details: AuthorizationDetail[] | null },
): Promise<TokenAnswer> {
  const { clientId } = client
  const chain = [{ agent: clientId, token: token.id }, ...(token.chain ?? [])]
  const pair = { accessToken: randomString(43), refreshToken: null }
  const { resource, grantId, userId, securityVersion, sessionId, authTime, amr, method, grantedAt } = token
  const grant = {
    ...{ clientId, userId, securityVersion, grantId, resource, sessionId, authTime, amr, method, grantedAt, chain },
    scopes: scopes.join(' '),
    grantedResources: null,
    claims: null,
    authorizationDetails: details,
    keyThumbprint: key,
  }
  const full = tokenRowOf(scope, pair, grant)
  const times = [full.accessTokenExpiresAt, token.accessTokenExpiresAt, client.expiresAt ?? full.accessTokenExpiresAt]
  const end = Math.min(...times.map((time) => time.getTime()))
  const row = { ...full, accessTokenExpiresAt: new Date(end) }
  const ended = () => oauthError('invalid_grant', 'invalid subject_token')
  const work = unitOfWork(scope)
  work.require(isGranted(scope, row, scope.now(), client), ended)
  work.require(isUnbroken(chain, scope.now()), ended)
  work.run(insertTokens(scope.db, row))
  const through = (token.chain ?? []).map(({ agent }) => agent).join(' ') || null
  const line = activity(scope, clientId, 'token', { userId: user.id, resource, scopes: grant.scopes, through })
  work.run(addActivity(scope.db, line))
  work.audit({
    action: 'oauth2.token',
    actor: { type: 'client', id: user.id, via: clientId },
    subjectId: user.id,
    after: { scopes: grant.scopes, resource, ...(through === null ? {} : { through }) },
  })
  const found = work.run(selectUser(scope.db, user.id))
  await work.commit()
  const expiresIn = Math.floor((end - scope.now().getTime()) / 1000)
  const answer = await answerOf(scope, pair, grant, { client, user: found.row!, expiresIn })
  return { ...answer, issued_token_type: tokenTypes.access }
}
