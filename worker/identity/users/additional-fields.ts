import { getTableColumns } from 'drizzle-orm'
import { contradictionIn } from '../../kit/additional-field.ts'
import { type AppError, codeOf, errorKind } from '../../kit/errors.ts'
import { type AdditionalField, brokenRule, defaultOf, isBlank } from '../../kit/field-rules.ts'
import type { Contradiction } from '../../kit/options.ts'
import { sessions } from '../model/sessions.table.ts'
import { users } from '../model/users.table.ts'
import { coreErrors } from './users.errors.ts'

type Fields = Readonly<Record<string, AdditionalField>>
type Given = Readonly<Record<string, unknown>>

/** The error for an invalid value of a field. `issues` contains the field and the rule. */
export const invalidField = (
  name: string,
  message: string,
  rule?: string,
  code: string = coreErrors.INVALID_FIELD_VALUE.code,
) => errorKind(400, code, message)({ extra: { issues: [{ path: name, message, ...(rule ? { rule } : {}) }] } })

function refusal(name: string, { rule, asks }: NonNullable<ReturnType<typeof brokenRule>>): AppError {
  const message = `${name} ${asks}`
  // These two have their own codes in the protocol.
  return rule === 'required' || rule === 'type'
    ? invalidField(name, message, rule, codeOf(message))
    : invalidField(name, message, rule)
}

const givenIn = (input: Given, name: string, field: AdditionalField): unknown =>
  field.input !== false && Object.hasOwn(input, name) ? input[name] : undefined

/**
 * Reads the configured fields of a body, without those that users cannot set.
 * @param mode `create` adds defaults; `update` reads only given fields. A required value cannot be removed
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
 * Reads the configured fields of a product's hook, including those that users cannot set.
 * @throws Error for a field that is not configured, or an invalid value
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

/** Rejects a sign-up without a required field of its form. @throws `<NAME>_IS_REQUIRED` */
export function demandSignUpFields(fields: Fields, input: Given): void {
  for (const [name, field] of Object.entries(fields)) {
    if (!field.required || !field.signUp || field.defaultValue !== undefined) continue
    if (isBlank(givenIn(input, name, field))) throw refusal(name, { rule: 'required', asks: 'is required' })
  }
}

/** The required fields that a stored user has not entered. */
export const missingFields = (fields: Fields, stored: Given): string[] =>
  Object.entries(fields)
    .filter(([name, field]) => field.required && field.input !== false && isBlank(stored[name]))
    .map(([name]) => name)

/** The configured fields of a stored user or session in responses. */
export const shownAdditionalFields = (
  fields: Readonly<Record<string, Pick<AdditionalField, 'returned'>>>,
  stored: Given,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, field]) => field.returned !== false)
      .map(([name]) => [name, stored[name] ?? null]),
  )

/** A field in a form of the hosted screens, with its rules. */
export interface FormField
  extends Pick<AdditionalField, 'minLength' | 'maxLength' | 'pattern' | 'min' | 'max' | 'options'>,
    Required<Pick<AdditionalField, 'required' | 'label' | 'signUp' | 'profile'>> {
  name: string
  /** No form shows a list. */
  type: Exclude<AdditionalField['type'], `${string}[]`>
  /** Whether responses contain the stored value. A form can replace a value that it does not know. */
  returned: boolean
  hasDefault: boolean
}

export const fieldsOfForms = (fields: Fields): FormField[] =>
  Object.entries(fields)
    .filter(([, field]) => (field.signUp || field.profile) && field.input !== false)
    .map(
      ([name, { type, required = false, label = name, signUp = false, profile = false, returned = true, ...rest }]) => {
        const { minLength, maxLength, pattern, min, max, options } = rest
        const rules = { minLength, maxLength, pattern, min, max, options }
        // A new user already has the default.
        const hasDefault = rest.defaultValue !== undefined
        return {
          name,
          type: type as FormField['type'],
          required,
          label,
          signUp,
          profile,
          returned,
          ...rules,
          hasDefault,
        }
      },
    )

/** Names that a field cannot have: the columns, and the other properties of bodies with fields. */
const taken = {
  user: [...Object.keys(getTableColumns(users)), 'password', 'callbackURL', 'token', 'missingFields'],
  session: Object.keys(getTableColumns(sessions)),
}

/** Contradictions of a configured field: a name that is taken, and settings of the field that contradict each other. */
export function fieldContradictions(of: keyof typeof taken, name: string, field: AdditionalField): Contradiction[] {
  const path = `${of}.additionalFields.${name}`
  const isTaken = name === '__proto__' || taken[of].includes(name)
  const found = contradictionIn(field)
  return [
    [isTaken, path, `is a name that ${of}s have already; choose another one than ${name}`],
    ...(found ? [[true, `${path}.${found.setting}`, found.reason] as const] : []),
  ]
}
