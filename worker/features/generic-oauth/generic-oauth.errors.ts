import { AppError, catalogue, codeOf } from '../../kit/errors.ts'

export const genericOAuthErrors = catalogue({
  INVALID_OAUTH_CONFIGURATION: [400, 'Invalid OAuth configuration'],
  PROVIDER_NOT_FOUND: [404, 'Provider not found'],
})

/** 400: no provider of that id is configured. */
export function noConfigFound(id: string): AppError {
  const message = `No config found for provider ${id.slice(0, 64)}`
  return new AppError(400, codeOf(message), message)
}
