import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useMember } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { IconButton } from '../../ui/button.tsx'
import { Note } from '../../ui/state.tsx'
import { forget, readKept, restore } from './stored-input.ts'
import { stepUpTexts } from './texts.ts'

/** After the session has ended and the same user has signed in again: restores the typed text, once. */
export default function KeptInput() {
  const t = useTexts(stepUpTexts)
  const { user } = useMember()
  const [kept] = useState(() => readKept('session-end', user.id))
  const [isShown, setShown] = useState(kept !== null)
  useEffect(() => {
    forget('session-end')
    if (kept) return restore(kept.forms)
  }, [kept])
  if (!isShown) return null
  return (
    <div className="mb-6">
      <Note live>
        <div className="flex items-start justify-between gap-3">
          <p>{t.keptTyped}</p>
          <IconButton label={t.close} onClick={() => setShown(false)} className="-my-2 -me-3 text-soft">
            <X aria-hidden size={18} />
          </IconButton>
        </div>
      </Note>
    </div>
  )
}
