import { auth } from '../../lib/api.ts'
import type { User } from '../../lib/auth/endpoints.ts'
import { loadWebAuthn, quietPoint } from './ceremony.ts'

/**
 * The signal API (WebAuthn, section 5.1.10): what password managers show is kept in step with what we accept. Browsers
 * without it, and managers that do not listen, lose nothing.
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
    // Nothing depends on it.
  }
}

/** The server's name for a person among authenticators: the id in base64url. */
const handleOf = ({ id }: User): string => btoa(id).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')

/** A passkey that was offered, and that the server does not know. */
export const signalUnknown = (rpID: string, credentialID: string): Promise<void> =>
  send({ signalName: 'unknownCredential', rpID, credentialID })

/**
 * All passkeys of the person who is signed in: managers hide or delete their others. So the list must be true at the
 * moment it is signalled: it is read for that, and not signalled when a ceremony may have made a passkey meanwhile.
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

/** What the person is called now. */
export const signalDetails = (rpID: string, user: User): Promise<void> =>
  send({
    signalName: 'currentUserDetails',
    rpID,
    userID: handleOf(user),
    userName: user.email,
    userDisplayName: user.name,
  })
