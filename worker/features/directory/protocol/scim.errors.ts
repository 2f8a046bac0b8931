import { type AppError, catalogue, type ErrorOptions } from '../../../kit/errors.ts'

const kinds = catalogue({
  SCIM_INVALID_FILTER: [400, 'The filter is invalid'],
  SCIM_INVALID_PATH: [400, 'The path is invalid'],
  SCIM_INVALID_SYNTAX: [400, 'The request is invalid'],
  SCIM_INVALID_VALUE: [400, 'A value is invalid'],
  SCIM_INVALID_CURSOR: [400, 'The cursor is invalid'],
  SCIM_NO_TARGET: [400, 'The path has no target'],
  SCIM_MUTABILITY: [400, 'The attribute cannot be changed'],
  SCIM_UNAUTHORIZED: [401, 'The token is missing, unknown or expired'],
  SCIM_FORBIDDEN: [403, 'The request is not allowed'],
  SCIM_LIMIT_REACHED: [403, 'A limit of the directory is reached'],
  SCIM_NOT_FOUND: [404, 'The resource does not exist'],
  SCIM_METHOD_NOT_ALLOWED: [405, 'The method is not allowed here'],
  SCIM_UNIQUENESS: [409, 'Another resource has this value'],
  SCIM_VERSION_MISMATCH: [412, 'The resource has another version'],
  SCIM_TOO_LARGE: [413, 'The request is too large'],
})

/** `scimType` by code (RFC 7644, section 3.12; RFC 9865, section 2.1). */
const scimTypes: Partial<Record<keyof typeof kinds, string>> = {
  SCIM_INVALID_FILTER: 'invalidFilter',
  SCIM_INVALID_PATH: 'invalidPath',
  SCIM_INVALID_SYNTAX: 'invalidSyntax',
  SCIM_INVALID_VALUE: 'invalidValue',
  SCIM_INVALID_CURSOR: 'invalidCursor',
  SCIM_NO_TARGET: 'noTarget',
  SCIM_MUTABILITY: 'mutability',
  SCIM_UNIQUENESS: 'uniqueness',
}

type Code = keyof typeof kinds

/** For contracts. */
export const scimErrorKinds = Object.values(kinds)

/** An error of the protocol. @param detail for the administrator of the identity provider, instead of the usual message */
export function scimError(code: `SCIM_${string}` & Code, detail?: string, options: ErrorOptions = {}): AppError {
  const scimType = scimTypes[code]
  const error = kinds[code]({ ...options, ...(scimType ? { extra: { scimType } } : {}) })
  if (detail !== undefined) error.message = detail
  return error
}
