import { useEffect, useRef, useState } from 'react'
import type { AuthError } from '../../lib/auth/types.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import type { WayProps } from '../../lib/ways.ts'
import { ErrorPanel } from '../../ui/state.tsx'
import { asked, Displaced } from './ceremony.ts'
import { canAutofill, signIn } from './sign-in.ts'
import { passkeyErrors } from './texts.ts'

/** A challenge expires after five minutes; a page that stays open gets a new one earlier. */
const renewal = 4 * 60_000

/**
 * Passkeys among the suggestions of the first sign-in field. It pauses during a ceremony that the user started, and
 * restarts afterwards.
 */
export default function PasskeyAutofill({ callbackURL, onSignedIn }: WayProps) {
  const errors = useTexts(passkeyErrors)
  const [error, setError] = useState<AuthError | null>(null)
  const [round, setRound] = useState(0)
  const waiting = asked.use()
  const done = useRef(onSignedIn)
  done.current = onSignedIn
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round is a new ceremony
  useEffect(() => {
    if (waiting) return
    const page = new AbortController()
    const nextRound = () => setRound((number) => number + 1)
    const timer = setTimeout(nextRound, renewal)
    async function offer() {
      if (!(await canAutofill()) || page.signal.aborted) return
      const { data, error: refusal } = await signIn({ autofill: true, callbackURL }, page.signal)
      if (data) done.current(data)
      else if (refusal && isShown(refusal)) {
        setError(refusal)
        nextRound()
      }
    }
    offer().catch((thrown) => {
      if (!(thrown instanceof Displaced)) throw thrown
    })
    return () => {
      clearTimeout(timer)
      page.abort()
    }
  }, [waiting, round, callbackURL])
  return error && <ErrorPanel error={error} errors={errors} />
}

/** Shows only rejections of a chosen passkey. A browser that offers none is not an error. */
const isShown = ({ code }: AuthError): boolean =>
  [
    'CHALLENGE_NOT_FOUND',
    'AUTHENTICATION_FAILED',
    'PASSKEY_NOT_FOUND',
    'FAILED_TO_CREATE_SESSION',
    'BANNED_USER',
  ].includes(code ?? '')
