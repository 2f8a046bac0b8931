import { useEffect } from 'react'
import { auth, tab, useConfig } from './api.ts'
import { type LiveChange, openLiveChannel } from './auth/live.ts'
import { deployment } from './deployment.ts'
import { refreshQueries } from './queries.ts'

/** The queries that a change affects, by the first parts of their keys. */
const queriesOf: Record<LiveChange, string[]> = {
  user: [],
  sessions: ['sessions'],
  credentials: ['accounts', 'passkeys', 'signInMethods', 'twoFactor', 'pendingEmail', 'connections'],
  organizations: ['organizations', 'activeOrganization', 'activeMember'],
  purchases: ['billing'],
}

function refresh(changed: ReadonlySet<LiveChange>): void {
  if (changed.has('user') || changed.has('organizations')) void auth.$session.refetch(true)
  refreshQueries(...new Set([...changed].flatMap((change) => queriesOf[change])))
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
