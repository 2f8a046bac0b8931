import { type ReactNode, useState } from 'react'
import { useAction } from '../lib/action.ts'
import type { Result } from '../lib/auth/types.ts'
import { defineTexts, messageOf, useTexts } from '../lib/texts/texts.ts'
import { CodeInput } from './code-input.tsx'
import { ResendButton } from './resend-button.tsx'
import { Countdown } from './state.tsx'

export const codeTexts = defineTexts('codeStep', {
  sent: 'We sent a code.',
  sentNew: 'We sent a new code.',
  enter: 'Enter the {digits} digits.',
  errors: {
    INVALID_OTP: 'This code is incorrect. Check it, or request a new one.',
  } as Record<string, string>,
})

/** After these errors only a new code helps: it can be requested at once. */
const spentCode = new Set([
  'TOO_MANY_ATTEMPTS',
  'TOO_MANY_ATTEMPTS_PLEASE_REQUEST_A_NEW_CODE',
  'OTP_EXPIRED',
  'OTP_HAS_EXPIRED',
  'OTP_NOT_FOUND',
])

interface CodeFieldProps<Answer> {
  digits: number | undefined
  guess(code: string): Promise<Result<Answer>>
  done(answer: Answer): void
  refused?(code: string | undefined): void
  /** The feature's own messages by code. */
  errors?: Record<string, string>
  label?: string
  /** A wrong code stays in the field. */
  keep?: boolean
  /** Another way, next to the countdown of a 429. */
  elsewhere?: ReactNode
}

/** A field for a code, which it submits when it is complete. */
export function CodeField<Answer>(props: CodeFieldProps<Answer>) {
  const { digits = 6, guess, done, refused, errors, label, keep, elsewhere } = props
  const t = useTexts()
  const [round, setRound] = useState(0)
  const [blockedUntil, setBlockedUntil] = useState<number | null>(null)
  const check = useAction(async (code: string) => {
    const answer = await guess(code)
    if (!answer.error) return answer
    if (!keep) setRound((count) => count + 1)
    if (answer.error.status === 429) setBlockedUntil(Date.now() + (answer.error.retryAfter ?? 60) * 1000)
    refused?.(answer.error.code)
    return answer
  }, done)
  const wrong = check.error && check.error.status !== 429 ? check.error : null
  return (
    <div aria-live="polite" className="grid gap-4">
      <CodeInput
        key={round}
        label={label ?? t.code}
        length={digits}
        busy={check.busy}
        autoFocus
        error={wrong ? messageOf(wrong, t, errors) : undefined}
        onComplete={check.run}
      />
      <Countdown until={blockedUntil}>{elsewhere}</Countdown>
    </div>
  )
}

interface CodeStepProps<Answer> extends CodeFieldProps<Answer> {
  resend(): Promise<Result<unknown>>
  /** When the code was sent (epoch milliseconds); by default just now. */
  since?: number
  /** Below the field, such as a back button. */
  children?: ReactNode
}

/** Asks for a code that was sent, and requests a new one. */
export function CodeStep<Answer>({ resend, since, errors, children, ...field }: CodeStepProps<Answer>) {
  const t = useTexts(codeTexts)
  const [round, setRound] = useState(0)
  const [spent, setSpent] = useState(false)
  return (
    <div className="grid gap-5">
      <CodeField
        key={round}
        {...field}
        keep
        errors={{ ...t.errors, ...errors }}
        refused={(code) => setSpent(spentCode.has(code ?? ''))}
      />
      <ResendButton
        key={String(spent)}
        ready={spent}
        since={since}
        sent={t.sentNew}
        send={async () => {
          const answer = await resend()
          if (!answer.error) {
            setRound(round + 1)
            setSpent(false)
          }
          return answer
        }}
      >
        {t.newCode}
      </ResendButton>
      {children}
    </div>
  )
}

interface RequestedCodeProps<Answer> extends CodeFieldProps<Answer> {
  send(): Promise<Result<unknown>>
  sent: boolean
  onSent(): void
  /** The label of the button before the first code. */
  action: string
}

/** A code that is sent on request: the user may prefer another way. */
export function RequestedCode<Answer>({ send, sent, onSent, action, refused, ...field }: RequestedCodeProps<Answer>) {
  const t = useTexts(codeTexts)
  const [round, setRound] = useState(0)
  return (
    <>
      {sent && (
        <CodeField
          {...field}
          refused={(code) => {
            if (spentCode.has(code ?? '')) setRound(round + 1)
            refused?.(code)
          }}
        />
      )}
      <ResendButton
        key={round}
        ready
        look={sent ? 'secondary' : 'primary'}
        sent={t.sent}
        send={async () => {
          const answer = await send()
          if (answer.error) refused?.(answer.error.code)
          else onSent()
          return answer
        }}
      >
        {sent ? t.newCode : action}
      </ResendButton>
    </>
  )
}
