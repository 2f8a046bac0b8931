import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'wouter'
import { cx } from '../lib/cx.ts'

export type ButtonLook = 'primary' | 'secondary' | 'quiet' | 'danger' | 'destroy'

const looks: Record<ButtonLook, string> = {
  primary: 'bg-accent-fill text-on-fill border-transparent shadow-faint hover:bg-accent-fill-strong',
  secondary: 'bg-surface text-ink shadow-faint hover:bg-sunken',
  quiet: 'border-transparent text-ink hover:bg-sunken',
  // Leads to a question; only the button that answers it is solid.
  danger: 'bg-surface text-danger shadow-faint hover:bg-danger-wash',
  destroy: 'bg-danger-fill text-on-fill border-transparent shadow-faint hover:bg-danger-fill-strong',
}

export const buttonClass = (look: ButtonLook = 'secondary', wide = false): string =>
  cx(
    'relative inline-flex min-h-10 max-w-full items-center justify-center gap-2 rounded border px-4 py-1.5 text-center font-medium wrap-break-word no-underline',
    'aria-disabled:cursor-default aria-disabled:opacity-60',
    looks[look],
    wide && 'w-full',
  )

interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled'> {
  look?: ButtonLook
  wide?: boolean
  /** Something is under way: the button shows it, keeps the focus and does nothing. */
  busy?: boolean
  disabled?: boolean
}

/** `type` is "button" unless it says otherwise. A disabled one keeps the focus, so that nobody loses their place. */
export function Button(props: ButtonProps) {
  const { look, wide, busy, disabled, className, onClick, type = 'button', children, ...rest } = props
  const off = busy || disabled
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={off || undefined}
      aria-busy={busy || undefined}
      onClick={(event) => (off ? event.preventDefault() : onClick?.(event))}
      className={cx(buttonClass(look, wide), className)}
    >
      {busy && <Spinner />}
      {children}
    </button>
  )
}

function Spinner() {
  return (
    <span
      aria-hidden
      className="size-4 flex-none rounded-full border-2 border-current border-e-transparent motion-safe:animate-spin"
    />
  )
}

/** A link that looks like a button: it goes somewhere, a button does something. */
export function ButtonLink({
  to,
  look,
  wide,
  state,
  onClick,
  children,
}: {
  to: string
  look?: ButtonLook
  wide?: boolean
  /** Kept with the history entry, and so out of the address. */
  state?: unknown
  onClick?(): void
  children: ReactNode
}) {
  return (
    <Link href={to} state={state} onClick={onClick} className={buttonClass(look, wide)}>
      {children}
    </Link>
  )
}

/** A button that is only a picture; `label` is its name, for everybody. */
export function IconButton({ label, children, className, ...rest }: ComponentProps<'button'> & { label: string }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={cx(
        'inline-flex size-10 flex-none items-center justify-center rounded text-ink hover:bg-sunken',
        className,
      )}
    >
      {children}
    </button>
  )
}
