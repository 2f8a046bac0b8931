import { reading, routes } from '../../http/routes.ts'
import type { Caller, Scope } from '../../identity/scope.ts'
import { membershipQuery } from '../organization/model/membership.store.ts'
import { foundMembership } from '../organization/model/membership.ts'
import { finishCallback } from '../social/callback/callback.ts'
import { redirectToOutcome } from '../social/model/callback-outcome.ts'
import { ssoConnectionsContract } from './connections/connections.contract.ts'
import { createConnection, deleteConnection, updateConnection } from './connections/connections.ts'
import { importMetadata } from './connections/metadata.ts'
import {
  acsPathOf,
  entityIdOf,
  logoutPathOf,
  presentConnection,
  signsRequests,
  urlOf,
} from './connections/present-connection.ts'
import { rotateKey } from './connections/rotate-key.ts'
import { ssoDomainsContract } from './domains/domains.contract.ts'
import { addDomain, presentDomain, removeDomain, updateDomain, verifyDomain } from './domains/domains.ts'
import { ssoLogoutContract } from './logout/logout.contract.ts'
import { receiveLogout, signOutUpstream } from './logout/logout.ts'
import { enterpriseErrors } from './model/enterprise.errors.ts'
import { managing, requireMay, requireSsoManager, type SsoManager } from './model/managers.ts'
import { connectionById, settingsForMember } from './model/model.store.ts'
import { policyContract } from './policy/policy.contract.ts'
import { updatePolicy } from './policy/policy.ts'
import { presentSettings } from './present-settings.ts'
import { metadataOf } from './saml/messages.ts'
import { ssoSetupContract } from './setup/setup.contract.ts'
import { setupHandlers } from './setup/setup.routes.ts'
import { checkSetupLink, createSetupLink, revokeSetupLink } from './setup/setup.ts'
import { callbackRulesOf } from './sign-in/callback.ts'
import { finishSaml, receiveResponse } from './sign-in/saml-sign-in.ts'
import { ssoSignInContract } from './sign-in/sign-in.contract.ts'
import { discoverSignIn, startSignIn, startTest } from './sign-in/sign-in.ts'

const done = { success: true as const }

interface ManagedCall<Body> {
  scope: Scope
  caller: Caller
  body: Body
}

/** A handler for those who may manage the single sign-on of the organization that the body names: it runs as one of them. */
const managed =
  <Body extends { organizationId?: string | undefined }, Result>(
    handle: (scope: Scope, manager: SsoManager, body: Body) => Promise<Result>,
  ) =>
  async ({ scope, caller, body }: ManagedCall<Body>): Promise<Result> =>
    handle(scope, await requireSsoManager(scope, caller, body.organizationId), body)

export const enterpriseRoutes = routes(
  {
    ...ssoConnectionsContract,
    ...ssoDomainsContract,
    ...policyContract,
    ...ssoSetupContract,
    ...ssoSignInContract,
    ...ssoLogoutContract,
  },
  {
    ssoSettings: reading(
      ({ scope, own, query }) => {
        const key = { id: query.organizationId || own.ofSession('activeOrganizationId') }
        return {
          memberships: membershipQuery(scope.db, own.userId, key),
          ...settingsForMember(scope.db, own.userId, key),
        }
      },
      ({ scope, caller, query }, { memberships: [found], ...rows }) => {
        requireMay(scope, foundMembership(scope, caller, query.organizationId, found, managing), 'read')
        return presentSettings(scope, rows)
      },
    ),
    createSsoConnection: managed(async (scope, manager, body) =>
      presentConnection(scope, await createConnection(scope, manager, body)),
    ),
    updateSsoConnection: managed(async (scope, manager, body) =>
      presentConnection(scope, await updateConnection(scope, manager, body)),
    ),
    deleteSsoConnection: managed(async (scope, manager, body) => {
      await deleteConnection(scope, manager, body)
      return done
    }),
    readSsoMetadata: managed((scope, _manager, body) => importMetadata(scope, body)),
    rotateSsoKey: managed(async (scope, manager, body) =>
      presentConnection(scope, await rotateKey(scope, manager, body)),
    ),
    testSsoConnection: managed(async (scope, manager, body) => ({
      url: await startTest(scope, manager, body),
      redirect: true,
    })),
    addDomain: managed(async (scope, manager, body) => presentDomain(await addDomain(scope, manager, body))),
    verifyDomain: managed(async (scope, manager, body) => presentDomain(await verifyDomain(scope, manager, body))),
    updateDomain: managed(async (scope, manager, body) => presentDomain(await updateDomain(scope, manager, body))),
    removeDomain: managed(async (scope, manager, body) => {
      await removeDomain(scope, manager, body)
      return done
    }),
    updateSignInPolicy: managed((scope, manager, body) => updatePolicy(scope, manager, body)),
    createSetupLink: managed(createSetupLink),
    revokeSetupLink: managed(async (scope, manager) => {
      await revokeSetupLink(scope, manager)
      return done
    }),
    ...setupHandlers,
    discoverSignIn: ({ scope, body }) => discoverSignIn(scope, body),
    signInSso: async ({ scope, body: { disableRedirect, ...body } }) => ({
      url: await startSignIn(scope, body),
      redirect: !disableRedirect,
    }),
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
    signOutSso: async ({ scope, caller, body }) => ({
      url: await signOutUpstream(scope, caller, body.callbackURL),
      redirect: true as const,
    }),
    samlLogout: async ({ scope, params, query, request }) =>
      redirectToOutcome(
        scope,
        await receiveLogout(scope, params.providerId, query, new URL(request.url).search.slice(1)),
      ),
    samlLogoutForm: async ({ scope, params, body }) =>
      redirectToOutcome(scope, await receiveLogout(scope, params.providerId, body, null)),
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
  { 'setup-link': checkSetupLink },
)
