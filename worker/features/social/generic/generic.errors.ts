import { AppError, catalogue, codeOf, type ErrorKind } from '../../../kit/errors.ts'

export const genericOAuthErrors = catalogue({
  INVALID_OAUTH_CONFIGURATION: [400, 'Invalid OAuth configuration'],
  PROVIDER_NOT_FOUND: [404, 'Provider not found'],
})

/** The message and the code contain the id of the provider. */
export const unknownConfig = {
  status: 400,
  code: 'NO_CONFIG_FOUND_FOR_PROVIDER_*',
  message: 'No config found for provider *',
} as const satisfies ErrorKind

/** 400: no provider of that id is configured. */
export function noConfigFound(id: string): AppError {
  const message = `No config found for provider ${id.slice(0, 64)}`
  return new AppError(400, codeOf(message), message)
}
