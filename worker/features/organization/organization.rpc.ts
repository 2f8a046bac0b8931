import { Operations, type RpcAnswer, run } from '../../http/operations.ts'
import { createOrganizationFor, type NewOrganization } from './create-organization.ts'
import { type AddedMember, addMember } from './members/members.ts'
import {
  type PresentedMember,
  type PresentedOrganization,
  presentMember,
  presentOrganization,
} from './membership/present-membership.ts'

export class OrganizationOperations extends Operations {
  /** Creates an organization with a user as its owner. */
  createOrganization(
    input: NewOrganization & { userId: string },
  ): Promise<RpcAnswer<PresentedOrganization & { members: PresentedMember[] }>> {
    return this[run](async (scope) => {
      const { organization, creator } = await createOrganizationFor(scope, input.userId, input)
      return { ...presentOrganization(organization), members: [presentMember(scope, creator)] }
    })
  }

  /** Makes a user a member of an organization without an invitation. */
  addMember(input: AddedMember): Promise<RpcAnswer<PresentedMember>> {
    return this[run](async (scope) => presentMember(scope, await addMember(scope, input)))
  }
}
