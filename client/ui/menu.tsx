import { MoreHorizontal } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'
import { Link } from 'wouter'
import { cx } from '../lib/cx.ts'

interface MenuProps {
  /** The content of the button. @default three dots */
  button?: ReactNode
  /** The accessible name of a button with an icon only. */
  label?: string
  buttonClassName?: string
  /** The edge that menu and button share. */
  from?: 'start' | 'end'
  children: ReactNode
}

/** A native popover with links and buttons. Escape and an outside click close it; arrow keys move the focus. */
export function Menu({
  button = <MoreHorizontal aria-hidden size={18} />,
  label,
  buttonClassName,
  from = 'end',
  children,
}: MenuProps) {
  const id = useId()
  const ref = useRef<HTMLDivElement>(null)

  function walk(event: KeyboardEvent) {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    // In a select or a radio button the arrow keys change the value.
    if (step === 0 || (event.target as HTMLElement).matches('select, [type=radio]')) return
    event.preventDefault()
    const items = [...(ref.current?.querySelectorAll<HTMLElement>('a, button, input, select') ?? [])]
    const at = items.indexOf(document.activeElement as HTMLElement)
    items.at(at === -1 && step === -1 ? -1 : (at + step) % items.length)?.focus()
  }

  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        className={cx(
          'inline-flex min-h-10 min-w-10 items-center justify-center gap-2 rounded px-2 hover:bg-sunken',
          buttonClassName,
        )}
      >
        {label && <span className="sr-only">{label}</span>}
        {button}
      </button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrows are an extra; every item can be reached by Tab */}
      <div
        ref={ref}
        id={id}
        popover="auto"
        onKeyDown={walk}
        onClick={(event) => {
          const item = (event.target as HTMLElement).closest('a, button')
          if (item && !item.hasAttribute('data-stay')) ref.current?.hidePopover()
        }}
        className={cx(
          'menu hanging w-max min-w-56 max-w-[min(20rem,calc(100vw-1rem))] rounded-lg border bg-surface p-1.5 shadow-raised',
          // In a narrow window the menu is centred.
          from === 'start' &&
            '[position-area:block-end_span-inline-end] max-sm:justify-self-center max-sm:[position-area:block-end_span-all]',
        )}
      >
        {children}
      </div>
    </>
  )
}

const itemClass =
  'menu-item flex min-h-10 w-full min-w-0 items-center gap-2.5 rounded px-2.5 py-1.5 text-start hover:bg-sunken'

export function MenuLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link href={to} className={itemClass}>
      {children}
    </Link>
  )
}

interface MenuButtonProps {
  onClick(): void
  danger?: boolean
  children: ReactNode
}

export function MenuButton({ onClick, danger, children }: MenuButtonProps) {
  return (
    <button type="button" onClick={onClick} className={cx(itemClass, danger && 'text-danger')}>
      {children}
    </button>
  )
}

export const MenuLine = () => <hr className="-mx-1.5 my-1.5" />
