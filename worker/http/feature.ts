import type { ContributionOf, StepsOf } from '../identity/lifecycle.ts'
import type { Scope } from '../identity/scope.ts'
import type { ErrorKind } from '../kit/errors.ts'
import type { Options } from '../kit/options.ts'
import type { Contract, Endpoint } from './endpoint.ts'
import { type Operations, routesOfOperations } from './operations.ts'
import type { Routes } from './routes.ts'

type Contributions = ContributionOf<Scope>

/** What other code calls also for a feature that is off: see FeatureDescriptor.ends. */
export const endNames = [
  'permissions',
  'revokes',
  'keeps',
  'forbids',
  'stored',
] as const satisfies readonly (keyof Contributions)[]

type EndName = (typeof endNames)[number]

/** <feature>.ends.ts. */
export type FeatureEnds = Pick<Contributions, EndName>

/** <feature>.parts.ts: what a feature does in the calls, jobs and cron runs of others. */
export interface FeatureParts extends Omit<Contributions, EndName> {
  /** Its steps in the paths of others. worker/features.ts has their order at each place. */
  steps?: StepsOf<Scope>
}

/** <feature>.endpoints.ts. */
export interface FeatureEndpoints {
  routes?: Routes
  /** What it does for servers, over a service binding and with a server key. */
  operations?: Operations
  /** Errors that its steps cause at an endpoint of any feature, for the OpenAPI document. */
  errorsAt?(endpoint: Endpoint): readonly ErrorKind[]
}

/**
 * <feature>.feature.ts: describes one capability of the specification. It loads at the start, so that it imports nothing
 * heavy: contributions that need only options are in it, all others are named in `gives`. A feature whose options say
 * `enabled: false` is off as a whole, and its paths do not exist.
 */
export interface FeatureDescriptor extends Omit<Contributions, EndName> {
  name: string
  options?: Options
  /** For a feature that depends on a setting other than `enabled`. */
  on?(options: Readonly<Record<string, unknown>>): boolean
  /** Steps that every request needs. */
  steps?: StepsOf<Scope>
  /** The places of the steps in its parts. */
  places?: readonly (keyof StepsOf<Scope>)[]
  /** The names of the contributions in its parts and its ends. */
  gives?: readonly (keyof Contributions)[]
  /** Further absolute paths of its endpoints that the configuration decides, by operation id. */
  alsoAt?(options: Readonly<Record<string, unknown>>): Readonly<Record<string, readonly string[]>>
  /** Loads what its own paths need. */
  endpoints?(): Promise<FeatureEndpoints>
  /** Loads what the calls of others need. Never for a feature that is off. */
  parts?(): Promise<FeatureParts>
  /** Loads what happens also for a feature that is off, because its rows remain. */
  ends?(): Promise<FeatureEnds>
}

/** A feature with everything that has been loaded. */
export interface Feature
  extends Pick<FeatureDescriptor, 'name' | 'options' | 'on'>,
    FeatureEnds,
    FeatureParts,
    FeatureEndpoints {}

/** Declare a feature and its files, and keep their literal types. */
export const defineFeature = <const F extends FeatureDescriptor>(feature: F): F => feature
export const defineEndpoints = <const E extends FeatureEndpoints>(endpoints: E): E => endpoints
export const defineParts = <const P extends FeatureParts>(parts: P): P => parts
export const defineEnds = <const E extends FeatureEnds>(ends: E): E => ends

type Served = Pick<Feature, 'routes' | 'operations'>

/** The endpoints of a feature with their handlers: of its contract, and of its operations. */
export const allRoutesOf = ({ routes, operations }: Served): Routes[] => [
  ...(routes ? [routes] : []),
  ...(operations ? [routesOfOperations(operations)] : []),
]

/** The endpoints of a feature by operation id. */
export const contractOf = (feature: Served): Contract =>
  Object.assign({}, ...allRoutesOf(feature).map(({ contract }) => contract))
