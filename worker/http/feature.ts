import type { ContributionOf, StepsOf } from '../identity/lifecycle.ts'
import type { Scope } from '../identity/scope.ts'
import type { ErrorKind } from '../kit/errors.ts'
import type { Options } from '../kit/options.ts'
import type { Contract, Endpoint } from './endpoint.ts'
import { type Operations, routesOfOperations } from './operations.ts'
import type { Routes } from './routes.ts'

/**
 * Describes one capability of the specification. A feature whose options say `enabled: false` is off as a whole, and its
 * paths do not exist.
 */
export interface Feature extends ContributionOf<Scope> {
  name: string
  /** Its steps in the paths of others. worker/features.ts has their order at each place. */
  steps?: StepsOf<Scope>
  routes?: Routes
  options?: Options
  /** What it does for servers, over a service binding and with a server key. */
  operations?: Operations
  /** Errors that its steps cause at an endpoint of any feature, for the OpenAPI document. */
  errorsAt?(endpoint: Endpoint): readonly ErrorKind[]
  /** For a feature that depends on a setting other than `enabled`. */
  on?(options: Readonly<Record<string, unknown>>): boolean
  /** Origins from which its screens load scripts and other content (Content Security Policy of the app's pages). */
  contentSources?(scope: Scope): ContentSources
}

/** Sources by directive: `script` for script-src. */
export type ContentSources = {
  readonly [D in 'script' | 'style' | 'connect' | 'frame' | 'img' | 'font']?: readonly string[]
}

/** Declares a feature and keeps its literal types. */
export const defineFeature = <const F extends Feature>(feature: F): F => feature

type Served = Pick<Feature, 'routes' | 'operations'>

/** The endpoints of a feature with their handlers: of its contract, and of its operations. */
export const allRoutesOf = ({ routes, operations }: Served): Routes[] => [
  ...(routes ? [routes] : []),
  ...(operations ? [routesOfOperations(operations)] : []),
]

/** The endpoints of a feature by operation id. */
export const contractOf = (feature: Served): Contract =>
  Object.assign({}, ...allRoutesOf(feature).map(({ contract }) => contract))
