import * as z from 'zod'
import { type Contradiction, flag, objectOf, positive } from '../../kit/options.ts'
import { valueNames } from '../../kit/texts.ts'
import { resourceIdentifier, scopeName } from './identifiers.ts'

/** A field of authorization details. Each field is required: the user sees all of them in the sentence. */
const detailField = () =>
  z.discriminatedUnion('kind', [
    objectOf({
      /** What the values are: a text, a number, or texts of a list. */
      kind: z.literal('text'),
      /** Characters at most. */
      maxLength: positive.max(200).default(100),
      /** The permitted values; null: any text on one line. */
      values: z.array(z.string().min(1).max(200)).min(1).max(100).nullable().default(null),
    }),
    objectOf({
      /** What the values are: a text, a number, or texts of a list. */
      kind: z.literal('number'),
      /** The lowest permitted value. */
      min: z.number().default(0),
      /** The highest permitted value. */
      max: z.number(),
      /** Digits after the decimal point at most. */
      decimals: z.int().min(0).max(6).default(0),
      /** The value is an upper bound: a client may reduce it later. */
      limit: flag(false),
    }),
    objectOf({
      /** What the values are: a text, a number, or texts of a list. */
      kind: z.literal('list'),
      /** The permitted items. A client may omit some later. */
      values: z.array(z.string().min(1).max(200)).min(1).max(50),
    }),
  ])

export type DetailField = z.output<ReturnType<typeof detailField>>

/** A type of authorization details: a bounded permission, such as one payment (RFC 9396). */
export const detailType = () =>
  objectOf({
    /** The value of `type` in requests. */
    type: z.string().min(1).max(200),
    /** The resource server whose tokens contain it, and which the request has to name; null: the tokens of the request. */
    resource: resourceIdentifier().nullable().default(null),
    /** A scope that the request and the token must have for it; null: none. */
    scope: scopeName().nullable().default(null),
    /** The fields by name, at most 20. No others are accepted. */
    fields: z
      .record(z.string().regex(/^(?!type$)[a-z]\w{0,49}$/i), detailField())
      .refine((fields) => Object.keys(fields).length <= 20, 'must have at most 20 fields'),
    /**
     * The sentence that the user sees, by language, with each field as `{field}`, such as "pay at most {amount} EUR to {to}". `en` is
     * required, and replaces missing languages.
     */
    sentence: z
      .record(z.string(), z.string().min(1).max(300))
      .refine((sentences) => Object.hasOwn(sentences, 'en'), 'must have a sentence in en'),
  })

export type DetailType = z.output<ReturnType<typeof detailType>>

const sameNames = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((name) => others.includes(name))

/** Rules about all types together. */
export const detailContradictions = (authorizationDetailTypes: readonly DetailType[]): Contradiction[] => [
  ...authorizationDetailTypes.map(
    ({ type }, index): Contradiction => [
      authorizationDetailTypes.findIndex((other) => other.type === type) !== index,
      `identityProvider.authorizationDetailTypes.${index}.type`,
      'must not be the type of another entry',
    ],
  ),
  // The user agrees to the sentence, so it must contain every granted value.
  ...authorizationDetailTypes.map(
    ({ fields, sentence }, index): Contradiction => [
      Object.values(sentence).some((text) => !sameNames(valueNames(text), Object.keys(fields))),
      `identityProvider.authorizationDetailTypes.${index}.sentence`,
      'must contain every field as {field}, and no other name, in each language',
    ],
  ),
]
