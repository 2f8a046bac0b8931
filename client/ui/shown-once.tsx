import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { CopyButton } from './small.tsx'

/** What is shown only once, such as a new key. */
export interface Shown {
  title: string
  intro: ReactNode
  /** `copy` is the label of the button that copies the text. */
  values: readonly { label: string; text: string; copy: string }[]
  /** The label of the button that closes the dialog. */
  done: string
}

/** A dialog with a secret: Escape, a click beside it and the way back do not close it. */
export function ShownOnce({ shown, onClose }: { shown: Shown | null; onClose(): void }) {
  return (
    <Dialog open={shown !== null} title={shown?.title ?? ''} keep onClose={onClose}>
      {shown && <Values shown={shown} saved={onClose} />}
    </Dialog>
  )
}

interface CreateDialogProps<Created> {
  open: boolean
  title: string
  /** The form that creates. */
  form(done: (created: Created) => void, cancel: () => void): ReactNode
  shownOf(created: Created): Shown
  /** Something was created. */
  created(): void
  onClose(): void
}

/**
 * A dialog that creates something and then shows its secret once. Place it outside the list of what it creates, because a
 * refresh of the list would remove it.
 */
export function CreateDialog<Created>(props: CreateDialogProps<Created>) {
  const { open, title, form, shownOf, created, onClose } = props
  const [shown, setShown] = useState<Shown | null>(null)
  const close = () => {
    setShown(null)
    onClose()
  }
  const done = (result: Created) => {
    setShown(shownOf(result))
    created()
  }
  return (
    <Dialog open={open} title={shown?.title ?? title} keep={shown !== null} onClose={close}>
      {shown ? <Values shown={shown} saved={close} /> : open && form(done, close)}
    </Dialog>
  )
}

function Values({ shown: { intro, values, done }, saved }: { shown: Shown; saved(): void }) {
  return (
    <div className="grid gap-5">
      <p>{intro}</p>
      {values.map(({ label, text, copy }) => (
        <div key={label} className="grid gap-2">
          <p className="font-medium">{label}</p>
          <code dir="ltr" className="block rounded border bg-sunken p-3 text-start text-sm break-all select-all">
            {text}
          </code>
          <div>
            <CopyButton text={text}>{copy}</CopyButton>
          </div>
        </div>
      ))}
      <Button data-saved look="primary" className="sm:justify-self-end" onClick={saved}>
        {done}
      </Button>
    </div>
  )
}
