import { useEffect, useRef, useState } from 'react'
import { useMember } from '../../lib/api.ts'
import { usePasskeys } from '../../lib/queries.ts'
import { remembered } from '../../lib/store.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toasts.tsx'
import { AddPasskey } from './add.tsx'
import { memoryOfOffer } from './may-offer.ts'
import { passkeyTexts } from './texts.ts'

/** Says that the browser has made a passkey, or offers one to a user who has none. */
export default function PasskeyOffer({ made, onClose }: { made: boolean; onClose(): void }) {
  const t = useTexts(passkeyTexts)
  const close = useRef(onClose)
  close.current = onClose
  useEffect(() => {
    if (!made) return
    toast(t.made)
    close.current()
  }, [made, t])
  return made ? null : <Offer onClose={onClose} />
}

function Offer({ onClose }: { onClose(): void }) {
  const userId = useMember().user.id
  const t = useTexts(passkeyTexts)
  const passkeys = usePasskeys()
  const none = passkeys.data?.length === 0
  const [shown, setShown] = useState(false)
  const [made, setMade] = useState(false)
  useEffect(() => {
    if (!none) return
    setShown(true)
    remembered.set(memoryOfOffer(userId), String(Date.now()))
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
