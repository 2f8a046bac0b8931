import { AppError, catalogue, codeOf } from '../../kit/errors.ts'

export const breachedPasswordErrors = catalogue({
  PASSWORD_COMPROMISED: [400, 'The password you entered has been compromised. Please choose a different password.'],
  FAILED_TO_CHECK_PASSWORD_PLEASE_TRY_AGAIN_LATER: [500, 'Failed to check password. Please try again later.'],
})

/** @param status what the range service answered */
export function checkFailed(status: number): AppError {
  const message = `Failed to check password. Status: ${status}`
  return new AppError(500, codeOf(message), message)
}
