import { type AppError, codeOf, errorKind } from '../../kit/errors.ts'
import type { AdditionalField } from '../settings.ts'

const fits: Record<AdditionalField['type'], (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  boolean: (value) => typeof value === 'boolean',
  date: (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
  'string[]': (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  'number[]': (value) => Array.isArray(value) && value.every((item) => Number.isFinite(item)),
}

function wrongType(name: string, type: string): AppError {
  const message = `${name} must be a ${type}`
  return errorKind(400, codeOf(message), message)({ extra: { issues: [{ path: name, message }] } })
}

function missing(name: string): AppError {
  const message = `${name} is required`
  return errorKind(400, codeOf(message), message)({ extra: { issues: [{ path: name, message }] } })
}

/**
 * The configured fields in a body. Those that may not be set by input are left out.
 * @param mode `create` demands what is required and fills in defaults; `update` takes only what is given
 */
export function readAdditionalFields(
  fields: Readonly<Record<string, AdditionalField>>,
  input: Readonly<Record<string, unknown>>,
  mode: 'create' | 'update',
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(fields)) {
    const given = field.input !== false && Object.hasOwn(input, name) ? input[name] : undefined
    if (given === undefined || given === null) {
      if (mode === 'update') {
        if (given === null && field.required) throw missing(name)
        if (given === null) values[name] = null
        continue
      }
      if (field.defaultValue !== undefined) values[name] = field.defaultValue
      else if (field.required && field.input !== false) throw missing(name)
      continue
    }
    if (!fits[field.type](given)) throw wrongType(name, field.type)
    values[name] = given
  }
  return values
}

/**
 * Configured fields that a hook of the product's own sets, whether or not people may.
 * @throws Error for a field that is not configured, or a value that it cannot have
 */
export function checkAdditionalFields(
  fields: Readonly<Record<string, AdditionalField>>,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  for (const [name, value] of Object.entries(given)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (!field) throw new Error(`there is no field ${name} in user.additionalFields`)
    if (value !== null && !fits[field.type](value)) throw new Error(`${name} must be a ${field.type}`)
  }
  return given
}

/** The configured fields of a stored user that answers show. */
export const shownAdditionalFields = (
  fields: Readonly<Record<string, AdditionalField>>,
  stored: Readonly<Record<string, unknown>>,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, field]) => field.returned !== false)
      .map(([name]) => [name, stored[name] ?? null]),
  )
