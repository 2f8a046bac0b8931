import { defineTexts, useTexts } from '../lib/texts/texts.ts'
import { leaving } from '../lib/unsaved.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'

const unsavedTexts = defineTexts('unsavedChanges', {
  unsavedTitle: 'Discard your changes?',
  unsaved: 'You have changes that are not saved.',
  discard: 'Discard changes',
  keepEditing: 'Keep editing',
  secretTitle: 'Have you saved it?',
  secret: 'This page shows something that is not shown again.',
  stay: 'Stay here',
  leave: 'Leave',
})

/** Asks before a navigation that would lose unsaved input. */
export function UnsavedChanges() {
  const t = useTexts(unsavedTexts)
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
