import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useTexts } from '../lib/texts/texts.ts'
import { IconButton } from './button.tsx'

interface DialogProps {
  open: boolean
  title: ReactNode
  /** It shows what is never shown again: a click beside it does not close it. */
  keep?: boolean
  /** Escape, the backdrop, the cross. Whoever opened it sets `open` to false. */
  onClose(): void
  children: ReactNode
}

/** The browser's own modal: it keeps the focus inside and gives it back to what opened it. */
export function Dialog({ open, title, keep, onClose, children }: DialogProps) {
  const t = useTexts()
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  /** Whether the press began beside the dialog: whoever selects text may let go there. */
  const pressedBeside = useRef(false)
  useEffect(() => {
    const dialog = ref.current
    if (dialog && open && !dialog.open) {
      dialog.showModal()
      // Not on the cross, where the browser would put it: on the first field, or on the way back from a question.
      dialog.querySelector<HTMLElement>(':is(input, select, textarea, form button, [data-first])')?.focus()
    }
    if (!open && dialog?.open) {
      dialog.close()
      // What opened it may be gone, such as the button of a list that was empty: then on to where the screen begins.
      if (document.activeElement === document.body) document.querySelector('h1')?.focus()
    }
  }, [open])
  return (
    // What a table's cells say of their text holds not for the dialogs that are opened in them.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard has Escape
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      onClose={onClose}
      onPointerDown={(event) => {
        pressedBeside.current = event.target === ref.current
      }}
      onClick={(event) => !keep && pressedBeside.current && event.target === ref.current && onClose()}
      className="m-auto w-[min(28rem,calc(100vw-2rem))] rounded-lg border bg-surface text-start text-[0.9375rem] wrap-anywhere shadow-raised backdrop:bg-backdrop"
    >
      {open && (
        <div className="grid grid-cols-1 gap-4 p-5 sm:p-6">
          <div className="flex items-start justify-between gap-4">
            <h2 id={titleId} className="text-lg font-semibold leading-snug">
              {title}
            </h2>
            <IconButton label={t.close} onClick={onClose} className="-my-2 -me-3 text-soft">
              <X aria-hidden size={18} />
            </IconButton>
          </div>
          {children}
        </div>
      )}
    </dialog>
  )
}
