import type { AdditionalField as ConfiguredField, Label } from '../../worker/kit/field-rules.ts'
import type { Language } from '../../worker/kit/language.ts'
import type { AdditionalField } from './auth/endpoints.ts'

export const inLanguage = (label: Label, language: Language): string =>
  typeof label === 'string' ? label : (label[language] ?? label.en)

/** Converts the text of a control ('on' or '' for a checkbox) to the value that is sent; null for an empty one. */
export function typedValue({ type }: Pick<ConfiguredField, 'type'>, typed: string): unknown {
  const text = typed.trim()
  if (type === 'boolean') return text === 'on'
  if (text === '') return null
  return type === 'number' ? Number(text) : text
}

/** The values that a form sends: a sign-up leaves empty fields out, a change sends null for them. */
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
