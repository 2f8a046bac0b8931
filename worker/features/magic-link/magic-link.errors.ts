import { catalogue } from '../../kit/errors.ts'

export const magicLinkErrors = catalogue({
  USER_NOT_FOUND: [400, 'User not found'],
})

/** The parameter `error` of the callback for a link that does not sign in. */
export type LinkRefusal =
  | 'INVALID_TOKEN'
  | 'EXPIRED_TOKEN'
  | 'new_user_signup_disabled'
  | 'failed_to_create_user'
  | 'TOO_MANY_REQUESTS'
  | 'DISPOSABLE_EMAIL'
  | 'failed_to_create_session'
  | 'banned'
