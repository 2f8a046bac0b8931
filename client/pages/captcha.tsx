import { type ReactNode, Suspense, useState } from 'react'
import { useConfig } from '../lib/api.ts'
import type { CallOptions } from '../lib/auth/types.ts'
import { captcha as slot } from './slots.ts'

interface Captcha {
  /** Stands in the form; its height is reserved, so that nothing jumps when the widget arrives. */
  widget: ReactNode
  /** Goes along with the guarded call. */
  options(): CallOptions
  /** After each call: an answer can be used once. */
  renew(): void
}

export function useCaptcha(): Captcha {
  const { captcha } = useConfig()
  const [round, setRound] = useState(0)
  const [answer, setAnswer] = useState<string | null>(null)
  const Widget = slot.component
  return {
    widget: captcha && Widget && (
      <div className="min-h-[4.5rem]">
        <Suspense>
          <Widget {...captcha} round={round} onAnswer={setAnswer} />
        </Suspense>
      </div>
    ),
    options: () => (answer ? { headers: { 'x-captcha-response': answer } } : {}),
    renew() {
      setAnswer(null)
      setRound((now) => now + 1)
    },
  }
}
