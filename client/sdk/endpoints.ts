import type {
  AccountTypes,
  OrganizationPermissionsOf,
  OrganizationRoleOf,
  PermissionsOf,
  PlanOf,
  RoleOf,
  UserFieldsOf,
  WithChoices,
  WithFields,
} from '../../worker/kit/account-types.ts'
import type { SettableFields } from '../../worker/kit/field-types.ts'
import type { Endpoints as Served } from '../lib/auth/endpoints.ts'

/** Method, inputs and answer of every path. The package's declarations spell them out and do not import the server's types. */
export type Endpoints = Pick<Served, keyof Served>

/** The inputs that name a role, a permission or a plan of the product. client.test.ts compares them with the contracts. */
export interface ChoicesOf<P> {
  '/admin/create-user': { role: RoleOf<P> }
  '/admin/set-role': { role: RoleOf<P> }
  '/admin/has-permission': { role: RoleOf<P>; permissions: PermissionsOf<P> }
  '/admin/update-organization-member': { role: OrganizationRoleOf<P> }
  '/organization/invite-member': { role: OrganizationRoleOf<P> }
  '/organization/update-member-role': { role: OrganizationRoleOf<P> }
  '/organization/has-permission': { permissions: OrganizationPermissionsOf<P> }
  '/checkout': { slug: PlanOf<P> }
}

/** The paths whose bodies may contain fields of the product, and those of the feature username. */
type WithUserFields = '/sign-up/email' | '/update-user'

/** A body with the fields of the product in place of fields of any name. */
type Named<Body, P> = string extends keyof UserFieldsOf<P>
  ? Body
  : { [Name in keyof Body as string extends Name ? never : Name]: Body[Name] } & {
      username?: string
      displayUsername?: string
    } & SettableFields<InputFields<UserFieldsOf<P>>>

type InputFields<Fields> = {
  [Name in keyof Fields as Fields[Name] extends { input: false } ? never : Name]: Fields[Name]
}

type BodyOf<Path, Body, P> = Path extends keyof ChoicesOf<P>
  ? WithChoices<Body, ChoicesOf<P>[Path]>
  : Path extends WithUserFields
    ? Named<Body, P>
    : Body

/** A sign-in that has a session and one that asks for the second factor: `data.twoFactorRedirect` distinguishes them. */
type Distinct<Answer> = [Extract<Answer, Challenge>] extends [never]
  ? Answer
  : Answer extends Challenge
    ? Answer & { twoFactorRedirect: true; token?: undefined; user?: undefined }
    : Answer & { twoFactorRedirect?: undefined }
interface Challenge {
  twoFactorRedirect: boolean
}

/** The endpoints with the fields, roles and plans of a product. */
export type EndpointsOf<P extends AccountTypes> = {
  [Path in keyof Endpoints]: Omit<Endpoints[Path], 'answer' | 'body'> & {
    body: BodyOf<Path, Endpoints[Path]['body'], P>
    answer: Distinct<WithFields<Endpoints[Path]['answer'], P>>
  }
}
