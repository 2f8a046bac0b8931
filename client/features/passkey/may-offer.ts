import { useEffect, useState } from 'react'
import { useConfig, useMember } from '../../lib/api.ts'
import { lastUsed } from '../../lib/last-used.ts'
import { remembered } from '../../lib/store.ts'

const pause = 30 * 24 * 60 * 60_000
/** How long (ms) after the sign-in the offer is made. */
const recent = 10 * 60_000

export const memoryOfOffer = (userId: string) => `passkeyOffer:${userId}`

const wasOffered = (userId: string): boolean => Date.now() - Number(remembered.get(memoryOfOffer(userId)) ?? 0) < pause

/** How long (ms) after the sign-in browsers know of its password, and the session needs no confirmation. */
const atOnce = 2 * 60_000

const canUpgrade = async (): Promise<boolean> => {
  const browser = globalThis.PublicKeyCredential as unknown as
    | { getClientCapabilities?(): Promise<Record<string, boolean>> }
    | undefined
  return (await browser?.getClientCapabilities?.())?.conditionalCreate === true
}

/** Tries once for a session to create a passkey without a question, and after a success never again in this browser. */
async function upgraded(userId: string, sessionId: string): Promise<boolean> {
  const key = `passkeyUpgrade:${userId}`
  const before = remembered.get(key)
  if (before === 'done' || before === sessionId || !(await canUpgrade())) return false
  remembered.set(key, sessionId)
  const { upgrade } = await import('./upgrade.ts')
  if (!(await upgrade())) return false
  remembered.set(key, 'done')
  return true
}

/**
 * Whether a passkey was made without a question, or whether to offer one: after a sign-in with a password, if the device supports it and the browser cannot create one
 * without a question. It is repeated after 30 days.
 */
export function usePasskeyOffer(): { due: 'offer' | 'made' | null; end(): void } {
  const { features, passkey } = useConfig()
  const { session, user } = useMember()
  const [due, setDue] = useState<'offer' | 'made' | null>(null)
  useEffect(() => {
    const age = Date.now() - session.createdAt.getTime()
    if (!features.passkey || session.impersonatedBy || lastUsed.get() !== 'password' || age >= recent) return
    const begin = async () => {
      if (passkey?.automatic && age < atOnce && (await upgraded(user.id, session.id))) return setDue('made')
      if (wasOffered(user.id)) return
      if (await globalThis.PublicKeyCredential?.isUserVerifyingPlatformAuthenticatorAvailable()) setDue('offer')
    }
    void begin()
  }, [features.passkey, passkey?.automatic, session, user.id])
  return { due, end: () => setDue(null) }
}
