import { getTableColumns } from 'drizzle-orm'
import { type AdditionalField, brokenRule, defaultOf, isBlank } from '../../kit/additional-field.ts'
import { type AppError, codeOf, errorKind } from '../../kit/errors.ts'
import { sessions } from '../sessions/sessions.table.ts'
import { coreErrors } from './users.errors.ts'
import { users } from './users.table.ts'

type Fields = Readonly<Record<string, AdditionalField>>
type Given = Readonly<Record<string, unknown>>

/** A value that a field cannot have: the field stands in `issues`, with the rule. */
export const invalidField = (
  name: string,
  message: string,
  rule?: string,
  code = coreErrors.INVALID_FIELD_VALUE.code,
) => errorKind(400, code, message)({ extra: { issues: [{ path: name, message, ...(rule ? { rule } : {}) }] } })

function refusal(name: string, { rule, asks }: NonNullable<ReturnType<typeof brokenRule>>): AppError {
  const message = `${name} ${asks}`
  // These two have codes of their own in the protocol.
  return rule === 'required' || rule === 'type'
    ? invalidField(name, message, rule, codeOf(message))
    : invalidField(name, message, rule)
}

const givenIn = (input: Given, name: string, field: AdditionalField): unknown =>
  field.input !== false && Object.hasOwn(input, name) ? input[name] : undefined

/**
 * The configured fields in a body. Those that may not be set by input are left out.
 * @param mode `create` fills in defaults; `update` takes only what is given. What is required may not be taken away
 * @throws `<NAME>_IS_REQUIRED`, `<NAME>_MUST_BE_A_<TYPE>`, INVALID_FIELD_VALUE
 */
export function readAdditionalFields(fields: Fields, input: Given, mode: 'create' | 'update'): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(fields)) {
    const given = givenIn(input, name, field)
    if (given === undefined || (given === null && mode === 'create')) {
      const byDefault = mode === 'create' ? defaultOf(field) : undefined
      if (byDefault !== undefined) values[name] = byDefault
      continue
    }
    const broken = given === null && !field.required ? null : brokenRule(field, given)
    if (broken) throw refusal(name, broken)
    values[name] = given
  }
  return values
}

/**
 * Configured fields that a hook of the product's own sets, whether or not people may.
 * @throws Error for a field that is not configured, or a value that it cannot have
 */
export function checkAdditionalFields(fields: Fields, given: Given): Given {
  for (const [name, value] of Object.entries(given)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (!field) throw new Error(`there is no field ${name} in user.additionalFields`)
    const broken = value === null ? null : brokenRule(field, value)
    if (broken) throw new Error(`${name} ${broken.asks}`)
  }
  return given
}

/** Refuses a sign-up without what its form asks for. @throws `<NAME>_IS_REQUIRED` */
export function demandSignUpFields(fields: Fields, input: Given): void {
  for (const [name, field] of Object.entries(fields)) {
    if (!field.required || !field.signUp || field.defaultValue !== undefined) continue
    if (isBlank(givenIn(input, name, field))) throw refusal(name, { rule: 'required', asks: 'is required' })
  }
}

/** The required fields that a stored user is still to be asked for. */
export const missingFields = (fields: Fields, stored: Given): string[] =>
  Object.entries(fields)
    .filter(([name, field]) => field.required && field.input !== false && isBlank(stored[name]))
    .map(([name]) => name)

/** The configured fields of a stored user or session that answers show. */
export const shownAdditionalFields = (
  fields: Readonly<Record<string, Pick<AdditionalField, 'returned'>>>,
  stored: Given,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, field]) => field.returned !== false)
      .map(([name]) => [name, stored[name] ?? null]),
  )

/** The fields that a form of the hosted screens shows, with their rules: all that GET /config tells of them. */
export const fieldsOfForms = (fields: Fields) =>
  Object.entries(fields)
    .filter(([, field]) => (field.signUp || field.profile) && field.input !== false)
    .map(
      ([name, { type, required = false, label = name, signUp = false, profile = false, returned = true, ...rest }]) => {
        const { minLength, maxLength, pattern, min, max, options } = rest
        const rules = { minLength, maxLength, pattern, min, max, options }
        // Whoever signs up has the default already.
        const hasDefault = rest.defaultValue !== undefined
        return { name, type, required, label, signUp, profile, returned, ...rules, hasDefault }
      },
    )

/** Names that a field cannot have: the columns, and what bodies that carry fields hold besides. */
const taken = {
  user: [...Object.keys(getTableColumns(users)), 'password', 'callbackURL', 'token', 'missingFields'],
  session: Object.keys(getTableColumns(sessions)),
}

export const isTakenName = (name: string, of: keyof typeof taken = 'user'): boolean =>
  name === '__proto__' || taken[of].includes(name)
