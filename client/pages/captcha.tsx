import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useConfig } from '../lib/api.ts'
import type { CallOptions } from '../lib/auth/types.ts'
import { useHydrated } from '../lib/store.ts'

const Widget = lazy(() => import('./captcha-widget.tsx'))

interface Captcha {
  /** The widget in a form. Its height is reserved, so that the form does not move. */
  widget: ReactNode
  /** Options for the guarded call. */
  options(): CallOptions
  /** Called after each call: a token is valid once. */
  renew(): void
}

export function useCaptcha(): Captcha {
  const { captcha } = useConfig()
  const hydrated = useHydrated()
  const [round, setRound] = useState(0)
  const [answer, setAnswer] = useState<string | null>(null)
  return {
    widget: captcha && (
      <div className="min-h-[4.5rem]">
        {hydrated && (
          <Suspense>
            <Widget {...captcha} round={round} onAnswer={setAnswer} />
          </Suspense>
        )}
      </div>
    ),
    options: () => (answer ? { headers: { 'x-captcha-response': answer } } : {}),
    renew() {
      setAnswer(null)
      setRound((now) => now + 1)
    },
  }
}
