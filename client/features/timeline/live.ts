import { useEffect, useEffectEvent } from 'react'
import { openSocket } from '../../lib/auth/socket.ts'
import { deployment } from '../../lib/deployment.ts'

/** At most one call in this time (ms), however many records arrive. */
const minPause = 3000

/** Milliseconds between two requests of `useWhileShown`. */
const interval = 10_000

/** A page that has no input for this time (ms) asks no more until its next one. Its requests would keep the session active. */
const patience = 600_000

const inputs = ['pointermove', 'pointerdown', 'keydown', 'focusin', 'visibilitychange'] as const

/** Calls `ask` regularly while the page is shown and in use. Lists of the console have no channel (decision 387). */
export function useWhileShown(on: boolean, ask: () => void): void {
  const notify = useEffectEvent(ask)
  useEffect(() => {
    if (!on) return
    let touchedAt = Date.now()
    const touch = () => {
      touchedAt = Date.now()
    }
    for (const name of inputs) document.addEventListener(name, touch, { passive: true })
    const timer = setInterval(() => {
      if (!document.hidden && navigator.onLine && Date.now() - touchedAt < patience) notify()
    }, interval)
    return () => {
      clearInterval(timer)
      for (const name of inputs) document.removeEventListener(name, touch)
    }
  }, [on])
}

/** Calls `onRecords` when the organization has new records; in a hidden page when it is shown again. */
export function useNewRecords(organizationId: string, on: boolean, onRecords: () => void): void {
  const notify = useEffectEvent(onRecords)
  useEffect(() => {
    if (!on) return
    const url = new URL(`${deployment.api}/organization/audit-live`, location.href)
    url.searchParams.set('organizationId', organizationId)
    let last = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    let isDue = false
    const call = () => {
      timer = undefined
      isDue = document.hidden
      if (isDue) return
      last = Date.now()
      notify()
    }
    const onVisibility = () => {
      if (isDue) call()
    }
    document.addEventListener('visibilitychange', onVisibility)
    const arrive = () => {
      timer ??= setTimeout(call, Math.max(0, last + minPause - Date.now()))
    }
    const close = openSocket(url, { onChange: arrive, onMissed: arrive })
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onVisibility)
      close()
    }
  }, [organizationId, on])
}
