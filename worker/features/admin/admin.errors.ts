import { catalogue } from '../../kit/errors.ts'

export const adminErrors = catalogue({
  YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE: [403, 'You are not allowed to change users role'],
  YOU_ARE_NOT_ALLOWED_TO_CREATE_USERS: [403, 'You are not allowed to create users'],
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_USERS: [403, 'You are not allowed to update users'],
  YOU_ARE_NOT_ALLOWED_TO_LIST_USERS: [403, 'You are not allowed to list users'],
  YOU_ARE_NOT_ALLOWED_TO_LIST_USERS_SESSIONS: [403, 'You are not allowed to list users sessions'],
  YOU_ARE_NOT_ALLOWED_TO_BAN_USERS: [403, 'You are not allowed to ban users'],
  YOU_ARE_NOT_ALLOWED_TO_IMPERSONATE_USERS: [403, 'You are not allowed to impersonate users'],
  YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS: [403, 'You are not allowed to revoke users sessions'],
  YOU_ARE_NOT_ALLOWED_TO_DELETE_USERS: [403, 'You are not allowed to delete users'],
  YOU_ARE_NOT_ALLOWED_TO_SET_USERS_PASSWORD: [403, 'You are not allowed to set users password'],
  YOU_ARE_NOT_ALLOWED_TO_READ_THE_AUDIT_LOG: [403, 'You are not allowed to read the audit log'],
  YOU_CANNOT_BAN_YOURSELF: [400, 'You cannot ban yourself'],
  YOU_CANNOT_REMOVE_YOURSELF: [400, 'You cannot remove yourself'],
  YOU_CANNOT_IMPERSONATE_ADMINS: [403, 'You cannot impersonate admins'],
  BANNED_USERS_CANNOT_BE_IMPERSONATED: [400, 'Banned users cannot be impersonated'],
  /** With `admin.requireImpersonationReason`. */
  REASON_REQUIRED: [400, 'A reason is required'],
  THE_LAST_ADMINISTRATOR_MUST_REMAIN: [400, 'The last administrator must remain'],
  /** A concurrent request has changed the permissions of the caller or of the user. */
  THE_USER_HAS_CHANGED_IN_THE_MEANTIME: [409, 'The user has changed in the meantime'],
  NO_DATA_TO_UPDATE: [400, 'No data to update'],
  ROLE_NOT_FOUND: [400, 'Role not found'],
  /** A search in everything has one page only. */
  EXPORT_IS_TOO_LARGE: [400, 'The export is too large: narrow the search'],
  INVALID_CURSOR: [400, 'Invalid cursor'],
  USER_ALREADY_EXISTS: [400, 'User already exists'],
  USER_NOT_FOUND: [404, 'User not found'],
  /** The message is `admin.bannedUserMessage`; the body also contains `banReason` and `banExpires`. */
  BANNED_USER: [
    403,
    'You have been banned from this application. Please contact support if you believe this is an error.',
  ],
  YOU_ARE_NOT_IMPERSONATING_ANYONE: [400, 'You are not impersonating anyone'],
  /** The administrator's own session has ended or was never in this browser. */
  FAILED_TO_FIND_ADMIN_SESSION: [500, 'Failed to find admin session'],
})
