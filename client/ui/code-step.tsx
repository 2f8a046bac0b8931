import { type ReactNode, useState } from 'react'
import { useAction } from '../lib/action.ts'
import type { Result } from '../lib/auth/types.ts'
import { defineTexts, messageOf, useTexts } from '../lib/texts/texts.ts'
import { CodeInput } from './code-input.tsx'
import { ResendButton } from './resend-button.tsx'
import { Countdown } from './state.tsx'

/** What is said about a code, wherever one is typed. */
export const codeTexts = defineTexts(
  {
    label: 'Code',
    resend: 'Request a new code',
    sent: 'We sent a new code.',
    enter: (digits: number) => `Enter the ${digits} digits.`,
    errors: {
      INVALID_OTP: 'This code is incorrect. Check it, or request a new one.',
    } as Record<string, string>,
  },
  {
    label: 'Code',
    resend: 'Neuen Code anfordern',
    sent: 'Wir haben einen neuen Code geschickt.',
    enter: (digits) => `Gib die ${digits} Ziffern ein.`,
    errors: {
      INVALID_OTP: 'Dieser Code ist falsch. Prüfe ihn oder fordere einen neuen an.',
    },
  },
)

/** After these only a new code helps, so the button that sends it does not rest. */
export const spentCode = new Set([
  'TOO_MANY_ATTEMPTS',
  'TOO_MANY_ATTEMPTS_PLEASE_REQUEST_A_NEW_CODE',
  'OTP_EXPIRED',
  'OTP_HAS_EXPIRED',
  'OTP_NOT_FOUND',
])

interface CodeStepProps<Answer> {
  digits: number | undefined
  guess(code: string): Promise<Result<Answer>>
  done(answer: Answer): void
  resend(): Promise<Result<unknown>>
  /** A feature's own words for codes beside those above. */
  errors?: Record<string, string>
  /** Beside a time that must be waited: another way. */
  elsewhere?: ReactNode
  /** Under the field, such as the way back. */
  children?: ReactNode
}

/** A code has been sent: it is typed, sends itself when it is complete, and can be had anew. */
export function CodeStep<Answer>(props: CodeStepProps<Answer>) {
  const { digits = 6, guess, done, resend, errors, elsewhere, children } = props
  const core = useTexts()
  const t = useTexts(codeTexts)
  const [round, setRound] = useState(0)
  const [spent, setSpent] = useState(false)
  const [blockedUntil, setBlockedUntil] = useState<number | null>(null)
  const check = useAction(async (code: string) => {
    const answer = await guess(code)
    if (answer.error?.status === 429) setBlockedUntil(Date.now() + (answer.error.retryAfter ?? 60) * 1000)
    setSpent(spentCode.has(answer.error?.code ?? ''))
    return answer
  }, done)
  const wrong = check.error && check.error.status !== 429
  return (
    <div className="grid gap-5">
      <div aria-live="polite" className="grid gap-4">
        <CodeInput
          key={round}
          label={t.label}
          length={digits}
          busy={check.busy}
          autoFocus
          error={wrong ? messageOf(check.error!, core, { ...t.errors, ...errors }) : undefined}
          onComplete={check.run}
        />
        <Countdown until={blockedUntil}>{elsewhere}</Countdown>
      </div>
      <ResendButton
        key={String(spent)}
        ready={spent}
        sent={t.sent}
        send={async () => {
          const answer = await resend()
          if (!answer.error) {
            setRound(round + 1)
            setSpent(false)
            check.reset()
          }
          return answer
        }}
      >
        {t.resend}
      </ResendButton>
      {children}
    </div>
  )
}
