import { leave } from '../leave.ts'
import { type ClientOptions, type Core, createClient } from './core.ts'
import type { AnswerOf, AuthCalls } from './endpoints.ts'
import { useView, type Watched } from './use-view.ts'

export type { Signal } from './core.ts'

type SessionAnswer = AnswerOf<'/get-session'>
interface Hooks {
  useSession(): Watched<SessionAnswer>
}

export type AuthClient = AuthCalls & Core<SessionAnswer> & Hooks

/** The client of the app: every call with the types of the server's contracts, and the session as a hook. */
export const createAuthClient = (options: Partial<ClientOptions> = {}): AuthClient =>
  createClient<AuthCalls, SessionAnswer, Hooks>({ navigate: leave, ...options }, ({ $session }) => ({
    useSession: () => useView($session),
  }))
