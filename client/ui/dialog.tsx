import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useAddressed } from '../lib/address.ts'
import { rootOf } from '../lib/root.ts'
import { useTexts } from '../lib/texts/texts.ts'
import { useShownOnce } from '../lib/unsaved.ts'
import { Button, type ButtonLook, IconButton } from './button.tsx'
import { Words } from './page.tsx'

interface DialogProps {
  open: boolean
  title: ReactNode
  /** Its content is shown only once: only the button with `data-saved` closes it, and leaving the page asks first. */
  keep?: boolean
  /** Called by Escape, the backdrop and the cross, unless `keep`. The parent sets `open` to false. */
  onClose(): void
  children: ReactNode
}

/** A native modal dialog: it keeps the focus inside and returns it afterwards. */
export function Dialog({ open, title, keep, onClose, children }: DialogProps) {
  const t = useTexts()
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  /** Whether the press began outside: a text selection may end there. */
  const pressedBeside = useRef(false)
  useEffect(() => {
    const dialog = ref.current
    if (dialog && open && !dialog.open) {
      dialog.showModal()
      // The browser would focus the cross. Focus the first field, or the cancel button of a question.
      dialog
        .querySelector<HTMLElement>(':is(input:not([hidden]), select, textarea, form button, [data-first])')
        ?.focus()
    }
    if (!open && dialog?.open) {
      dialog.close()
      // The element that opened the dialog may be removed, such as the button of an empty list: focus the start of the
      // screen.
      if (document.activeElement === document.body) rootOf(dialog).querySelector('h1')?.focus()
    }
  }, [open])
  const kept = open && keep === true
  useShownOnce(kept)
  useEffect(() => {
    const dialog = ref.current
    if (!kept || !dialog) return
    // The field that had the focus is gone.
    if (document.activeElement === document.body) dialog.querySelector('h2')?.focus()
    const toButton = (event: Event) => {
      event.preventDefault()
      dialog.querySelector<HTMLElement>('[data-saved]')?.focus()
    }
    // Browsers let `cancel` be prevented only once in a row. A dialog in front has its own Escape key.
    const onKey = (event: KeyboardEvent) => {
      const inFront = (event.target as Element).closest('dialog') ?? dialog
      if (event.key === 'Escape' && inFront === dialog) toButton(event)
    }
    dialog.addEventListener('cancel', toButton)
    document.addEventListener('keydown', onKey)
    return () => {
      dialog.removeEventListener('cancel', toButton)
      document.removeEventListener('keydown', onKey)
    }
  }, [kept])
  return (
    // The text styles of a table's cells do not apply to the dialogs that are opened in them.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard has Escape
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      // A browser's own gesture may close a kept dialog.
      onClose={() => (kept ? ref.current?.showModal() : onClose())}
      onPointerDown={(event) => {
        pressedBeside.current = event.target === ref.current
      }}
      onClick={(event) => !keep && pressedBeside.current && event.target === ref.current && onClose()}
      className="dialog m-auto w-[min(28rem,calc(100vw-2rem))] rounded-lg border bg-surface text-start text-[0.9375rem] wrap-anywhere shadow-raised backdrop:bg-backdrop"
    >
      {open && (
        <div className="grid grid-cols-1 gap-4 p-5 sm:p-6">
          <div className="flex items-start justify-between gap-4">
            <h2 id={titleId} tabIndex={-1} className="text-lg font-semibold leading-snug outline-none">
              <Words>{title}</Words>
            </h2>
            {!keep && (
              <IconButton label={t.close} onClick={onClose} className="-my-2 -me-3 text-soft">
                <X aria-hidden size={18} />
              </IconButton>
            )}
          </div>
          {children}
        </div>
      )}
    </dialog>
  )
}

interface DialogButtonProps {
  /** The address that opens it: `#id`. */
  id?: string
  label: ReactNode
  /** On a phone, where it is beside a text. Its title names the button. */
  short?: string
  /** Of the dialog; by default the label. */
  title?: ReactNode
  look?: ButtonLook
  className?: string
  children(close: () => void): ReactNode
}

export function DialogButton({ id, label, short, title = label, look, className, children }: DialogButtonProps) {
  const [open, setOpen] = useAddressed(id)
  const close = () => setOpen(false)
  return (
    <>
      <Button
        id={id}
        look={look}
        className={className}
        aria-label={short && typeof title === 'string' ? title : undefined}
        onClick={() => setOpen(true)}
      >
        {short ? (
          <>
            <span className="max-sm:hidden">{label}</span>
            <span className="sm:hidden">{short}</span>
          </>
        ) : (
          label
        )}
      </Button>
      <Dialog open={open} title={title} onClose={close}>
        {children(close)}
      </Dialog>
    </>
  )
}
