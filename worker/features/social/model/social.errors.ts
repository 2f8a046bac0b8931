import { AppError, catalogue, codeOf, type ErrorKind } from '../../../kit/errors.ts'

export const socialErrors = catalogue({
  PROVIDER_NOT_FOUND: [404, 'Provider not found'],
  ID_TOKEN_NOT_SUPPORTED: [404, 'id_token not supported'],
  INVALID_TOKEN: [401, 'invalid token'],
  FAILED_TO_GET_USER_INFO: [401, 'Failed to get user info'],
  USER_EMAIL_NOT_FOUND: [401, 'User email not found'],
  ACCOUNT_NOT_LINKED: [401, 'account not linked'],
  SIGNUP_DISABLED: [401, 'signup disabled'],
  UNABLE_TO_LINK_ACCOUNT: [401, 'unable to link account'],
  UNABLE_TO_CREATE_USER: [401, 'unable to create user'],
  ACCOUNT_NOT_FOUND: [400, 'Account not found'],
  FAILED_TO_GET_A_VALID_ACCESS_TOKEN: [400, 'Failed to get a valid access token'],
  FAILED_TO_REFRESH_ACCESS_TOKEN: [400, 'Failed to refresh access token'],
  UNABLE_TO_CREATE_VERIFICATION: [500, 'Unable to create verification'],
})

/** The message and the code contain the id of the provider. */
export const unsupportedProvider = {
  status: 400,
  code: 'PROVIDER_*_IS_NOT_SUPPORTED',
  message: 'Provider * is not supported',
} as const satisfies ErrorKind

/** 400: the provider is unknown or not configured. */
export function providerNotSupported(id: string): AppError {
  const message = `Provider ${id.slice(0, 64)} is not supported`
  return new AppError(400, codeOf(message), message)
}
