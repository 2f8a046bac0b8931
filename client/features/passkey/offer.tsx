import { useEffect, useState } from 'react'
import { useConfig, useMember } from '../../lib/api.ts'
import { lastUsed } from '../../lib/last-used.ts'
import { usePasskeys } from '../../lib/queries.ts'
import { remembered } from '../../lib/store.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { AddPasskey } from './add.tsx'
import { passkeyTexts } from './texts.ts'

const pause = 30 * 24 * 60 * 60_000
/** How long (ms) after the sign-in the offer is made. */
const recent = 10 * 60_000

const memory = (userId: string) => `passkeyOffer:${userId}`

const wasOffered = (userId: string): boolean => Date.now() - Number(remembered.get(memory(userId)) ?? 0) < pause

/**
 * Offers a passkey after a sign-in with a password, if the device supports it and the user has none. It is repeated
 * after 30 days.
 */
export default function PasskeyOffer() {
  const { features } = useConfig()
  const { session, user } = useMember()
  const [offering, setOffering] = useState(false)
  useEffect(() => {
    const justCame = Date.now() - session.createdAt.getTime() < recent
    if (!features.passkey || session.impersonatedBy || lastUsed.get() !== 'password' || !justCame) return
    if (wasOffered(user.id)) return
    const device = globalThis.PublicKeyCredential?.isUserVerifyingPlatformAuthenticatorAvailable()
    void device?.then((able) => setOffering(able))
  }, [features.passkey, session, user.id])
  return offering ? <Offer userId={user.id} onClose={() => setOffering(false)} /> : null
}

function Offer({ userId, onClose }: { userId: string; onClose(): void }) {
  const t = useTexts(passkeyTexts)
  const passkeys = usePasskeys()
  const none = passkeys.data?.length === 0
  const [shown, setShown] = useState(false)
  const [made, setMade] = useState(false)
  useEffect(() => {
    if (!none) return
    setShown(true)
    remembered.set(memory(userId), String(Date.now()))
  }, [none, userId])
  // It stays while the new passkey is named, and disappears when one was added elsewhere.
  if (!shown || !(none || made)) return null
  return (
    // It appears over the end of the page, so that the page does not move.
    <aside
      aria-label={t.offerLabel}
      className="over-the-end fixed inset-x-0 bottom-0 z-20 grid gap-3 border-t bg-surface p-4 shadow-raised sm:start-auto sm:end-4 sm:bottom-4 sm:w-96 sm:rounded-lg sm:border"
    >
      <p>{t.offer}</p>
      <div className="flex flex-wrap items-end gap-3">
        <AddPasskey onMade={() => setMade(true)} onAdded={onClose} />
        <Button look="quiet" onClick={onClose}>
          {t.later}
        </Button>
      </div>
    </aside>
  )
}
