import { useState } from 'react'
import { useAction } from '../../lib/action.ts'
import type { Result } from '../../lib/auth/types.ts'
import { messageOf, useTexts } from '../../lib/texts/texts.ts'
import { CodeInput } from '../../ui/code-input.tsx'
import { Countdown } from '../../ui/state.tsx'

interface CodeFieldProps<Answer> {
  label: string
  digits: number | undefined
  guess(code: string): Promise<Result<Answer>>
  done(answer: Answer): void
  /** Called with the code of an error, such as one after which only a new code helps. */
  refused?(code: string | undefined): void
  errors: Record<string, string>
}

/** A code that sends itself when it is complete. A wrong one is cleared for the next; a 429 counts down. */
export function CodeField<Answer>({ label, digits = 6, guess, done, refused, errors }: CodeFieldProps<Answer>) {
  const core = useTexts()
  const [round, setRound] = useState(0)
  const [blockedUntil, setBlockedUntil] = useState<number | null>(null)
  const check = useAction(async (code: string) => {
    const answer = await guess(code)
    if (!answer.error) return answer
    setRound((count) => count + 1)
    if (answer.error.status === 429) setBlockedUntil(Date.now() + (answer.error.retryAfter ?? 60) * 1000)
    refused?.(answer.error.code)
    return answer
  }, done)
  const wrong = check.error && check.error.status !== 429 ? check.error : null
  return (
    <div aria-live="polite" className="grid gap-4">
      <CodeInput
        key={round}
        label={label}
        length={digits}
        busy={check.busy}
        autoFocus
        error={wrong ? messageOf(wrong, core, errors) : undefined}
        onComplete={check.run}
      />
      <Countdown until={blockedUntil} />
    </div>
  )
}
