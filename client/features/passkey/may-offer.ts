import { useEffect, useState } from 'react'
import { useConfig, useMember } from '../../lib/api.ts'
import { lastUsed } from '../../lib/last-used.ts'
import { remembered } from '../../lib/store.ts'

const pause = 30 * 24 * 60 * 60_000
/** How long (ms) after the sign-in the offer is made. */
const recent = 10 * 60_000

export const memoryOfOffer = (userId: string) => `passkeyOffer:${userId}`

const wasOffered = (userId: string): boolean => Date.now() - Number(remembered.get(memoryOfOffer(userId)) ?? 0) < pause

/** Whether to offer a passkey: after a sign-in with a password, if the device supports it. It is repeated after 30 days. */
export function usePasskeyOffer(): { due: boolean; end(): void } {
  const { features } = useConfig()
  const { session, user } = useMember()
  const [due, setDue] = useState(false)
  useEffect(() => {
    const justCame = Date.now() - session.createdAt.getTime() < recent
    if (!features.passkey || session.impersonatedBy || lastUsed.get() !== 'password' || !justCame) return
    if (wasOffered(user.id)) return
    const device = globalThis.PublicKeyCredential?.isUserVerifyingPlatformAuthenticatorAvailable()
    void device?.then((able) => setDue(able))
  }, [features.passkey, session, user.id])
  return { due, end: () => setDue(false) }
}
