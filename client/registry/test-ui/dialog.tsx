import { type ComponentProps, createContext, type ReactNode, useContext, useEffect, useId, useRef } from 'react'

interface State {
  open: boolean
  onOpenChange(open: boolean): void
  id: string
}
const Context = createContext<State | null>(null)
const useDialog = () => useContext(Context)!

export function Dialog({ children, ...state }: { children?: ReactNode } & Pick<State, 'open' | 'onOpenChange'>) {
  return <Context value={{ ...state, id: useId() }}>{children}</Context>
}

export function DialogContent({ children }: { children?: ReactNode }) {
  const { open, onOpenChange, id } = useDialog()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (open) dialog.current?.showModal()
  }, [open])
  if (!open) return null
  return (
    <dialog
      ref={dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onClose={() => onOpenChange(false)}
      className="m-auto w-full max-w-md rounded-lg border bg-background p-6 text-foreground"
    >
      <div className="grid gap-4">{children}</div>
    </dialog>
  )
}

export const DialogHeader = (props: ComponentProps<'div'>) => <div {...props} className="grid gap-2" />
export const DialogTitle = (props: ComponentProps<'h2'>) => (
  <h2 {...props} id={`${useDialog().id}-title`} className="font-semibold" />
)
export const DialogDescription = (props: ComponentProps<'p'>) => (
  <p {...props} id={`${useDialog().id}-text`} className="text-muted-foreground text-sm" />
)
