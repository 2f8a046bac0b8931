import { validate } from '../../../http/body.ts'
import { Operations, type RpcAnswer, run } from '../../../http/operations.ts'
import { read } from '../../../platform/statements.ts'
import { type PresentedMember, presentMember } from '../membership/present-membership.ts'
import { administrationContract as contract } from './administration.contract.ts'
import {
  deleteAnyOrganization,
  type MemberChoice,
  type OrganizationForAdministrator,
  type OrganizationList,
  organizationReads,
  organizationsOf,
  organizationsRead,
  presentForAdministrator,
  removeOrganizationMember,
  transferOrganization,
  updateOrganizationMember,
} from './administration.ts'

/** The audit log records each change. */
export class OrganizationAdministration extends Operations {
  /** Lists organizations, newest first, or those whose name or slug begins with `search`. */
  listOrganizations(
    input: { search?: string; limit?: number; cursor?: string } = {},
  ): Promise<RpcAnswer<OrganizationList>> {
    return this[run](async (scope) => {
      const query = validate(contract.listAllOrganizations.query, input, 'query')
      return organizationsOf(await organizationsRead(scope, query), query)
    })
  }

  /** Returns an organization with its members, teams and pending invitations. */
  getOrganization(input: { id: string }): Promise<RpcAnswer<OrganizationForAdministrator>> {
    return this[run](async (scope) => {
      const { id } = validate(contract.getOrganization.query, input, 'query')
      return presentForAdministrator(scope, await read(scope.db, organizationReads(scope, id)))
    })
  }

  /** Changes the roles of a member. One owner remains. */
  updateMember(input: MemberChoice & { role: string | string[] }): Promise<RpcAnswer<PresentedMember>> {
    return this[run](async (scope) => {
      const change = validate(contract.updateOrganizationMember.body, input, 'body')
      return presentMember(scope, await updateOrganizationMember(scope, null, change))
    })
  }

  /** Removes a member. One owner remains. */
  removeMember(input: MemberChoice): Promise<RpcAnswer<{ status: true }>> {
    return this[run](async (scope) => {
      await removeOrganizationMember(scope, null, validate(contract.removeOrganizationMember.body, input, 'body'))
      return { status: true }
    })
  }

  /** Makes a member the owner in place of the present one, who becomes `formerRole`. */
  transferOrganization(
    input: MemberChoice & { from?: string; formerRole: 'admin' | 'member' },
  ): Promise<RpcAnswer<PresentedMember>> {
    return this[run](async (scope) => {
      const transfer = validate(contract.transferOrganization.body, input, 'body')
      return presentMember(scope, await transferOrganization(scope, null, transfer))
    })
  }

  /** Deletes an organization with its members, invitations and teams. */
  deleteOrganization(input: { organizationId: string }): Promise<RpcAnswer<{ status: true }>> {
    return this[run](async (scope) => {
      const { organizationId } = validate(contract.deleteAnyOrganization.body, input, 'body')
      await deleteAnyOrganization(scope, null, organizationId)
      return { status: true }
    })
  }
}
