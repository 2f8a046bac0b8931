import type { AdditionalField } from './field-rules.ts'

/** A field of sessions: users cannot set it, and no form shows it. */
export type SessionField = Pick<AdditionalField, 'type' | 'required' | 'defaultValue' | 'returned'>

export type UserFields = Readonly<Record<string, AdditionalField>>
export type SessionFields = Readonly<Record<string, SessionField>>

/**
 * The fields of a product, as `as const`: `additionalFields` of the configuration, and the argument of
 * `inferAdditionalFields` of the published client.
 */
export interface FieldDefinitions {
  user?: UserFields
  session?: SessionFields
}

interface Values {
  string: string
  number: number
  boolean: boolean
  /** ISO 8601. */
  date: string
  'string[]': string[]
  'number[]': number[]
}

type Choice<D> = D extends { options: readonly (infer One)[] }
  ? One extends { value: infer Value extends string }
    ? Value
    : One & string
  : string

type ValueOf<D extends SessionField> = D['type'] extends 'string'
  ? Choice<D>
  : D['type'] extends 'string[]'
    ? Choice<D>[]
    : Values[D['type']]

/** Whether the names are known; the type of any fields has every name. */
type Named<Fields> = string extends keyof Fields ? false : keyof Fields extends never ? false : true

/**
 * The fields in responses. One that is not `required` can be null. A `required` one is null only until its user
 * completes the profile (`missingFields`).
 */
export type ShownFields<Fields> =
  Named<Fields> extends true
    ? {
        -readonly [Name in keyof Fields as Fields[Name] extends { returned: false }
          ? never
          : Name]: Fields[Name] extends SessionField
          ? Fields[Name] extends { required: true }
            ? ValueOf<Fields[Name]>
            : ValueOf<Fields[Name]> | null
          : never
      }
    : unknown

/** The fields that a hook may set, including those that users cannot set or see. */
export type SettableFields<Fields> =
  Named<Fields> extends true
    ? {
        -readonly [Name in keyof Fields]?: Fields[Name] extends SessionField ? ValueOf<Fields[Name]> | null : never
      }
    : { [field: string]: unknown }
