import { createAuthClient } from './auth/client.ts'
import type { AnswerOf, Member } from './auth/endpoints.ts'
import { useView } from './auth/use-view.ts'
import { createView } from './auth/view.ts'
import { deployment } from './deployment.ts'
import { given } from './given.ts'
import { lastUsed, startedMethod } from './last-used.ts'
import { askToStepUp } from './step-up.ts'
import { remembered } from './store.ts'

/** Identifies this page for the live channel (lib/live.ts). */
export const tab = Math.random().toString(36).slice(2)

/** A sign-out deletes all data that this site has stored (Clear-Site-Data). */
const keepingPreferences: typeof fetch = async (input, init) => {
  const restore = remembered.keepPreferences()
  const headers = new Headers(init?.headers)
  headers.set('gatehouse-tab', tab)
  const answer = await fetch(input, { ...init, headers })
  if (answer.headers.has('clear-site-data')) restore()
  return answer
}

export const auth = createAuthClient({
  baseURL: () => deployment.api,
  fetch: keepingPreferences,
  onSessionNotFresh: askToStepUp,
})

/** The signed-in user. Only for components below the signed-in frame, which renders nothing without a session. */
export function useMember(): Member {
  const { data } = auth.useSession()
  if (!data) throw new Error('useMember is called outside of the signed-in frame')
  return data
}

export type Config = AnswerOf<'/config'>

// Applies until the server has answered: the form for email and password alone.
const before: Config = {
  name: 'Gatehouse',
  development: false,
  features: {
    signUp: true,
    emailAndPassword: true,
    changeEmail: false,
    deleteUser: false,
    verifyOnSignUp: false,
    pendingEmail: true,
    signInMethods: true,
  },
  signIn: { flow: 'identifier-first' },
  providers: [],
  brand: { logo: null, terms: null, privacy: null, support: null, ways: [] } as unknown as Config['brand'],
  additionalFields: [],
  passwordLength: { min: 8, max: 128 },
  lifetimes: { passwordReset: 3600 },
}

// The page contains it.
export const config = createView(() => auth.config(), { known: (given.config as Config | null) ?? undefined })

/** Loads the session while the screen's code is loading. */
export function askEarly(): void {
  void auth.$session.refetch()
  // A user who returns from a provider with a session has signed in there.
  const unsubscribe = auth.$session.subscribe(() => {
    const { data, isPending } = auth.$session.get()
    if (isPending) return
    const way = startedMethod.take()
    if (data && way && !new URLSearchParams(location.search).has('error')) lastUsed.set(way)
    unsubscribe()
  })
}

export function useConfig(): Config & { isPending: boolean } {
  const { data, isPending } = useView(config)
  return { ...before, ...data, isPending }
}

/** Keeps the session and the configuration up to date in this document. */
function watchDocument(): void {
  // Other tabs are notified of sign-ins, sign-outs and profile changes. They bypass the cookie that caches the session.
  if (typeof BroadcastChannel !== 'undefined') {
    const tabs = new BroadcastChannel('gatehouse')
    auth.$onChange((signals) => {
      if (signals.has('session')) tabs.postMessage('session')
    })
    tabs.onmessage = () => void auth.$session.refetch(true)
  }

  // Requests that failed without a connection are repeated when it is back.
  addEventListener('online', () => {
    for (const view of [config, auth.$session]) {
      if (view.get().error) view.invalidate()
    }
  })

  // A session that ended elsewhere is noticed when the user returns to this page.
  let lastLook = Date.now()
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || Date.now() - lastLook < 60_000) return
    lastLook = Date.now()
    if (auth.$session.get().data) void auth.$session.refetch(true)
  })
}

if (globalThis.document) watchDocument()
