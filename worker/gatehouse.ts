import { env as bindings } from 'cloudflare:workers'
import { type App, createApp } from './app.ts'
import { answerErrors, brokenDeployment } from './configuration/broken-deployment.ts'
import { type Config, type Configuration, ConfigurationError, readConfig } from './configuration/read-config.ts'
import { requireBindings } from './configuration/require-bindings.ts'
import { brandOf } from './features/public-config/brand/brand.ts'
import { loaderOf } from './features.ts'
import { answerError } from './http/answer-error.ts'
import { contractOf } from './http/feature.ts'
import { secure } from './http/json-response.ts'
import { loadFile } from './http/load-features.ts'
import { openScope, type Runtime } from './http/open-scope.ts'
import { placesOf } from './http/places.ts'
import { type JobBatch, runQueued } from './identity/jobs/dispatch.ts'
import { mailOptions, textOptions } from './identity/messages/messages.config.ts'
import { KnownEndedSessions } from './identity/model/ended-sessions.ts'
import type { Scope } from './identity/scope.ts'
import type { AccountTypes, AnyAccounts } from './kit/account-types.ts'
import type { FieldDefinitions, SessionFields, UserFields } from './kit/field-types.ts'
import type { Roles } from './kit/permissions.ts'
import { Circuit } from './platform/circuit.ts'
import { DatabaseSize } from './platform/database-size.ts'
import type { Env } from './platform/env.ts'
import { logger } from './platform/log.ts'
import { type ServerApi, type ServerApiClass, serverApi } from './rpc/rpc.ts'
import { describedFeatures, servedFeatures } from './rpc/served-features.ts'

export { Counter } from './platform/durable/counter.ts'
export { EndedSessions } from './platform/durable/ended-sessions.ts'
export { LiveChannel } from './platform/durable/live-channel.ts'
export { OneTimeRecord } from './platform/durable/one-time.ts'
/** For other Workers: `GATEHOUSE: Service<ServerApi>`. */
export type { AccountTypes, Config, Env, FieldDefinitions, ServerApi }

/** The exports of a deployment. */
export interface Deployment<P extends AccountTypes = AnyAccounts> {
  /** The default export: HTTP, the cron trigger, and the consumer of the queue JOBS if one is bound. */
  handler: {
    fetch(request: Request, env: Env, context: ExecutionContext): Promise<Response>
    scheduled(controller: ScheduledController, env: Env, context: ExecutionContext): void
    queue(batch: JobBatch, env: Env, context: ExecutionContext): Promise<void>
  }
  /** The entrypoint for Workers with a service binding, exported by this name. */
  ServerApi: ServerApiClass<P>
  /** Types alone: with `export type Accounts = typeof accounts` clients of a product know its fields, roles and plans. */
  readonly $types?: P & object
}

/** The product of a configuration. */
interface Configured<U, S, R, O, Plan> {
  user: U
  session: S
  roles: R
  organizationRoles: O
  plan: Plan
}

/** The roles of a product without roles of its own. */
type None = Readonly<Record<never, never>>

/**
 * A deployment from its configuration, which is read once per isolate. Use it at the top of the entry module:
 *
 *     const accounts = gatehouse({ appName: 'Acme' })
 *     export default accounts.handler
 *     export const { ServerApi } = accounts
 *     export type Accounts = typeof accounts
 *     export { Counter, EndedSessions, LiveChannel, OneTimeRecord } from 'gatehouse-auth'
 *
 * @template Own the type of the product's own bindings and secrets, which hooks and transports get as `env`. By default
 *   the `Cloudflare.Env` that `wrangler types` declares
 * @template U @template S the product's own fields of users and sessions, `additionalFields`
 * @template R @template O the product's own roles, `admin.roles` and `organization.roles`
 * @template Plan the slugs of `billing.products`. All are inferred; a call that names `Own` also names the others:
 *   `gatehouse<Env, typeof fields.user, typeof fields.session>(...)`
 * @throws ConfigurationError: an invalid configuration or a missing binding prevents the Worker from starting. In
 *   development it starts, and answers every request with the errors
 */
export function gatehouse<
  Own = Cloudflare.Env,
  const U extends UserFields = UserFields,
  const S extends SessionFields = SessionFields,
  const R extends Roles = None,
  const O extends Roles = None,
  Plan extends string = string,
