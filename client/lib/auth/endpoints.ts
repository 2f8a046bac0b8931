import type { PublicConfiguration, Endpoints as Served } from '../../../worker/contract.ts'
import type { Calls, Parsed } from './types.ts'

export type { FactorMethod, OwnSessionMethod, SessionMethod, SignInMethod, WayId } from '../../../worker/contract.ts'

/** Method, body, query and answer of each path, from the server's contracts. Features add their own parts to /config. */
export type Endpoints = Omit<Served, '/config'> & {
  '/config': Omit<Served['/config'], 'answer'> & { answer: PublicConfiguration }
}

export type AuthCalls = Calls<Endpoints>
export type AnswerOf<Path extends keyof Endpoints> = Parsed<Endpoints[Path]['answer']>

/** The signed-in user and their session. */
export type Member = NonNullable<AnswerOf<'/get-session'>>
export type User = Member['user']
export type Session = Member['session']

/** A session of /list-sessions. */
export type DeviceSession = AnswerOf<'/list-sessions'>[number]

/** An entry of the sign-in log. */
export type SecurityEvent = Omit<AnswerOf<'/security-events'>['events'][number], 'current'>

export type LinkedAccount = AnswerOf<'/list-accounts'>[number]

export type ApiKey = AnswerOf<'/api-key/list'>[number]

export type ServerKey = AnswerOf<'/admin/server-keys'>['keys'][number]
export type SignalReceiver = AnswerOf<'/admin/signal-receivers'>['receivers'][number]

/** A sign-in creates a session, leads to another page, or requires the second factor. */
export interface SignInAnswer {
  redirect?: boolean
  token?: string
  url?: string
  user?: Omit<User, 'image'>
  twoFactorRedirect?: boolean
}

/** GET /config. A feature that is off adds nothing. */
export type PublicConfig = PublicConfiguration

export type FeatureSwitches = PublicConfiguration['features']

export type Lifetime = keyof PublicConfiguration['lifetimes']

/** A field that the configuration adds to users, where a form shows it. */
export type AdditionalField = PublicConfiguration['additionalFields'][number]
