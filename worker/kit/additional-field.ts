import * as z from 'zod'
import { parts, zeroOrMore } from './option-schema.ts'

/** One more field of every user, by configuration. */
export interface AdditionalField {
  type: 'string' | 'number' | 'boolean' | 'date' | 'string[]' | 'number[]'
  /** Nobody is without it for long: see `signUp` and `profile`. */
  required?: boolean
  /** A value, or a function that gives one. */
  defaultValue?: unknown
  /** Whether sign-up and update-user may set it. */
  input?: boolean
  /** Whether answers show it. */
  returned?: boolean
  /** What people read beside it: in every language, or one text for all. Its name where there is none. */
  label?: string | { en: string; de: string }
  /** The hosted sign-up asks for it, and POST /sign-up/email demands it where it is required. */
  signUp?: boolean
  /** The hosted profile page shows it. */
  profile?: boolean
  /** Of a text, in characters. */
  minLength?: number
  maxLength?: number
  /** A regular expression that the whole text has to match (the attribute of the same name in HTML). */
  pattern?: string
  /** Of a number; of a date as ISO text. */
  min?: number | string
  max?: number | string
  /** The only values there are: texts, or texts with what people read. */
  options?: readonly (string | { value: string; label: string | { en: string; de: string } })[]
}

/** What a field may hold. */
export type FieldValue = string | number | boolean | string[] | number[] | null

const label = z.union([z.string().min(1), z.strictObject({ en: z.string().min(1), de: z.string().min(1) })])
const limit = z.union([z.number(), z.string().refine((text) => !Number.isNaN(Date.parse(text)), 'must be a date')])

export const additionalField = parts({
  required: z.boolean(),
  defaultValue: z.unknown(),
  input: z.boolean(),
  returned: z.boolean(),
  label,
  signUp: z.boolean(),
  profile: z.boolean(),
  minLength: zeroOrMore,
  maxLength: zeroOrMore,
  pattern: z.string().refine(compiles, 'must be a regular expression'),
  min: limit,
  max: limit,
  options: z.array(z.union([z.string(), z.strictObject({ value: z.string(), label })])).min(1),
} satisfies Record<Exclude<keyof AdditionalField, 'type'>, z.ZodType>).extend({
  type: z.enum(['string', 'number', 'boolean', 'date', 'string[]', 'number[]']),
})

function compiles(pattern: string): boolean {
  try {
    return new RegExp(`^(?:${pattern})$`, 'u') instanceof RegExp
  } catch {
    return false
  }
}

const fits: Record<AdditionalField['type'], (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  boolean: (value) => typeof value === 'boolean',
  date: (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
  'string[]': (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  'number[]': (value) => Array.isArray(value) && value.every((item) => Number.isFinite(item)),
}

/** A rule of a field that a value breaks, and what it asks for. */
export interface BrokenRule {
  rule: 'required' | 'type' | 'minLength' | 'maxLength' | 'pattern' | 'min' | 'max' | 'options'
  /** After the name of the field: "must be a number". */
  asks: string
}

/** No value at all; for a text, none that can be seen. */
export const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')

export const valuesOf = ({ options = [] }: Pick<AdditionalField, 'options'>): string[] =>
  options.map((option) => (typeof option === 'string' ? option : option.value))

/** The first rule that a value breaks, null for a valid one. client/lib/additional-fields.ts judges alike. */
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
    if (value.length < minLength) return broken('minLength', `must have at least ${minLength} characters`)
    if (value.length > maxLength) return broken('maxLength', `must have at most ${maxLength} characters`)
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

/** Rules for texts, and rules for what has an order. */
const rulesFor: Partial<Record<keyof AdditionalField, readonly AdditionalField['type'][]>> = {
  minLength: ['string'],
  maxLength: ['string'],
  pattern: ['string'],
  min: ['number', 'date'],
  max: ['number', 'date'],
  options: ['string', 'string[]'],
}

/** What is wrong with a field as a whole: the setting below it, and why it cannot be. */
export function contradictionIn(field: AdditionalField): { setting: keyof AdditionalField; reason: string } | null {
  const isList = field.type.endsWith('[]')
  for (const form of ['signUp', 'profile'] as const) {
    if (!field[form]) continue
    if (field.input === false) return { setting: form, reason: 'must not be true while input is false' }
    if (form === 'profile' && field.returned === false && field.type === 'boolean') {
      return { setting: form, reason: 'must not be true while returned is false: an unticked box would tell nothing' }
    }
    if (isList) return { setting: form, reason: `must not be true while type is '${field.type}': no form shows lists` }
  }
  for (const [setting, types] of Object.entries(rulesFor) as [keyof AdditionalField, AdditionalField['type'][]][]) {
    if (field[setting] !== undefined && !types.includes(field.type)) {
      return { setting, reason: `is for type ${types.map((type) => `'${type}'`).join(' and ')}, not '${field.type}'` }
    }
  }
  for (const setting of ['min', 'max'] as const) {
    const wanted = field.type === 'number' ? 'number' : 'string'
    if (field[setting] !== undefined && typeof field[setting] !== wanted) {
      return { setting, reason: field.type === 'number' ? 'must be a number' : "must be a date, as '2000-01-31'" }
    }
  }
  if ((field.minLength ?? 0) > (field.maxLength ?? Number.POSITIVE_INFINITY)) {
    return { setting: 'maxLength', reason: 'must not be less than minLength' }
  }
  const order = (limit: number | string) => (typeof limit === 'string' ? Date.parse(limit) : limit)
  if (field.min !== undefined && field.max !== undefined && order(field.max) < order(field.min)) {
    return { setting: 'max', reason: 'must not be less than min' }
  }
  const hasDefault = field.defaultValue !== undefined
  if (hasDefault && typeof field.defaultValue !== 'function' && field.defaultValue !== null) {
    const broken = brokenRule(field, field.defaultValue)
    if (broken) return { setting: 'defaultValue', reason: broken.asks }
  }
  if (field.required && !hasDefault && !field.signUp && !field.profile) {
    return {
      setting: 'required',
      reason: 'must not be true while no form asks for it: set signUp or profile to true, or give a defaultValue',
    }
  }
  return null
}
