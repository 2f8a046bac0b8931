import type { AdditionalField } from './auth/endpoints.ts'
import type { Language } from './texts/texts.ts'

/** The configured fields of a user as forms see them: what is typed, the value that is sent, and the server's rules. */

export type Rule = 'required' | 'type' | 'minLength' | 'maxLength' | 'pattern' | 'min' | 'max' | 'options'

export const inLanguage = (label: AdditionalField['label'], language: Language): string =>
  typeof label === 'string' ? label : label[language]

/** What a control of the form holds ('on' or '' for a checkbox) as the server takes it; null for nothing. */
export function typedValue({ type }: Pick<AdditionalField, 'type'>, typed: string): unknown {
  const text = typed.trim()
  if (type === 'boolean') return text === 'on'
  if (text === '') return null
  return type === 'number' ? Number(text) : text
}

/** The first rule that a value breaks; null for a valid one. As worker/kit/additional-field.ts judges it. */
export function brokenRule(field: AdditionalField, value: unknown): Rule | null {
  const { type, options, minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, min, max } = field
  if (value === null || (typeof value === 'string' && value.trim() === '')) return field.required ? 'required' : null
  if (type === 'date' ? Number.isNaN(Date.parse(String(value))) : typeof value !== type) return 'type'
  if (type === 'number' && !Number.isFinite(value)) return 'type'
  if (options && !options.some((option) => (typeof option === 'string' ? option : option.value) === value)) {
    return 'options'
  }
  if (type === 'string') {
    const text = String(value)
    if (text.length < minLength) return 'minLength'
    if (text.length > maxLength) return 'maxLength'
    if (pattern !== undefined && !new RegExp(`^(?:${pattern})$`, 'u').test(text)) return 'pattern'
  }
  const order = (one: unknown) => (type === 'date' ? Date.parse(String(one)) : Number(one))
  if (type === 'number' || type === 'date') {
    if (min !== undefined && order(value) < order(min)) return 'min'
    if (max !== undefined && order(value) > order(max)) return 'max'
  }
  return null
}

/** What a form sends of its fields: at sign-up only what was filled in, later also what was emptied. */
export const valuesOf = (
  fields: readonly AdditionalField[],
  typed: Readonly<Record<string, string | undefined>>,
  emptied: 'left out' | 'null',
): Record<string, unknown> =>
  Object.fromEntries(
    fields
      .map((field) => [field.name, typedValue(field, typed[field.name] ?? '')] as const)
      .filter(([, value]) => value !== null || emptied === 'null'),
  )
