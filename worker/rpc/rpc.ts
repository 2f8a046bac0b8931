import * as z from 'zod'
import { features } from '../features.ts'
import { validate } from '../http/body.ts'
import type { Runtime } from '../http/open-scope.ts'
import { compose, type RpcAnswer, requireUserId, run } from '../http/operations.ts'
import { isAdministratorFor, isMemberFor } from '../identity/registry.ts'
import { coreErrors } from '../identity/users/users.errors.ts'
import { findUserById } from '../identity/users/users.store.ts'
import type {
  AnyFields,
  FieldDefinitions,
  SessionFieldsOf,
  SettableFields,
  ShownFields,
  UserFieldsOf,
  WithFields,
} from '../kit/field-types.ts'
import type { Permissions } from '../kit/permissions.ts'
import type { Env } from '../platform/env.ts'
import { collectPersonalData } from './personal-data.store.ts'
import type { PersonalData } from './personal-data.ts'

const FeatureOperations = compose(features)

const permissionQuestion = z.object({
  userId: z.string(),
  permissions: z.record(z.string(), z.array(z.string()).min(1)).refine((wanted) => Object.keys(wanted).length > 0),
  organizationId: z.string().optional(),
})

/**
 * Operations for servers only: methods of this entrypoint for Workers with a service binding, never reachable over
 * HTTP. In the caller's wrangler.toml: `services = [{ binding = "GATEHOUSE", service = "gatehouse", entrypoint = "ServerApi" }]`.
 */
class AllOperations extends FeatureOperations {
  /**
   * Returns whether a user has all of the given permissions, by their roles or by those of their membership in an
   * organization. A user who is not a member has no permissions there. Error: USER_NOT_FOUND.
   */
  hasPermission(input: {
    userId: string
    permissions: Permissions
    organizationId?: string
  }): Promise<RpcAnswer<{ allowed: boolean }>> {
    return this[run](async (scope) => {
      const { permissions, organizationId, userId } = validate(permissionQuestion, input, 'body')
      if (organizationId !== undefined)
        return { allowed: await isMemberFor(scope, userId, organizationId, permissions, 'all') }
      const user = await findUserById(scope.db, userId)
      if (!user) throw coreErrors.USER_NOT_FOUND()
      return { allowed: isAdministratorFor(scope, user, permissions, 'all') }
    })
  }

  /** Returns all stored data of a user without secrets. A failure: USER_NOT_FOUND. */
  exportUser(input: { userId: string }): Promise<RpcAnswer<PersonalData>> {
    return this[run](async (scope) => {
      const data = await collectPersonalData(scope.db, requireUserId(input))
      if (!data) throw coreErrors.USER_NOT_FOUND()
      return data
    })
  }
}

type Method = (...input: never[]) => Promise<unknown>

/** Operations whose answers have the product's own fields. */
type Typed<F extends FieldDefinitions> = {
  [Name in keyof AllOperations]: Name extends 'setSessionFields'
    ? (input: {
        sessionToken: string
        fields: SettableFields<SessionFieldsOf<F>>
      }) => Promise<RpcAnswer<ShownFields<SessionFieldsOf<F>>>>
    : [AllOperations[Name]] extends [never]
      ? never
      : AllOperations[Name] extends Method
        ? (
            ...input: Parameters<AllOperations[Name]>
          ) => Promise<WithFields<Awaited<ReturnType<AllOperations[Name]>>, F>>
        : AllOperations[Name]
}

/**
 * The operations for Workers with a service binding: `GATEHOUSE: Service<ServerApi>`, with the product's own fields
 * `Service<ServerApi<typeof fields>>`.
 */
export type ServerApi<F extends FieldDefinitions = AnyFields> = string extends keyof UserFieldsOf<F> &
  keyof SessionFieldsOf<F>
  ? AllOperations
  : Typed<F>

/** The entrypoint class of a deployment. */
export type ServerApiClass<F extends FieldDefinitions = AnyFields> = new (
  context: ExecutionContext,
  env: Env,
) => ServerApi<F>

/** The entrypoint of one deployment. */
export const serverApi = (runtime: Runtime): ServerApiClass =>
  class extends AllOperations {
    protected override readonly runtime = runtime
  } as ServerApiClass
