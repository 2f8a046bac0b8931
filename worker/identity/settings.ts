import type { Env } from '../platform/env.ts'
import type { Jurisdiction } from '../platform/jurisdiction.ts'

/** Settings that do not belong to a single feature, from the configuration and the environment. */
export interface Settings {
  /** The name that mails and screens show. */
  appName: string
  environment: 'production' | 'development'
  /** The public origin of the Worker, without a path. Links start with it, never with the origin of a request. */
  baseUrl: string
  /** Whether production took the origin from its first visitor, because BASE_URL is not set. */
  baseUrlIsTaken: boolean
  /** Newest first. */
  secrets: readonly [string, ...string[]]
  /** `strict` is safer where the protocol's default is less strict (guides/operate.md, checklist). */
  profile: 'compatible' | 'strict'
  /** Origins that may call with cookies and be redirect targets; `*` for whole labels of a host. */
  trustedOrigins: readonly string[]
  /** Where all stores keep their data; null: where Cloudflare chooses (guides/operate.md, "Where the data is"). */
  jurisdiction: Jurisdiction | null
  /** Users who sign up with these addresses become administrators; in development only. In lower case. */
  adminEmails: readonly string[]
}

/** The inputs of rules for options. */
export interface DeploymentFacts {
  settings: Settings
  options: Readonly<Record<string, unknown>>
  env: Env
}

/** The path of the protocol below the base URL. */
export const basePath = '/api/auth'

/** The address of an endpoint, as documents and proofs name it. */
export const endpointUrl = ({ settings }: { settings: Pick<Settings, 'baseUrl'> }, path: string): string =>
  `${settings.baseUrl}${basePath}${path}`
