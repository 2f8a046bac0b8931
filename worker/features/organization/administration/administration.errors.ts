import { catalogue } from '../../../kit/errors.ts'

export const administrationErrors = catalogue({
  YOU_ARE_NOT_ALLOWED_TO_LIST_ORGANIZATIONS: [403, 'You are not allowed to list organizations'],
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_ORGANIZATIONS: [403, 'You are not allowed to update organizations'],
  YOU_ARE_NOT_ALLOWED_TO_DELETE_ORGANIZATIONS: [403, 'You are not allowed to delete organizations'],
  ORGANIZATION_NOT_FOUND: [404, 'Organization not found'],
  THE_LAST_OWNER_MUST_REMAIN: [400, 'The last owner must remain'],
  /** The new owner of a transfer is an owner already. */
  MEMBER_IS_ALREADY_AN_OWNER: [400, 'Member is already an owner'],
  /** A transfer without `from` in an organization with several owners. */
  FORMER_OWNER_IS_REQUIRED: [400, 'Former owner is required'],
  /** A concurrent request has changed a role, or the permissions of the caller. */
  THE_ORGANIZATION_HAS_CHANGED_IN_THE_MEANTIME: [409, 'The organization has changed in the meantime'],
})
