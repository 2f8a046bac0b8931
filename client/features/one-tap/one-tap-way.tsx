import { useEffect, useRef, useState } from 'react'
import { auth, useConfig } from '../../lib/api.ts'
import type { AuthError } from '../../lib/auth/types.ts'
import { defineTexts, useTexts } from '../../lib/texts/texts.ts'
import type { WayProps } from '../../lib/ways.ts'
import { ErrorPanel } from '../../ui/state.tsx'
import { startOneTap } from './one-tap.ts'

const texts = defineTexts(
  {
    INVALID_ID_TOKEN: 'Google did not confirm who you are. Sign in another way.',
    GOOGLE_SUB_DOESNT_MATCH:
      'There is already an account with this email address. Sign in to it in your usual way, then link Google.',
    SIGNUP_DISABLED: 'There is no account for you here, and new ones are not taken.',
    EMAIL_NOT_AVAILABLE_IN_TOKEN: 'Google did not tell us your email address.',
  },
  {
    INVALID_ID_TOKEN: 'Google hat nicht bestätigt, wer du bist. Melde dich anders an.',
    GOOGLE_SUB_DOESNT_MATCH:
      'Mit dieser E-Mail-Adresse gibt es schon ein Konto. Melde dich wie gewohnt an und verknüpfe dann Google.',
    SIGNUP_DISABLED: 'Du hast hier noch kein Konto, und neue werden nicht angelegt.',
    EMAIL_NOT_AVAILABLE_IN_TOKEN: 'Google hat uns deine E-Mail-Adresse nicht genannt.',
  },
)

/** Google One Tap, beside the sign-in form: Google draws it over the page, we show only what went wrong. */
export default function OneTapWay({ onSignedIn }: WayProps) {
  const { oneTap } = useConfig()
  const errors: Record<string, string> = useTexts(texts)
  const [error, setError] = useState<AuthError | null>(null)
  const clientId = oneTap?.clientId
  const done = useRef(onSignedIn)
  done.current = onSignedIn
  useEffect(() => {
    if (!clientId) return
    const page = new AbortController()
    async function finish(idToken: string) {
      const result = await auth.oneTap.callback({ idToken })
      if (result.error) setError(result.error)
      else done.current(result.data)
    }
    // Without Google's script (blocked, offline) the page has its other ways.
    startOneTap({ clientId, signal: page.signal, onCredential: (idToken) => void finish(idToken) }).catch(() => {})
    return () => page.abort()
  }, [clientId])
  return error && <ErrorPanel error={error} errors={errors} />
}
