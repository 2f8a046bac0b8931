import type { User } from '../../lib/auth/endpoints.ts'

// The signal API (WebAuthn, section 5.1.10) keeps password managers in step with the server. Unsupported browsers and
// managers ignore it.

type Signal = 'signalUnknownCredential' | 'signalAllAcceptedCredentials' | 'signalCurrentUserDetails'

async function send(signal: Signal, values: Record<string, unknown>): Promise<void> {
  const browser = globalThis.PublicKeyCredential as unknown as
    | Partial<Record<Signal, (values: object) => Promise<void>>>
    | undefined
  try {
    await browser?.[signal]?.(values)
  } catch {
    // Errors have no effect.
  }
}

/** The user handle: the id in base64url. */
const handleOf = ({ id }: User): string =>
  btoa(id)
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/={1,2}$/, '')

/** Reports a passkey that was offered but that the server does not know. */
export const signalUnknown = (rpId: string, credentialId: string): Promise<void> =>
  send('signalUnknownCredential', { rpId, credentialId })

/** Reports all passkeys of the signed-in user: managers hide or delete others. */
export const signalAccepted = (rpId: string, user: User, ids: string[]): Promise<void> =>
  send('signalAllAcceptedCredentials', { rpId, userId: handleOf(user), allAcceptedCredentialIds: ids })

export const signalDetails = (rpId: string, user: User): Promise<void> =>
  send('signalCurrentUserDetails', { rpId, userId: handleOf(user), name: user.email, displayName: user.name })
