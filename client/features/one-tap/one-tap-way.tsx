import { useEffect, useRef, useState } from 'react'
import { auth, useConfig } from '../../lib/api.ts'
import type { AuthError } from '../../lib/auth/types.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import type { WayProps } from '../../lib/ways.ts'
import { ErrorPanel } from '../../ui/state.tsx'
import { startOneTap } from './one-tap.ts'
import { oneTapTexts } from './texts.ts'

/** Google One Tap, beside the sign-in form: Google draws it over the page, we show only what went wrong. */
export default function OneTapWay({ onSignedIn }: WayProps) {
  const { oneTap } = useConfig()
  const { errors } = useTexts(oneTapTexts)
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
