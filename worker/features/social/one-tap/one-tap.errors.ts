import { catalogue } from '../../../kit/errors.ts'

export const oneTapErrors = catalogue({
  PROVIDER_NOT_FOUND: [404, 'Provider not found'],
  INVALID_ID_TOKEN: [400, 'invalid id token'],
  EMAIL_NOT_AVAILABLE_IN_TOKEN: [400, 'Email not available in token'],
  GOOGLE_SUB_DOESNT_MATCH: [401, "Google sub doesn't match"],
  SIGNUP_DISABLED: [401, 'signup disabled'],
  COULD_NOT_CREATE_USER: [422, 'Could not create user'],
})
