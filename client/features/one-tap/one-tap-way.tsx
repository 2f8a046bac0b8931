import { useEffect, useRef, useState } from 'react'
import { auth, useConfig } from '../../lib/api.ts'
import type { AuthError } from '../../lib/auth/types.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import type { WayProps } from '../../lib/ways.ts'
import { ErrorPanel } from '../../ui/state.tsx'
import { oneTapTexts } from './texts.ts'

/** Google One Tap on the sign-in page. Google draws the prompt over the page; this component shows errors. */
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
    async function start(clientId: string) {
      const idToken = await askForToken(clientId, page.signal)
      if (!idToken) return
      const result = await auth.oneTap.callback({ idToken })
      if (result.error) setError(result.error)
      else done.current(result.data)
    }
    // Without Google's script (blocked, offline) the other ways remain.
    start(clientId).catch(() => {})
    return () => page.abort()
  }, [clientId])

  return error && <ErrorPanel error={error} errors={errors} />
}

/** The used part of Google Identity Services (https://developers.google.com/identity/gsi/web/reference/js-reference). */
interface GoogleIdentity {
  initialize(options: Record<string, unknown>): void
  prompt(listener: (notification: PromptNotification) => void): void
  cancel(): void
}

/** The result of a prompt. FedCM supports only some of these methods. */
interface PromptNotification {
  isDismissedMoment?(): boolean
  isSkippedMoment?(): boolean
  getDismissedReason?(): string
}

declare global {
  interface Window {
    google?: { accounts?: { id?: GoogleIdentity } }
  }
}

let script: Promise<GoogleIdentity> | null = null

/** Loads Google's script once per page. After a failure the next visit tries again. */
function loadScript(): Promise<GoogleIdentity> {
  script ??= new Promise<GoogleIdentity>((resolve, reject) => {
    const element = document.createElement('script')
    element.src = 'https://accounts.google.com/gsi/client'
    element.async = true
    const fail = () => {
      script = null
      element.remove()
      reject(new Error('Google Identity Services could not be loaded'))
    }
    element.onload = () => {
      const identity = window.google?.accounts?.id
      if (identity) resolve(identity)
      else fail()
    }
    element.onerror = fail
    document.head.append(element)
  })
  return script
}

const maxAttempts = 6

/**
 * Shows the prompt. If it is dismissed or skipped, it is shown again after 1 s, 2 s, 4 s and so on.
 * @returns the id token; null without one
 * @throws when Google's script cannot be loaded
 */
async function askForToken(clientId: string, signal: AbortSignal): Promise<string | null> {
  const identity = await loadScript()
  signal.addEventListener('abort', () => identity.cancel())
  for (let attempt = 0; attempt < maxAttempts && !signal.aborted; attempt++) {
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, 1000 * 2 ** (attempt - 1)))
    const idToken = signal.aborted ? null : await prompt(identity, clientId, signal)
    if (idToken) return signal.aborted ? null : idToken
  }
  return null
}

const prompt = (identity: GoogleIdentity, clientId: string, signal: AbortSignal): Promise<string | null> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(null))
    identity.initialize({
      client_id: clientId,
      callback: ({ credential }: { credential: string }) => resolve(credential),
      context: 'signin',
      auto_select: false,
      cancel_on_tap_outside: true,
      use_fedcm_for_prompt: true,
      itp_support: true,
    })
    identity.prompt((notification) => {
      // A choice of an account is reported as a dismissal too.
      if (notification.getDismissedReason?.() === 'credential_returned') return
      if (notification.isDismissedMoment?.() || notification.isSkippedMoment?.()) resolve(null)
    })
  })
