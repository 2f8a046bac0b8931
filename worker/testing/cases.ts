import type { Config } from '../configuration/read-config.ts'
import type { Contract, Endpoint, Method } from '../http/endpoint.ts'
import type { EventType } from '../identity/model/events.ts'
import type { SecurityEventType, SecurityNotice } from '../identity/model/security-event-types.ts'
import { mergeOptions } from '../kit/options.ts'
import type { Device, TestApp } from './harness.ts'
import type { Insertion } from './insertion.ts'
import type { OAuthProvider } from './outside/oauth-provider.ts'
import type { Person } from './people.ts'

/** `GET /path` or `POST /path` of a contract. */
export type Operation = `${Method} /${string}`

/** Operations by the reason for which they need no row of their own. */
interface Exempt {
  readonly [reason: string]: readonly Operation[] | undefined
}

/** A use case in which the fault test lets each I/O call fail. */
export interface FaultCase {
  endpoint: Operation
  /** Brings a new user to the start of the use case. */
  before(app: TestApp, person: Person): Promise<{ device: Device; given?: unknown }>
  /** Returns the body of a POST or the query of a GET. The default is `given`. */
  input?(given: never, person: Person): object
  headers?: Record<string, string>
  /** The errors that a retry may return if the first call succeeded and its answer was lost. */
  afterwards?: readonly string[]
  /** Whether the user has a mail afterwards. */
  mails?: boolean
  config?: Config
}

/** What a user can have many of. */
export interface GrowthCase {
  /** Settings without which the cap cannot be reached. */
  config?: Config
  /** The path of the list. */
  list: `/${string}`
  /** Statements that write the n-th of them, from 1. */
  rows(userId: string, n: number): Insertion[]
  /** How many a user can have, the call that creates one, and the error beyond the maximum. */
  cap?: { max: number; path: `/${string}`; body(n: number): object; success: number; refusal: string }
}

/** What the act of an event case uses. */
export interface World {
  app: TestApp
  /** A provider whose accounts can be linked. */
  provider: OAuthProvider
  /** Events, hooks and notices count from this line on. */
  begin(): Promise<void>
}

/** An act, and what receivers and hooks receive for it. */
export interface EventCase {
  /** Options that the action needs. */
  config?: Config
  act(world: World): Promise<void>
  events: EventType[]
  hooks: string[]
}

/** An act, and what the sign-in log records for it. */
export interface SecurityEventCase {
  /** Options that the action needs. */
  config?: Config
  act(world: World): Promise<void>
  events: SecurityEventType[]
  /** What the owner receives. The default is a notice for each event that has one, except for a sign-in. */
  notices?: SecurityNotice[]
}

/** The rows of one feature in the tables over all endpoints: `<feature>.cases.ts` exports them as `cases`. */
export interface FeatureCases {
  /** Settings with which all endpoints of the feature exist and accept all callers that their contracts name. */
  config?: Config
  /** By name, for testing/faults.test.ts. */
  faults?: Record<string, FaultCase>
  /** Endpoints that write and need no fault case: another test covers them, or a lost write has no effect on users. */
  withoutFaults?: Exempt
  /** Queries that find inconsistent data. */
  inconsistent?: Record<string, string>
  /** By name, for checks/growth.test.ts. */
  growth?: Record<string, GrowthCase>
  /** By name, for features/webhooks/every-event.test.ts: each way to cause an event. */
  events?: Record<string, EventCase>
  /** By name, for features/security-log/every-security-event.test.ts: each way to cause a line of the sign-in log. */
  securityEvents?: Record<string, SecurityEventCase>
}

const caseFiles = import.meta.glob<{ cases: FeatureCases }>('../features/**/*.cases.ts', { eager: true })
const contractFiles = import.meta.glob<Record<string, Contract>>('../features/**/*.contract.ts', { eager: true })

export const operationOf = ({ method, path }: Endpoint): Operation => `${method} ${path}`

export const operationsIn = (exempt: Exempt = {}): Operation[] => Object.values(exempt).flatMap((some) => some ?? [])

const folderOf = (file: string) => file.split('/')[2]!

const configOf = (files: string[]): Config =>
  files.reduce((merged, file) => mergeOptions(merged, caseFiles[file]?.cases.config ?? {}), {})

/** The cases and endpoints of each folder of features/, also of features that are off by default. */
export const featureFolders = [
  ...Map.groupBy([...Object.keys(caseFiles), ...Object.keys(contractFiles)], folderOf),
].map(([name, files]) => ({
  name,
  cases: files.flatMap((file) => caseFiles[file]?.cases ?? []),
  /** Settings with which all endpoints of the folder exist. */
  config: configOf(files),
  endpoints: files
    .flatMap((file) => Object.entries(contractFiles[file] ?? {}))
    .filter(([exported]) => exported.endsWith('Contract'))
    .flatMap(([, contract]) => Object.values(contract)),
}))

export const allCases = featureFolders.flatMap(({ cases }) => cases)

/** Settings with which all endpoints of the contract exist. */
export const everything: Config = configOf(Object.keys(caseFiles))

/** The endpoints of all contracts. */
export const declaredEndpoints = featureFolders.flatMap(({ endpoints }) => endpoints)
