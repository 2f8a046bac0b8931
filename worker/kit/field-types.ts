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

/** What `F` is where the fields are not known. */
export interface AnyFields {
  user: UserFields
  session: SessionFields
}

/** What a product gives its types of: bindings and secrets, and its own fields. */
export interface ProductTypes {
  env: unknown
  fields: FieldDefinitions
}

export type UserFieldsOf<F> = F extends { user: infer U } ? U : UserFields
export type SessionFieldsOf<F> = F extends { session: infer S } ? S : SessionFields

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

type Scalar = string | number | boolean | bigint | null | undefined | Date

/** An answer whose users and sessions have the fields of the product. They are found by their columns. */
export type WithFields<T, F extends FieldDefinitions> = unknown extends T
  ? T
  : T extends Scalar
    ? T
    : T extends readonly (infer Item)[]
      ? WithFields<Item, F>[]
      : string extends keyof T
        ? T extends { email: string; emailVerified: boolean }
          ? T & ShownFields<UserFieldsOf<F>>
          : T extends { userId: string; userAgent: string; expiresAt: Date }
            ? T & ShownFields<SessionFieldsOf<F>>
            : T
        : T extends object
          ? { [Name in keyof T]: WithFields<T[Name], F> }
          : T
