import { useEffect } from 'react'
import { auth, tab, useConfig } from './api.ts'
import { viewsOfMessages } from './auth/endpoints.generated.ts'
import { type LiveChange, openLiveChannel } from './auth/live.ts'
import { deployment } from './deployment.ts'
import { refreshQueries } from './queries.ts'

/** The queries of a change that are no views of the contract, by the first parts of their keys. */
const ownQueries: Record<LiveChange, readonly string[]> = {
  user: [],
  sessions: ['sessions'],
  credentials: ['accounts', 'signInMethods', 'twoFactor', 'pendingEmail', 'connections'],
  organizations: [],
  purchases: ['billing'],
}

/** Loads what changed, by the table of the contract. The session is read past the cookie that caches it. */
export function refresh(changed: ReadonlySet<LiveChange>): void {
  const names = new Set([...changed].flatMap((change) => [...viewsOfMessages[change], ...ownQueries[change]]))
  if (names.delete('session')) void auth.$session.refetch(true)
  refreshQueries(...names)
}

/** Keeps the signed-in screens up to date: changes elsewhere are loaded, and an ended session shows the sign-in. */
export function useLive(): void {
  const { features } = useConfig()
  useEffect(() => {
    if (!features.live) return
    return openLiveChannel({
      baseURL: deployment.api,
      tab,
      onChange: refresh,
      onEnd: () => void auth.$session.refetch(true),
    })
  }, [features.live])
}
