import { useEffect, useEffectEvent } from 'react'
import { openSocket } from '../../lib/auth/socket.ts'
import { deployment } from '../../lib/deployment.ts'

/** At most one call in this time (ms), however many records arrive. */
const minPause = 3000

/** Calls `onRecords` when the organization has new records. */
export function useNewRecords(organizationId: string, on: boolean, onRecords: () => void): void {
  const notify = useEffectEvent(onRecords)
  useEffect(() => {
    if (!on) return
    const url = new URL(`${deployment.api}/organization/audit-live`, location.href)
    url.searchParams.set('organizationId', organizationId)
    let last = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const call = () => {
      timer = undefined
      last = Date.now()
      notify()
    }
    const arrive = () => {
      timer ??= setTimeout(call, Math.max(0, last + minPause - Date.now()))
    }
    const close = openSocket(url, { onText: arrive, onReopen: arrive })
    return () => {
      clearTimeout(timer)
      close()
    }
  }, [organizationId, on])
}
