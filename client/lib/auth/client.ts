import { leave } from '../leave.ts'
import { type ClientOptions, type Core, createClient } from './core.ts'
import type { AnswerOf, AuthCalls } from './endpoints.ts'
import { useView, type Watched } from './use-view.ts'

export type { Signal } from './core.ts'

export type AuthClient = AuthCalls & Core & { useSession(): Watched<AnswerOf<'/get-session'>> }

/** The client of the app: `createClient` with the session as a hook. */
export const createAuthClient = (options: Partial<ClientOptions> = {}): AuthClient =>
  createClient({ navigate: leave, ...options }, ({ $session }) => ({ useSession: () => useView($session) }))
