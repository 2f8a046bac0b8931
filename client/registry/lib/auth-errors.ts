/** An error of a call: `code` names the reason, `message` is the server's sentence in English. */
export interface CallError {
  code?: string | undefined
  message?: string | undefined
  status: number
}

/** The sentences for users. Translate or extend them; other codes show the sentence of the server. */
const sentences: Record<string, string> = {
  CAPTCHA_VERIFICATION_FAILED: 'The robot check failed. Use another way to sign in.',
  DISPOSABLE_EMAIL: 'Temporary addresses are not accepted. Use one that you will keep.',
  EMAIL_NOT_VERIFIED: 'Confirm your email address first.',
  INVALID_EMAIL: 'Enter a valid email address.',
  INVALID_EMAIL_OR_PASSWORD: 'The email or password is incorrect.',
  MISSING_CAPTCHA_RESPONSE: 'Confirm that you are not a robot. Use another way to sign in.',
  ORGANIZATION_ALREADY_EXISTS: 'An organization with this name exists. Choose another name.',
  OWN_SESSION_REQUIRED: 'This session cannot do that. Sign in yourself.',
  PASSWORD_COMPROMISED: 'This password appeared in a data breach. Choose another one.',
  PASSWORD_TOO_COMMON: 'This password is easy to guess. Choose another one.',
  PASSWORD_TOO_LONG: 'This password is too long.',
  PASSWORD_TOO_SHORT: 'This password is too short.',
  SESSION_IS_NOT_FRESH: 'Sign in again to confirm that it is you, then repeat this.',
  UNAUTHORIZED: 'Your session has ended. Sign in again.',
  USER_ALREADY_EXISTS: 'An account with this email address exists. Sign in instead.',
  USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION: 'This address has an invitation already.',
  USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION: 'This user is a member already.',
  YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION: 'You cannot create organizations.',
  YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER: 'You cannot remove this member.',
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER: 'You cannot change the role of this member.',
  YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER: 'An organization needs an owner.',
}

/** The sentence for an error. Calls without a response have the status 0. */
export function sentenceOf({ code, message, status }: CallError): string {
  const known = code && sentences[code]
  if (known) return known
  if (status === 429) return 'Too many attempts. Wait a minute and try again.'
  if (status === 0 || status >= 500) return 'The accounts do not answer. Try again in a moment.'
  return message || 'That did not work. Try again.'
}
