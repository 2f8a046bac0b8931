import { type ReactNode, useState } from 'react'
import { useAction } from '../lib/action.ts'
import { useConfig } from '../lib/api.ts'
import type { Result } from '../lib/auth/types.ts'
import { useSecondsUntil } from '../lib/clock.ts'
import { cx } from '../lib/cx.ts'
import { useTexts } from '../lib/texts/texts.ts'
import { Button, type ButtonLook } from './button.tsx'
import { Countdown, ErrorPanel } from './state.tsx'
import { toast } from './toasts.tsx'

interface ResendButtonProps {
  send(): Promise<Result<unknown>>
  children: ReactNode
  /** Whether the first message may be sent at once; otherwise one was sent `since` (epoch milliseconds), or just now. */
  ready?: boolean
  since?: number | undefined
  wide?: boolean
  look?: ButtonLook
  /** The text after sending; by default that a mail is on its way. */
  sent?: string
}

const pause = 60_000

/** Sends a message again, at most once a minute, or later after a 429. */
export function ResendButton({ send, children, ready, since, wide = true, look, sent }: ResendButtonProps) {
  const t = useTexts()
  const { development } = useConfig()
  const [until, setUntil] = useState<number | null>(() => (ready ? null : (since ?? Date.now()) + pause))
  const [blocked, setBlocked] = useState(false)
  const left = useSecondsUntil(until)
  const action = useAction(
    async () => {
      const answer = await send()
      setBlocked(answer.error?.status === 429)
      if (answer.error?.status === 429) setUntil(Date.now() + (answer.error.retryAfter ?? 60) * 1000)
      return answer
    },
    () => {
      setUntil(Date.now() + pause)
      toast(sent ?? t.mailSent)
    },
  )
  return (
    <div className="grid gap-3">
      {blocked ? <Countdown until={until} /> : action.error && <ErrorPanel error={action.error} />}
      <Button
        // In a dialog it has the focus if it is the main action.
        data-first={look === 'primary' || undefined}
        look={look}
        wide={wide}
        className="justify-self-start"
        busy={action.busy}
        disabled={left > 0}
        onClick={action.run}
      >
        {children}
        {left > 0 && !blocked && (
          <span role="timer" className="font-normal tabular-nums">
            ({left} s)
          </span>
        )}
      </Button>
      {development && (
        <a
          href="/dev/mailbox"
          target="_blank"
          rel="noreferrer"
          className={cx('link text-sm', wide ? 'justify-self-center' : 'justify-self-start')}
        >
          {t.mailbox}
        </a>
      )}
    </div>
  )
}
