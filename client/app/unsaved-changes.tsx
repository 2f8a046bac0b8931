import { useTexts } from '../lib/texts/texts.ts'
import { leaving } from '../lib/unsaved.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'

/** Asks before something typed is lost. */
export function UnsavedChanges() {
  const t = useTexts()
  const waiting = leaving.use()
  const stay = () => leaving.set(null)
  return (
    <Dialog open={waiting !== null} title={t.unsavedTitle} onClose={stay}>
      <p>{t.unsaved}</p>
      <div className="flex flex-wrap-reverse justify-end gap-3 max-sm:*:grow">
        <Button data-first onClick={stay}>
          {t.keepEditing}
        </Button>
        <Button look="destroy" onClick={() => waiting?.go()}>
          {t.discard}
        </Button>
      </div>
    </Dialog>
  )
}
