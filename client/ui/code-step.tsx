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
    resend: 'Send a new code',
    sent: 'A new code is on its way.',
    enter: (digits: number) => `Enter the ${digits} digits.`,
    errors: {
      INVALID_OTP: 'This code is wrong. Check it, or have a new one sent.',
      OTP_NOT_FOUND: 'This code is no longer valid. Have a new one sent.',
      OTP_EXPIRED: 'This code has expired. Have a new one sent.',
      TOO_MANY_ATTEMPTS: 'Too many wrong codes. Have a new one sent.',
    } as Record<string, string>,
  },
  {
    label: 'Code',
    resend: 'Neuen Code schicken',
    sent: 'Ein neuer Code ist unterwegs.',
    enter: (digits) => `Gib die ${digits} Ziffern ein.`,
    errors: {
      INVALID_OTP: 'Dieser Code stimmt nicht. Prüfe ihn, oder lass dir einen neuen schicken.',
      OTP_NOT_FOUND: 'Dieser Code gilt nicht mehr. Lass dir einen neuen schicken.',
      OTP_EXPIRED: 'Dieser Code ist abgelaufen. Lass dir einen neuen schicken.',
      TOO_MANY_ATTEMPTS: 'Zu viele falsche Codes. Lass dir einen neuen schicken.',
    },
  },
)

interface CodeStepProps<Answer> {
  digits: number | undefined
  guess(code: string): Promise<Result<Answer>>
  done(answer: Answer): void
  resend(): Promise<Result<unknown>>
  /** A feature's own words for codes beside those above. */
  errors?: Record<string, string>
  /** Under the field, such as the way back. */
  children?: ReactNode
}

/** A code has been sent: it is typed, sends itself when it is complete, and can be had anew. */
export function CodeStep<Answer>({ digits = 6, guess, done, resend, errors, children }: CodeStepProps<Answer>) {
  const core = useTexts()
  const t = useTexts(codeTexts)
  const [round, setRound] = useState(0)
  const [blockedUntil, setBlockedUntil] = useState<number | null>(null)
  const check = useAction(async (code: string) => {
    const answer = await guess(code)
    if (answer.error?.status === 429) setBlockedUntil(Date.now() + (answer.error.retryAfter ?? 60) * 1000)
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
        <Countdown until={blockedUntil} />
      </div>
      <ResendButton
        sent={t.sent}
        send={async () => {
          const answer = await resend()
          if (!answer.error) setRound(round + 1)
          return answer
        }}
      >
        {t.resend}
      </ResendButton>
      {children}
    </div>
  )
}
