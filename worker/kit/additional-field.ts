import * as z from 'zod'
import { type AdditionalField, brokenRule, type Label } from './field-rules.ts'
import { objectOf, parts, zeroOrMore } from './options.ts'

export const additionalField = () => {
  const text = z.string().min(1)
  const label = z.union([text, z.object({ en: text }).catchall(text)]) as z.ZodType<Label, Label>
  const limit = z.union([z.number(), z.string().refine((text) => !Number.isNaN(Date.parse(text)), 'must be a date')])
  return parts({
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
    options: z
      .array(z.union([z.string(), objectOf({ value: z.string(), label })]))
      .min(1)
      .readonly(),
  } satisfies Record<Exclude<keyof AdditionalField, 'type'>, z.ZodType>).extend({
    type: z.enum(['string', 'number', 'boolean', 'date', 'string[]', 'number[]']),
  })
}

function compiles(pattern: string): boolean {
  try {
    return new RegExp(`^(?:${pattern})$`, 'u') instanceof RegExp
  } catch {
    return false
  }
}

/** The types that each rule applies to. */
const rulesFor: Partial<Record<keyof AdditionalField, readonly AdditionalField['type'][]>> = {
  minLength: ['string'],
  maxLength: ['string'],
  pattern: ['string'],
  min: ['number', 'date'],
  max: ['number', 'date'],
  options: ['string', 'string[]'],
}

/** The first setting of a field that contradicts another one, and the reason. */
export function contradictionIn(field: AdditionalField): { setting: keyof AdditionalField; reason: string } | null {
  const isList = field.type.endsWith('[]')
  for (const form of ['signUp', 'profile'] as const) {
    if (!field[form]) continue
    if (field.input === false) return { setting: form, reason: 'must not be true while input is false' }
    if (form === 'profile' && field.returned === false && field.type === 'boolean') {
      return {
        setting: form,
        reason: 'must not be true while returned is false: an unchecked box could not be distinguished',
      }
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
