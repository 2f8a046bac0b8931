import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'wouter'
import { cx } from '../lib/cx.ts'

export type ButtonLook = 'primary' | 'secondary' | 'quiet' | 'danger' | 'destroy'

const looks: Record<ButtonLook, string> = {
  primary: 'bg-accent-fill text-on-fill border-transparent shadow-faint hover:bg-accent-fill-strong',
  secondary: 'bg-surface text-ink shadow-faint hover:bg-sunken',
  quiet: 'border-transparent text-ink hover:bg-sunken',
  // Opens a question; only the button that confirms it is solid.
  danger: 'bg-surface text-danger shadow-faint hover:bg-danger-wash',
  destroy: 'bg-danger-fill text-on-fill border-transparent shadow-faint hover:bg-danger-fill-strong',
}

export const buttonClass = (look: ButtonLook = 'secondary', wide = false): string =>
  cx(
    `button button-${look}`,
    'relative inline-flex min-h-10 max-w-full items-center justify-center gap-2 rounded border px-4 py-1.5 text-center font-medium no-underline',
    'aria-disabled:cursor-default aria-disabled:opacity-60 disabled:cursor-default disabled:opacity-60',
    looks[look],
    // A wide button takes the width of its column, which a long word must not widen.
    wide ? 'w-full wrap-anywhere' : 'wrap-break-word',
  )

interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled'> {
  look?: ButtonLook
  wide?: boolean
  /** An operation is running: the button shows it, keeps the focus and ignores clicks. */
  busy?: boolean
  disabled?: boolean
}

/** `type` is "button" by default. A disabled button keeps the focus. */
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
  /** Stored in the history entry, not in the address. */
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

/** A button with an icon only; `label` is its accessible name. */
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
