import type { PresentedSession } from '../identity/sessions/present-session.ts'
import type { PresentedUser } from '../identity/users/present-user.ts'
import type {
  AccountTypes,
  OrganizationPermissionsOf,
  OrganizationRoleOf,
  PermissionsOf,
  RoleOf,
  SessionFieldsOf,
  UserFieldsOf,
  WithChoices,
  WithFields,
} from '../kit/account-types.ts'
import type { SettableFields, ShownFields } from '../kit/field-types.ts'
import type { Portable, RpcAnswer } from './rpc-answer.ts'
import type { OperationMethods } from './server-operations.ts'

/** The parts of a request that identify its caller. */
export interface Credentials {
  /** The Cookie header. */
  cookie?: string
  /** The Authorization header: `Bearer` and a signed token. */
  authorization?: string
  apiKey?: string
}

export interface GetSessionOptions {
  /** Reads the database, so that an ended session is rejected immediately. */
  disableCookieCache?: boolean
}

export interface SessionOfRequest {
  session: Portable<PresentedSession>
  user: Portable<PresentedUser>
}

/** The input of the operation. */
export function inputOfGetSession(
  credentials: HeadersInit | Credentials,
  { disableCookieCache = false }: GetSessionOptions = {},
): object {
  if (credentials instanceof Headers || Array.isArray(credentials) || !('apiKey' in credentials)) {
    return { headers: Object.fromEntries(new Headers(credentials as HeadersInit)), disableCookieCache }
  }
  return { ...credentials, disableCookieCache }
}

/** The operations of a back end, over a service binding or with a server key. */
export interface ServerMethods extends OperationMethods {
  /**
   * Returns the session and the user of a request, by the cookie, a bearer token or an API key; null for a visitor. It
   * counts the use of a key. It returns null for a key that is rejected or has the access level `verify-only`;
   * verifyApiKey returns the reason. Permission: sessions:read.
   * @param credentials the headers of the request, or the values that identify the caller
   */
  getSession(credentials: HeadersInit | Credentials, options?: GetSessionOptions): Promise<SessionOfRequest | null>
}

type Method = (...input: never[]) => Promise<unknown>

/** The inputs that name a role or a permission of the product. */
export interface ChoicesOf<P> {
  setRole: { role: RoleOf<P> }
  addMember: { role: OrganizationRoleOf<P> }
  createInvitation: { role: OrganizationRoleOf<P> }
  updateMember: { role: OrganizationRoleOf<P> }
  hasPermission: { permissions: PermissionsOf<P> | OrganizationPermissionsOf<P> }
}

type InputsOf<Name, Inputs extends readonly unknown[], P> = Name extends keyof ChoicesOf<P>
  ? { [At in keyof Inputs]: WithChoices<Inputs[At], ChoicesOf<P>[Name]> }
  : Inputs

/** Whether a product has types of its own. */
type IsAny<P> = string extends keyof UserFieldsOf<P> & keyof SessionFieldsOf<P> & RoleOf<P> & OrganizationRoleOf<P>
  ? true
  : false

/** Methods with the product's own roles and permissions in inputs, and its fields in answers. */
export type WithProduct<Methods, P extends AccountTypes> =
  IsAny<P> extends true
    ? Methods
    : {
        [Name in keyof Methods]: Name extends 'setSessionFields'
          ? (input: {
              sessionToken: string
              fields: SettableFields<SessionFieldsOf<P>>
            }) => Promise<RpcAnswer<ShownFields<SessionFieldsOf<P>>>>
          : [Methods[Name]] extends [never]
            ? never
            : Methods[Name] extends Method
              ? (
                  ...input: InputsOf<Name, Parameters<Methods[Name]>, P>
                ) => Promise<WithFields<Awaited<ReturnType<Methods[Name]>>, P>>
              : Methods[Name]
      }
