import type { Language } from './language.ts'
import { lengthOf } from './text-length.ts'

/** A text for all languages, or one text per language; English is for those without one. */
export type Label =
  | string
  | Readonly<
      {
        /** The text for languages without one. */
        en: string
      } & Record<Language, string>
    >

/** A field that the configuration adds to users or sessions. */
export interface AdditionalField {
  /** The type of the value. A `date` is ISO 8601 text. */
  type: 'string' | 'number' | 'boolean' | 'date' | 'string[]' | 'number[]'
  /** Users without a value must enter one: see `signUp` and `profile`. @default false */
  required?: boolean
  /** A value, or a function that returns one. */
  defaultValue?: unknown
  /** Whether sign-up and update-user accept it. @default true */
  input?: boolean
  /** Whether responses contain it. @default true */
  returned?: boolean
  /** Shown in forms. @default the name of the field */
  label?: Label
  /** Shown in the hosted sign-up form. If `required`, POST /sign-up/email requires it. @default false */
  signUp?: boolean
  /** Shown on the hosted profile page. @default false */
  profile?: boolean
  /** For strings: the minimum length in characters. */
  minLength?: number
  /** For strings: the maximum length in characters. */
  maxLength?: number
  /** A regular expression that matches the whole string, like the HTML attribute `pattern`. */
  pattern?: string
  /** The minimum of a number; of a date as ISO 8601 text. */
  min?: number | string
  /** The maximum of a number; of a date as ISO 8601 text. */
  max?: number | string
  /** The allowed values, each with an optional label. */
  options?: readonly (string | { value: string; label: Label })[]
}

/** A value of a field. */
export type FieldValue = string | number | boolean | string[] | number[] | null

const fits: Record<AdditionalField['type'], (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  boolean: (value) => typeof value === 'boolean',
  date: (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
  'string[]': (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  'number[]': (value) => Array.isArray(value) && value.every((item) => Number.isFinite(item)),
}

/** The rule of a field that a value violates. */
export interface BrokenRule {
  rule: 'required' | 'type' | 'minLength' | 'maxLength' | 'pattern' | 'min' | 'max' | 'options'
  /** The rest of a sentence that begins with the field's name: "must be a number". */
  asks: string
}

/** Whether a value is missing or contains only white space. */
export const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')

const valuesOf = ({ options = [] }: Pick<AdditionalField, 'options'>): string[] =>
  options.map((option) => (typeof option === 'string' ? option : option.value))

/** The first rule that a value violates; null for a valid value. */
export function brokenRule(field: AdditionalField, value: unknown): BrokenRule | null {
  const broken = (rule: BrokenRule['rule'], asks: string): BrokenRule => ({ rule, asks })
  if (field.required && isBlank(value)) return broken('required', 'is required')
  if (!fits[field.type](value)) return broken('type', `must be a ${field.type}`)
  if (field.options) {
    const values = valuesOf(field)
    const given = Array.isArray(value) ? value : [value]
    if (!given.every((one) => values.includes(String(one)))) {
      return broken('options', `must be one of ${values.join(', ')}`)
    }
  }
  if (typeof value === 'string' && field.type === 'string') {
    const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = field
    if (lengthOf(value) < minLength) return broken('minLength', `must have at least ${minLength} characters`)
    if (lengthOf(value) > maxLength) return broken('maxLength', `must have at most ${maxLength} characters`)
    if (pattern !== undefined && !new RegExp(`^(?:${pattern})$`, 'u').test(value)) {
      return broken('pattern', 'does not have the right form')
    }
  }
  const order = (one: unknown) => (field.type === 'date' ? Date.parse(String(one)) : Number(one))
  if (field.type === 'number' || field.type === 'date') {
    if (field.min !== undefined && order(value) < order(field.min)) return broken('min', `must be ${field.min} or more`)
    if (field.max !== undefined && order(value) > order(field.max)) return broken('max', `must be ${field.max} or less`)
  }
  return null
}

export const defaultOf = ({ defaultValue }: Pick<AdditionalField, 'defaultValue'>): unknown =>
  typeof defaultValue === 'function' ? defaultValue() : defaultValue
