import { reading, redirectTo, routes } from '../../http/routes.ts'
import { membershipQuery } from '../organization/membership/membership.store.ts'
import { foundMembership } from '../organization/membership/membership.ts'
import { finishCallback } from '../social/callback/callback.ts'
import { redirectToOutcome } from '../social/client/callback-outcome.ts'
import { ssoConnectionsContract } from './connections/connections.contract.ts'
import { createConnection, deleteConnection, updateConnection } from './connections/connections.ts'
import { acsPathOf, entityIdOf, presentConnection, urlOf } from './connections/present-connection.ts'
import { ssoDomainsContract } from './domains/domains.contract.ts'
import { addDomain, presentDomain, removeDomain, updateDomain, verifyDomain } from './domains/domains.ts'
import { enterpriseErrors } from './model/enterprise.errors.ts'
import { managing, requireMay } from './model/managers.ts'
import { connectionById, settingsQueries } from './model/model.store.ts'
import { policyContract } from './policy/policy.contract.ts'
import { presentPolicy, updatePolicy } from './policy/policy.ts'
import { metadataOf } from './saml/messages.ts'
import { callbackRulesOf } from './sign-in/callback.ts'
import { finishSaml, receiveResponse, startAtConnection } from './sign-in/saml-sign-in.ts'
import { ssoSignInContract } from './sign-in/sign-in.contract.ts'
import { discoverSignIn, startSignIn, startTest } from './sign-in/sign-in.ts'

const done = { success: true as const }

export const enterpriseRoutes = routes(
  { ...ssoConnectionsContract, ...ssoDomainsContract, ...policyContract, ...ssoSignInContract },
  {
    ssoSettings: reading(
      ({ scope, own, query }) => {
        const key = { id: query.organizationId || own.ofSession('activeOrganizationId') }
        return {
          memberships: membershipQuery(scope.db, own.userId, key),
          ...settingsQueries(scope.db, own.userId, key),
        }
      },
      ({ scope, caller, query }, { memberships: [found], connections, domains, policies, breakGlass }) => {
        requireMay(scope, foundMembership(scope, caller, query.organizationId, found, managing), 'read')
        return {
          connections: connections.map((connection) => presentConnection(scope, connection)),
          domains: domains.map(presentDomain),
          policy: presentPolicy(
            policies[0],
            breakGlass.map(({ memberId }) => memberId),
          ),
        }
      },
    ),
    createSsoConnection: async ({ scope, caller, body }) =>
      presentConnection(scope, await createConnection(scope, caller, body)),
    updateSsoConnection: async ({ scope, caller, body }) =>
      presentConnection(scope, await updateConnection(scope, caller, body)),
    deleteSsoConnection: async ({ scope, caller, body }) => {
      await deleteConnection(scope, caller, body)
      return done
    },
    testSsoConnection: async ({ scope, caller, body }) => ({
      url: await startTest(scope, caller, body),
      redirect: true,
    }),
    addDomain: async ({ scope, caller, body }) => presentDomain(await addDomain(scope, caller, body)),
    verifyDomain: async ({ scope, caller, body }) => presentDomain(await verifyDomain(scope, caller, body)),
    updateDomain: async ({ scope, caller, body }) => presentDomain(await updateDomain(scope, caller, body)),
    removeDomain: async ({ scope, caller, body }) => {
      await removeDomain(scope, caller, body)
      return done
    },
    updateSignInPolicy: ({ scope, caller, body }) => updatePolicy(scope, caller, body),
    discoverSignIn: ({ scope, body }) => discoverSignIn(scope, body.email),
    signInSso: async ({ scope, body: { disableRedirect, ...body } }) => ({
      url: await startSignIn(scope, body),
      redirect: !disableRedirect,
    }),
    samlMetadata: async ({ scope, params: { providerId } }) => {
      const [connection] = await connectionById(scope.db, providerId)
      if (connection?.type !== 'saml') throw enterpriseErrors.SSO_CONNECTION_NOT_FOUND()
      const metadata = metadataOf(entityIdOf(scope, connection), urlOf(scope, acsPathOf(connection)))
      return new Response(metadata, { headers: { 'content-type': 'application/samlmetadata+xml' } })
    },
    startSaml: async ({ scope, params }) => redirectTo(await startAtConnection(scope, params.providerId)),
    samlResponse: async ({ scope, params, body }) =>
      redirectToOutcome(scope, await receiveResponse(scope, params.providerId, body)),
    finishSaml: async ({ scope, params, query }) =>
      redirectToOutcome(scope, await finishSaml(scope, params.providerId, query)),
    ssoCallback: async ({ scope, params: { providerId }, query }) =>
      redirectToOutcome(
        scope,
        await finishCallback(scope, providerId, query, await callbackRulesOf(scope, providerId)),
      ),
  },
)
