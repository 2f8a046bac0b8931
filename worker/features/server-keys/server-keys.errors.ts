import { catalogue } from '../../kit/errors.ts'

export const serverKeyErrors = catalogue({
  YOU_ARE_NOT_ALLOWED_TO_MANAGE_SERVER_KEYS: [403, 'You are not allowed to manage server keys'],
  /** A key never allows more than the administrator who creates it. */
  YOU_CANNOT_GRANT_MORE_PERMISSIONS_THAN_YOU_HAVE: [403, 'You cannot grant more permissions than you have'],
  MAXIMUM_NUMBER_OF_SERVER_KEYS_REACHED: [403, 'The maximum number of server keys is reached'],
  SERVER_KEY_NOT_FOUND: [404, 'Server key not found'],
  /** A concurrent request has changed the permissions of the caller. */
  YOUR_PERMISSIONS_HAVE_CHANGED_IN_THE_MEANTIME: [409, 'Your permissions have changed in the meantime'],
})
