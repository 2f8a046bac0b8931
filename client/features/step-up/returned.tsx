import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { auth, useMember } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { IconButton } from '../../ui/button.tsx'
import { Note } from '../../ui/state.tsx'
import { forget, readKept, restore } from './stored-input.ts'
import { stepUpTexts } from './texts.ts'

/** Removes the error of a failed attempt from the address; the note shows it. */
function takeError(): void {
  const url = new URL(location.href)
  for (const name of ['error', 'error_description']) url.searchParams.delete(name)
  history.replaceState(history.state, '', url.pathname + url.search + url.hash)
}

/** After a step-up at a provider: its result, the button to press again, and the restored input. */
export default function Returned() {
  const t = useTexts(stepUpTexts)
  const { user } = useMember()
  const [kept] = useState(() => readKept('step-up', user.id))
  const [fresh, setFresh] = useState<boolean | null>(null)
  useEffect(() => {
    forget('step-up')
    if (!kept) return
    takeError()
    let here = true
    // The Back button also leads here: only the server knows the result.
    void auth.stepUp.methods().then(({ data }) => here && setFresh(data?.fresh === true))
    const end = restore(kept.forms)
    return () => {
      here = false
      end()
    }
  }, [kept])
  if (!kept || fresh === null) return null
  return (
    // The page may be scrolled to the part that its address names.
    <div className="sticky top-3 z-10 mb-6 rounded bg-surface shadow-raised">
      <Note tone={fresh ? 'success' : 'warning'} live>
        <div className="flex items-start justify-between gap-3">
          <p>
            {fresh ? t.confirmed : t.notConfirmed} {kept.pressed ? t.again(kept.pressed) : t.againUnnamed}{' '}
            {kept.typed && t.kept}
          </p>
          <IconButton label={t.close} onClick={() => setFresh(null)} className="-my-2 -me-3 text-soft">
            <X aria-hidden size={18} />
          </IconButton>
        </div>
      </Note>
    </div>
  )
}
