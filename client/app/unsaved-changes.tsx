import { useTexts } from '../lib/texts/texts.ts'
import { leaving } from '../lib/unsaved.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'

/** Asks before a navigation that would lose unsaved input. */
export function UnsavedChanges() {
  const t = useTexts()
  const waiting = leaving.use()
  const stay = () => leaving.set(null)
  return (
    <Dialog open={waiting !== null} title={waiting?.secret ? t.secretTitle : t.unsavedTitle} onClose={stay}>
      <p>{waiting?.secret ? t.secret : t.unsaved}</p>
      <div className="flex flex-wrap-reverse justify-end gap-3 max-sm:*:grow">
        <Button data-first onClick={stay}>
          {waiting?.secret ? t.stay : t.keepEditing}
        </Button>
        <Button look="destroy" onClick={() => waiting?.go()}>
          {waiting?.secret ? t.leave : t.discard}
        </Button>
      </div>
    </Dialog>
  )
}
