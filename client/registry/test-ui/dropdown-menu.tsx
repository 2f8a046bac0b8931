import { type ComponentProps, createContext, type ReactNode, useContext, useState } from 'react'

const Open = createContext<[boolean, (open: boolean) => void]>([false, () => undefined])
const Chosen = createContext<{ value?: string; onValueChange?: (value: string) => void }>({})

export function DropdownMenu({ children }: { children?: ReactNode }) {
  return <Open value={useState(false)}>{children}</Open>
}

export function DropdownMenuTrigger(props: ComponentProps<'button'>) {
  const [isOpen, setOpen] = useContext(Open)
  return (
    <button type="button" aria-haspopup="menu" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} {...props} />
  )
}

export function DropdownMenuContent({
  align,
  className = '',
  ...props
}: ComponentProps<'div'> & { align?: 'start' | 'center' | 'end' }) {
  const [isOpen] = useContext(Open)
  if (!isOpen) return null
  return (
    <div
      role="menu"
      data-align={align}
      {...props}
      className={`absolute rounded-md border bg-popover p-1 ${className}`}
    />
  )
}

export const DropdownMenuGroup = (props: ComponentProps<'div'>) => <div {...props} />
export const DropdownMenuLabel = (props: ComponentProps<'div'>) => <div {...props} className="px-2 py-1.5" />
export const DropdownMenuSeparator = () => <hr className="my-1" />

function useChoice(action: (() => void) | undefined) {
  const [, setOpen] = useContext(Open)
  return () => {
    setOpen(false)
    action?.()
  }
}

interface ItemProps {
  onClick?(): void
  children?: ReactNode
}

export function DropdownMenuItem({ onClick, children }: ItemProps) {
  return (
    <button type="button" role="menuitem" onClick={useChoice(onClick)} className="block w-full px-2 py-1.5 text-start">
      {children}
    </button>
  )
}

export function DropdownMenuRadioGroup({
  children,
  ...choice
}: {
  children?: ReactNode
  value?: string
  onValueChange?: (value: string) => void
}) {
  return <Chosen value={choice}>{children}</Chosen>
}

export function DropdownMenuRadioItem({ value, children }: { value: string; children?: ReactNode }) {
  const chosen = useContext(Chosen)
  return (
    <button
      type="button"
      role="menuitemradio"
      aria-checked={chosen.value === value}
      onClick={useChoice(() => chosen.onValueChange?.(value))}
      className="block w-full px-2 py-1.5 text-start"
    >
      {children}
    </button>
  )
}