>(config: Config<Own, Configured<U, S, R, O, Plan>> = {}): Deployment<Configured<U, S, R, O, Plan>> {
  const environment = bindings as unknown as Env
  const general = config as unknown as Config
  let places: ReturnType<typeof deploymentPlaces>
  try {
    requireBindings(environment)
    places = deploymentPlaces(general, environment)
  } catch (thrown) {
    const broken = brokenDeployment(thrown, general, environment)
    if (broken) return broken as unknown as Deployment<Configured<U, S, R, O, Plan>>
    throw thrown
  }

  async function inScope(env: Env, context: ExecutionContext, work: (scope: Scope) => Promise<void>): Promise<void> {
    const place = await places.known()
    // Without a visitor there is no work yet.
    if (!place) return
    const { runtime } = place
    await runtime.loader.load('all')
    const scope = openScope({ request: new Request(runtime.settings.baseUrl), path: '', env, context, runtime })
    try {
      await work(scope)
    } finally {
      scope.answered()
    }
  }

  return {
    handler: {
      fetch: (request, env, context) => answerAt(places, request, env, context),
      scheduled: (controller, env, context) =>
        context.waitUntil(
          inScope(env, context, async (scope) => (await import('./scheduled.ts')).runCron(scope, controller)),
        ),
      queue: (batch, env, context) =>
        inScope(env, context, async (scope) => {
          await runQueued(scope, batch)
        }),
    },
    ServerApi: serverApi(places.first.runtime, async () => {
      const place = await places.known()
      if (!place) throw new Error(`BASE_URL: ${unknownBaseUrl}`)
      return place.runtime
    }) as unknown as ServerApiClass<Configured<U, S, R, O, Plan>>,
  }
}

const unknownBaseUrl =
  'is missing; set it to the origin that users see, or open the deployment once at its address of workers.dev'

/** The response of the deployment at its public origin. */
async function answerAt(
  places: ReturnType<typeof deploymentPlaces>,
  request: Request,
  env: Env,
  context: ExecutionContext,
): Promise<Response> {
  let place: Awaited<ReturnType<typeof places.of>>
  try {
    place = await places.of(request)
  } catch (thrown) {
    // An error that depends on the requested origin.
    if (thrown instanceof ConfigurationError && env.ENVIRONMENT === 'development') {
      return answerErrors(request, thrown.message.split('\n'))
    }
    return secure(answerError(thrown, logger('')), true)
  }
  if (place) return place.app().fetch(request, env, context)
  return secure(new Response(`BASE_URL: ${unknownBaseUrl}\n`, { status: 503 }), false)
}

/** What an isolate knows of its database. */
const newShared = () => ({ ended: new KnownEndedSessions(), circuit: new Circuit(), size: new DatabaseSize() })

/** The deployment of a configuration at its public origin. @internal */
export function deploymentPlaces(config: Config, env: Env) {
  // A session that ends at one address of a development server has ended at the others. They have one database.
  const shared = newShared()
  return placesOf(env, (baseUrl) => {
    const runtime = buildRuntime(readConfig(config, env, baseUrl), env, shared)
    let app: App | undefined
    return { runtime, app: () => (app ??= createApp(runtime, env)) }
  })
}

/**
 * Builds the state that all requests of an isolate share: the lifecycle table, the transports, the description of the
 * API.
 * @internal
 */
export function buildRuntime(
  { settings, options }: Configuration,
  env: Env,
  shared: ReturnType<typeof newShared> = newShared(),
): Runtime {
  const loader = loaderOf(options)
  return {
    settings,
    brand: brandOf(settings, options),
    options,
    lifecycle: loader.lifecycle,
    loader,
    ...shared,
    sendMail: async (mail) => {
      const { mailer } = await import('./platform/mailer/mailer.ts')
      return mailer(mailOptions.of({ options }), env)(mail)
    },
    sendText: async (message) => {
      const { texter } = await import('./platform/texter/texter.ts')
      return texter(textOptions.of({ options }), env)(message)
    },
    async describeApi() {
      const { openApiDocument } = await import('./openapi/openapi.ts')
      const { features } = describedFeatures(options)
      await Promise.all([loadFile(features, 'endpoints'), loadFile(features, 'parts'), loadFile(features, 'ends')])
      const described = servedFeatures(options).map((feature) => ({ ...feature, contract: contractOf(feature) }))
      return openApiDocument(described, settings, options)
    },
  }
}
