import * as z from 'zod'
import type { Endpoint } from '../../http/endpoint.ts'
import { operation } from '../../http/operations.ts'
import type { ErrorKind } from '../../kit/errors.ts'
import { read } from '../../platform/statements.ts'
import { idInput } from '../organization/model/membership.schemas.ts'
import { organizationErrors } from '../organization/organization.errors.ts'
import { ssoConnectionsContract as connections } from './connections/connections.contract.ts'
import { createConnection, deleteConnection, updateConnection } from './connections/connections.ts'
import { presentConnection } from './connections/present-connection.ts'
import { ssoDomainsContract as domains } from './domains/domains.contract.ts'
import { addDomain, presentDomain, removeDomain, updateDomain, verifyDomain } from './domains/domains.ts'
import { managingErrors } from './model/enterprise.schemas.ts'
import { serverAsManager as manager } from './model/managers.ts'
import { settingsQueries, setupQueries } from './model/model.store.ts'
import { policyContract } from './policy/policy.contract.ts'
import { updatePolicy } from './policy/policy.ts'
import { presentSettings } from './present-settings.ts'
import { ssoSetupContract } from './setup/setup.contract.ts'
import { createSetupLink } from './setup/setup.ts'

const organization = { organizationId: idInput.min(1) }
const done = { success: true as const }
const ofCallers: readonly ErrorKind[] = managingErrors

/** What an operation has in common with the endpoint for members. */
const like = ({ errors, budget, changes }: Pick<Endpoint, 'errors' | 'budget' | 'changes'>) => ({
  permission: 'single-sign-on:write' as const,
  errors: [...errors.filter((error) => !ofCallers.includes(error)), organizationErrors.ORGANIZATION_NOT_FOUND],
  budget,
  changes,
})

/** What members do in the settings of their organization, for any organization. A test needs a browser: see the set-up link. */
export const enterpriseOperations = {
  getSingleSignOn: operation(
    {
      summary: 'Returns the connections, domains and sign-in rules of an organization, without secrets.',
      permission: 'single-sign-on:read',
      input: z.object(organization),
      answer: connections.ssoSettings.answer,
      errors: [organizationErrors.ORGANIZATION_NOT_FOUND],
      budget: { d1: 1 },
      changes: [],
    },
    async (scope, { organizationId: id }) => {
      const { db } = scope
      const { organizations, ...rows } = await read(db, { ...setupQueries(db, id), ...settingsQueries(db, id) })
      if (organizations.length === 0) throw organizationErrors.ORGANIZATION_NOT_FOUND()
      return presentSettings(scope, rows)
    },
  ),
  createConnection: operation(
    {
      ...like(connections.createSsoConnection),
      audit: 'server.create-connection',
      summary: 'Creates a connection of an organization to its identity provider, as a draft.',
      input: connections.createSsoConnection.input.body.safeExtend(organization),
      answer: connections.createSsoConnection.answer,
    },
    async (scope, { organizationId, ...input }) =>
      presentConnection(scope, await createConnection(scope, manager(scope, organizationId), input)),
  ),
  updateConnection: operation(
    {
      limits: { whenFull: 'secures' },
      ...like(connections.updateSsoConnection),
      audit: 'server.update-connection',
      summary: 'Changes a connection or its state. Only a tested configuration signs users in.',
      input: connections.updateSsoConnection.input.body.safeExtend(organization),
      answer: connections.updateSsoConnection.answer,
    },
    async (scope, { organizationId, ...input }) =>
      presentConnection(scope, await updateConnection(scope, manager(scope, organizationId), input)),
  ),
  deleteConnection: operation(
    {
      limits: { whenFull: 'ends' },
      ...like(connections.deleteSsoConnection),
      audit: 'server.delete-connection',
      summary: 'Deletes a connection and ends the sessions that it has signed in. Its users keep their accounts.',
      input: connections.deleteSsoConnection.input.body.safeExtend(organization),
      answer: connections.deleteSsoConnection.answer,
    },
    async (scope, { organizationId, ...input }) => {
      await deleteConnection(scope, manager(scope, organizationId), input)
      return done
    },
  ),
  addDomain: operation(
    {
      ...like(domains.addDomain),
      audit: 'server.add-domain',
      summary: 'Claims a domain for an organization. Its TXT record verifies it.',
      input: domains.addDomain.input.body.safeExtend(organization),
      answer: domains.addDomain.answer,
    },
    async (scope, { organizationId, ...input }) =>
      presentDomain(await addDomain(scope, manager(scope, organizationId), input)),
  ),
  verifyDomain: operation(
    {
      ...like(domains.verifyDomain),
      audit: 'server.verify-domain',
      summary: 'Looks up the TXT record of a claimed domain, which then belongs to the organization.',
      input: domains.verifyDomain.input.body.safeExtend(organization),
      answer: domains.verifyDomain.answer,
    },
    async (scope, { organizationId, ...input }) =>
      presentDomain(await verifyDomain(scope, manager(scope, organizationId), input)),
  ),
  updateDomain: operation(
    {
      ...like(domains.updateDomain),
      audit: 'server.update-domain',
      summary: 'Sets the connection for the addresses of a domain. Null: the oldest active connection.',
      input: domains.updateDomain.input.body.safeExtend(organization),
      answer: domains.updateDomain.answer,
    },
    async (scope, { organizationId, ...input }) =>
      presentDomain(await updateDomain(scope, manager(scope, organizationId), input)),
  ),
  removeDomain: operation(
    {
      limits: { whenFull: 'ends' },
      ...like(domains.removeDomain),
      audit: 'server.remove-domain',
      summary: 'Removes a domain. Sign-ins with its addresses follow no rule of the organization any more.',
      input: domains.removeDomain.input.body.safeExtend(organization),
      answer: domains.removeDomain.answer,
    },
    async (scope, { organizationId, ...input }) => {
      await removeDomain(scope, manager(scope, organizationId), input)
      return done
    },
  ),
  updateSignInPolicy: operation(
    {
      limits: { whenFull: 'secures' },
      ...like(policyContract.updateSignInPolicy),
      audit: 'server.update-sign-in-policy',
      summary: 'Sets the rules for sign-ins of an organization, and ends the sessions that they do not allow.',
      input: policyContract.updateSignInPolicy.input.body.safeExtend(organization),
      answer: policyContract.updateSignInPolicy.answer,
    },
    (scope, { organizationId, ...input }) => updatePolicy(scope, manager(scope, organizationId), input),
  ),
  createSetupLink: operation(
    {
      ...like(ssoSetupContract.createSetupLink),
      audit: 'server.create-setup-link',
      summary:
        'Creates the link with which the administrator of a customer sets up connections and domains without an account. An earlier link stops working; the owners get a mail.',
      input: z.object(organization),
      answer: ssoSetupContract.createSetupLink.answer,
    },
    (scope, { organizationId }) => createSetupLink(scope, manager(scope, organizationId)),
  ),
}
