import { navigate } from 'wouter/use-browser-location'
import { createAuthClient } from './auth/client.ts'
import type { AnswerOf } from './auth/types.ts'
import { createView, useView } from './auth/view.ts'
import { continuation } from './continuation.ts'
import { begun, lastUsed } from './last-used.ts'

/** The one client of the app. */
export const auth = createAuthClient({
  onTwoFactorRedirect: () => navigate(`/two-factor${continuation().query}`),
})

/** Who is signed in, and with which session. */
export type Member = NonNullable<AnswerOf<'/get-session'>>

/** The signed-in person. Only below the signed-in frame, which shows nothing else before it knows one. */
export function useMember(): Member {
  const { data } = auth.useSession()
  if (!data) throw new Error('useMember stands outside of the signed-in frame')
  return data
}

export type Config = AnswerOf<'/config'>

// What holds until the server has said more: the form for email and password alone.
const before: Config = {
  name: 'Gatehouse',
  features: { signUp: true },
  providers: [],
  passwordLength: { min: 8, max: 128 },
  captcha: null,
}

// The page brings it along.
const given = document.getElementById('config')?.textContent
const config = createView(() => auth.config(), given ? (JSON.parse(given) as Config) : undefined)

/** Asked while the screen's own code is still on its way. */
export function askEarly(): void {
  void auth.$views.session.refetch()
  // Whoever left the page for a provider has come back with a session: that way has worked.
  const unsubscribe = auth.$views.session.subscribe(() => {
    const { data, isPending } = auth.$views.session.get()
    if (isPending) return
    const way = begun.take()
    if (data && way && !new URLSearchParams(location.search).has('error')) lastUsed.set(way)
    unsubscribe()
  })
}

/** What the server has switched on. `isPending` until the first answer, good or bad. */
export function useConfig(): Config & { isPending: boolean } {
  const { data, isPending } = useView(config)
  return { ...before, ...data, isPending }
}

// Another tab that signed in or out, or changed the profile, tells this one. The cookie that caches the session may still
// say what is no longer so.
if (typeof BroadcastChannel !== 'undefined') {
  const tabs = new BroadcastChannel('gatehouse')
  auth.$onChange((signals) => {
    if (signals.has('session')) tabs.postMessage('session')
  })
  tabs.onmessage = () => void auth.$views.session.refetch(true)
}

// What failed for want of a connection is asked again when there is one.
addEventListener('online', () => {
  for (const view of [config, ...Object.values(auth.$views)]) {
    if (view.get().error) view.invalidate()
  }
})

// A session that was ended elsewhere is noticed when the person comes back to this page.
const minute = 60_000
let lastLook = Date.now()
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState !== 'visible' || Date.now() - lastLook < minute) return
  lastLook = Date.now()
  if (auth.$views.session.get().data) void auth.$views.session.refetch(true)
})
