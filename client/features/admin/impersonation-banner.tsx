import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { useAction } from '../../lib/action.ts'
import { auth, useMember } from '../../lib/api.ts'
import { useSecondsUntil } from '../../lib/clock.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorPanel } from '../../ui/state.tsx'
import { nameOf } from './rights.ts'
import { adminTexts } from './texts.ts'

const clock = (seconds: number): string => {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}

/** Shows an administrator whom they impersonate and for how long, and ends it. It has no close button. */
export default function ImpersonationBanner() {
  const t = useTexts(adminTexts)
  const { user, session } = useMember()
  const [, navigate] = useLocation()
  const left = useSecondsUntil(session.expiresAt.getTime())
  const stop = useAction(
    () => auth.admin.stopImpersonating(),
    () => navigate(`/admin/users/${user.id}`),
  )
  // After the session expires, the administrator's own session is restored.
  const isOver = useRef(false)
  const { run } = stop
  useEffect(() => {
    if (left > 0 || isOver.current) return
    isOver.current = true
    run()
  })
  return (
    <aside aria-label={t.bannerLabel} className="sticky top-0 z-20 border-b border-danger/40 bg-danger-wash">
      <div className="mx-auto grid max-w-300 gap-3 px-4 py-3">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <p className="min-w-0 wrap-anywhere">
            <strong className="font-semibold">{t.banner(nameOf(user))}</strong>{' '}
            <span className="whitespace-nowrap">
              {t.left}: <span role="timer">{clock(left)}</span>
            </span>
          </p>
          <Button busy={stop.busy} onClick={() => stop.run()}>
            {t.stop}
          </Button>
        </div>
        {stop.error && <ErrorPanel error={stop.error} errors={t.errors} />}
      </div>
    </aside>
  )
}
