import { auth } from '../../lib/api.ts'
import type { User } from '../../lib/auth/endpoints.ts'
import { loadWebAuthn, quietPoint } from './ceremony.ts'

/**
 * The signal API (WebAuthn, section 5.1.10) keeps password managers in step with the server. Unsupported browsers and
 * managers ignore it.
 */
type Signal = Parameters<Awaited<ReturnType<typeof loadWebAuthn>>['sendSignal']>[0]

const methods = {
  unknownCredential: 'signalUnknownCredential',
  allAcceptedCredentials: 'signalAllAcceptedCredentials',
  currentUserDetails: 'signalCurrentUserDetails',
} as const

async function send(signal: Signal): Promise<void> {
  if (!globalThis.PublicKeyCredential || !(methods[signal.signalName] in PublicKeyCredential)) return
  try {
    const { sendSignal } = await loadWebAuthn()
    await sendSignal(signal)
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
export const signalUnknown = (rpID: string, credentialID: string): Promise<void> =>
  send({ signalName: 'unknownCredential', rpID, credentialID })

/**
 * Reports all passkeys of the signed-in user: managers hide or delete others. The list is read for this purpose, and
 * not reported if a ceremony may have created a passkey since.
 */
export async function signalAccepted(rpID: string, user: User): Promise<void> {
  await loadWebAuthn()
  const before = quietPoint()
  const { data } = await auth.passkey.listUserPasskeys()
  if (!data || before === null || before !== quietPoint()) return
  await send({
    signalName: 'allAcceptedCredentials',
    rpID,
    userID: handleOf(user),
    allAcceptedCredentialIDs: data.map(({ credentialID }) => credentialID),
  })
}

export const signalDetails = (rpID: string, user: User): Promise<void> =>
  send({
    signalName: 'currentUserDetails',
    rpID,
    userID: handleOf(user),
    userName: user.email,
    userDisplayName: user.name,
  })
