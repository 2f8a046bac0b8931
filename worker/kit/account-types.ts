import type { adminRoles } from './admin-roles.ts'
import type { FieldDefinitions, SessionFields, ShownFields, UserFields } from './field-types.ts'
import type { defaultRoles } from './organization-roles.ts'
import type { Permissions, Roles } from './permissions.ts'

/**
 * What the types of a product come from: the type that its deployment exports (`export type Accounts = typeof accounts`),
 * or constants of the same names.
 */
export interface AccountTypes extends FieldDefinitions {
  /** `admin.roles`. */
  roles?: Roles
  /** `organization.roles`. */
  organizationRoles?: Roles
  /** A `slug` of `billing.products`. */
  plan?: string
  /** The product of a deployment. It exists in types only. */
  $types?: object
}

/** What `P` is where the product is not known. */
export interface AnyAccounts {
  user: UserFields
  session: SessionFields
  roles: Roles
  organizationRoles: Roles
  plan: string
}

/** What a product gives its configuration: bindings and secrets, and its own types. */
export interface ProductTypes {
  env: unknown
  product: AccountTypes
}

/** The product itself, where `P` is a deployment. */
export type ProductOf<P> = P extends { $types?: infer Own extends object } ? (object extends Own ? P : Own) : P

export type UserFieldsOf<P> = ProductOf<P> extends { user: infer U } ? U : UserFields
export type SessionFieldsOf<P> = ProductOf<P> extends { session: infer S } ? S : SessionFields

type Scalar = string | number | boolean | bigint | null | undefined | Date

/** An answer whose users and sessions have the fields of the product. They are found by their columns. */
export type WithFields<T, P extends AccountTypes> = unknown extends T
  ? T
  : T extends Scalar
    ? T
    : T extends readonly (infer Item)[]
      ? WithFields<Item, P>[]
      : string extends keyof T
        ? T extends { email: string; emailVerified: boolean }
          ? T & ShownFields<UserFieldsOf<P>>
          : T extends { userId: string; userAgent: string; expiresAt: Date }
            ? T & ShownFields<SessionFieldsOf<P>>
            : T
        : T extends object
          ? { [Name in keyof T]: WithFields<T[Name], P> }
          : T

type RolesIn<P> = ProductOf<P> extends { roles: infer Own extends Roles } ? Own : Roles
type OrganizationRolesIn<P> = ProductOf<P> extends { organizationRoles: infer Own extends Roles } ? Own : Roles

/** The input of `roles`: without roles of its own a product may have any. */
type Configured<R> = keyof R extends never ? Roles : R
/** The input of `admin.roles`. */
export type RolesOf<P> = P extends { roles: infer Own } ? Configured<Own> : Roles
/** The input of `organization.roles`. */
export type OrganizationRolesOf<P> = P extends { organizationRoles: infer Own } ? Configured<Own> : Roles
/** The slugs of `billing.products`. */
export type PlanOf<P> = ProductOf<P> extends { plan: infer Own extends string } ? Own : string

type NameOf<R, Default> = string extends keyof R ? string : keyof (R & Default) & string

/** A role of the deployment. */
export type RoleOf<P> = NameOf<RolesIn<P>, typeof adminRoles>
/** A role in an organization. */
export type OrganizationRoleOf<P> = NameOf<OrganizationRolesIn<P>, typeof defaultRoles>

// Both distribute over the permissions of all roles.
type ResourceIn<Granted> = Granted extends unknown ? keyof Granted & string : never
type ActionIn<Granted, Resource extends string> =
  Granted extends Readonly<Record<Resource, readonly (infer Action)[]>> ? Action : never

type Wanted<R, Default, Granted = R[keyof R] | Default[keyof Default]> = string extends keyof R
  ? Permissions
  : { readonly [Resource in ResourceIn<Granted>]?: readonly ActionIn<Granted, Resource>[] }

/** What a role of the deployment can permit. */
export type PermissionsOf<P> = Wanted<RolesIn<P>, typeof adminRoles>
/** What a role in an organization can permit. */
export type OrganizationPermissionsOf<P> = Wanted<OrganizationRolesIn<P>, typeof defaultRoles>

/** An input in which properties have the choices of the product: `{ role: RoleOf<P> }`. */
export type WithChoices<T, Choices> = T extends object
  ? { [Name in keyof T]: Name extends keyof Choices ? ChoiceOf<T[Name], Choices[Name]> : T[Name] }
  : T

/** A text, a list of texts, or an object, of which only some are known. */
type ChoiceOf<T, Choice> = T extends string
  ? Choice
  : T extends readonly string[]
    ? readonly Choice[]
    : T extends object
      ? Choice
      : T
