import { useEffect } from 'react'
import { hours, ms } from '../../worker/kit/time.ts'
import { auth } from './api.ts'

const pause = 5000
const maxWait = ms(hours(1))

/**
 * Loads the session again and again while this page waits for a link that is opened in another tab: every 5 s while it
 * is visible, and when the user returns to it.
 * @param since epoch milliseconds; null to stop. It ends an hour later.
 */
export function useOpenedElsewhere(since: number | null): void {
  useEffect(() => {
    if (since === null) return
    let busy = false
    let notBefore = 0
    async function ask() {
      const now = Date.now()
      if (busy || document.visibilityState !== 'visible' || now < notBefore || now > since! + maxWait) return
      busy = true
      await auth.$session.refetch(true)
      busy = false
      const { error } = auth.$session.get()
      if (error?.status === 429) notBefore = Date.now() + ms(error.retryAfter ?? 60)
    }
    const look = () => void ask()
    const timer = setInterval(look, pause)
    addEventListener('focus', look)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      removeEventListener('focus', look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [since])
}
