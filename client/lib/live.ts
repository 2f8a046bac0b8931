import { useEffect, useState } from 'react'
import { auth, tab, useConfig } from './api.ts'
import { viewsOfMessages } from './auth/endpoints.generated.ts'
import { type LiveChange, openLiveChannel } from './auth/live.ts'
import { deployment } from './deployment.ts'
import { given } from './given.ts'
import { refreshQueries } from './queries.ts'

/** The queries of a change that are not views of the contract, by the first parts of their keys. */
const ownQueries: Record<LiveChange, readonly string[]> = {
  user: [],
  sessions: ['sessions', 'securityEvents'],
  credentials: ['securityEvents', 'accounts', 'signInMethods', 'twoFactor', 'pendingEmail', 'connections'],
  organizations: [],
  purchases: ['billing'],
  approvals: ['approvals'],
}

/** Loads what changed, by the table of the contract. The session is read past the cookie that caches it. */
export function refresh(changed: ReadonlySet<LiveChange>): void {
  const names = new Set([...changed].flatMap((change) => [...viewsOfMessages[change], ...ownQueries[change]]))
  if (names.delete('session')) void auth.$session.refetch(true)
  refreshQueries(...names)
}

/** When the data of the next signed-in frame was loaded: the browser asks for that of the first one with the page. */
let loadedAt: number | undefined = given.hasSession ? Date.now() - performance.now() : undefined

/**
 * Keeps the signed-in screens up to date: changes elsewhere are loaded, and an ended session shows the sign-in.
 * @returns whether requests for an approval have arrived
 */
export function useLive(): { approvals: boolean } {
  const { features } = useConfig()
  const [approvals, setApprovals] = useState(false)
  useEffect(() => {
    if (!features.live) return
    const waiting = new Set<LiveChange>()
    const onVisibility = () => {
      if (document.hidden || waiting.size === 0) return
      refresh(new Set(waiting))
      waiting.clear()
    }
    document.addEventListener('visibilitychange', onVisibility)
    const readSession = () => void auth.$session.refetch(true)
    const close = openLiveChannel({
      baseURL: deployment.api,
      tab,
      since: loadedAt,
      onChange(changed) {
        if (changed.has('approvals')) setApprovals(true)
        // A hidden page asks nothing. The end of its session has a message of its own.
        if (!document.hidden) refresh(changed)
        else for (const change of changed) waiting.add(change)
      },
      onEnd: readSession,
      onRefused: readSession,
    })
    loadedAt = undefined
    return () => {
      document.removeEventListener('visibilitychange', onVisibility)
      close()
    }
  }, [features.live])
  return { approvals }
}
