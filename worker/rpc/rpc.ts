import type { Runtime } from '../http/open-scope.ts'
import type { AccountTypes, AnyAccounts } from '../kit/account-types.ts'
import type { Env } from '../platform/env.ts'
import { type Entrypoint, entrypointOf } from './entrypoint.ts'
import {
  type Credentials,
  type GetSessionOptions,
  inputOfGetSession,
  type SessionOfRequest,
  type WithProduct,
} from './methods.ts'
import { findOperation, operationNames } from './served-features.ts'
import type { OperationMethods } from './server-operations.ts'

/** The methods that come from the operations. */
type Derived = Entrypoint & OperationMethods & { getSession(...given: never[]): Promise<unknown> }

const DerivedEntrypoint: new (context: ExecutionContext, env: Env) => Derived = entrypointOf(
  operationNames(),
  findOperation,
)

/**
 * The operations for Workers with a service binding, each a method. In the caller's wrangler.toml:
 * `services = [{ binding = "GATEHOUSE", service = "gatehouse", entrypoint = "ServerApi" }]`. Servers elsewhere call the
 * same operations with a server key.
 */
class AllOperations extends DerivedEntrypoint {
  /**
   * Returns the session and the user of a request, by the cookie, a bearer token or an API key; null for a visitor. It
   * counts the use of a key. It returns null for a key that is rejected or has the access level `verify-only`;
   * verifyApiKey returns the reason.
   * @param credentials the headers of the request, or the values that identify the caller
   */
  override async getSession(
    credentials: HeadersInit | Credentials,
    options: GetSessionOptions = {},
  ): Promise<SessionOfRequest | null> {
    return (await super.getSession(inputOfGetSession(credentials, options) as never)) as SessionOfRequest | null
  }
}

/**
 * The operations for Workers with a service binding: `GATEHOUSE: Service<ServerApi>`, with the product's own fields
 * `Service<ServerApi<typeof fields>>`.
 */
export type ServerApi<P extends AccountTypes = AnyAccounts> = WithProduct<AllOperations, P>

/** The entrypoint class of a deployment. */
export type ServerApiClass<P extends AccountTypes = AnyAccounts> = new (
  context: ExecutionContext,
  env: Env,
) => ServerApi<P>

/** The entrypoint of one deployment. @param located the runtime at the public origin, once it is known */
export const serverApi = (runtime: Runtime, located = async () => runtime): ServerApiClass =>
  class extends AllOperations {
    protected override readonly runtime = runtime
    protected override readonly located = located
  } as ServerApiClass
