import type { Handlers } from '../../../http/routes.ts'
import { finishCallback } from '../../social/callback/callback.ts'
import { redirectToOutcome } from '../../social/model/callback-outcome.ts'
import { acsPathOf, entityIdOf, logoutPathOf, signsRequests, urlOf } from '../connections/present-connection.ts'
import { enterpriseErrors } from '../model/enterprise.errors.ts'
import { connectionById } from '../model/model.store.ts'
import { metadataOf } from '../saml/messages.ts'
import { callbackRulesOf } from './callback.ts'
import { finishSaml, receiveResponse } from './saml-sign-in.ts'
import type { ssoSignInContract } from './sign-in.contract.ts'
import { discoverSignIn, startSignIn } from './sign-in.ts'

export const ssoSignInHandlers: Handlers<typeof ssoSignInContract> = {
  discoverSignIn: ({ scope, body }) => discoverSignIn(scope, body),
  signInSso: async ({ scope, body: { disableRedirect, ...body } }) => ({
    url: await startSignIn(scope, body),
    redirect: !disableRedirect,
  }),
  ssoCallback: async ({ scope, params: { providerId }, query }) =>
    redirectToOutcome(scope, await finishCallback(scope, providerId, query, await callbackRulesOf(scope, providerId))),
  samlMetadata: async ({ scope, params: { providerId } }) => {
    const [connection] = await connectionById(scope.db, providerId)
    if (connection?.type !== 'saml') throw enterpriseErrors.SSO_CONNECTION_NOT_FOUND()
    const metadata = metadataOf({
      entityId: entityIdOf(scope, connection),
      recipient: urlOf(scope, acsPathOf(connection)),
      logoutUrl: urlOf(scope, logoutPathOf(connection)),
      signsRequests: signsRequests(connection),
      certificates: connection.ownCertificates.map(({ certificate }) => certificate),
    })
    return new Response(metadata, { headers: { 'content-type': 'application/samlmetadata+xml' } })
  },
  samlResponse: async ({ scope, params, body }) =>
    redirectToOutcome(scope, await receiveResponse(scope, params.providerId, body)),
  finishSaml: async ({ scope, params, query }) =>
    redirectToOutcome(scope, await finishSaml(scope, params.providerId, query)),
}
