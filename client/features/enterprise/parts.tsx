import { Check, ChevronDown } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { cx } from '../../lib/cx.ts'
import { Section } from '../../ui/section.tsx'
import { CopyButton } from '../../ui/small.tsx'
import { useManager } from './manager.ts'

/** A part of a page: on its own sheet in the settings, between lines on the narrow sheet of a set-up link. */
export function Part(props: {
  id?: string
  title: string
  intro?: ReactNode
  action?: ReactNode
  children: ReactNode
}) {
  const { organizationId } = useManager()
  if (organizationId !== null) return <Section {...props} />
  const { id, title, intro, action, children } = props
  return (
    <section id={id} className="grid grid-cols-1 gap-5 border-t pt-6">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="grid min-w-0 gap-1 sm:flex-1">
          <h2 className="text-base font-semibold">{title}</h2>
          {intro && <p className="text-pretty text-soft">{intro}</p>}
        </div>
        {action}
      </div>
      {children}
    </section>
  )
}

/** The steps of a walk-through, on one sheet. */
export function StepList({ children }: { children: ReactNode }) {
  const { organizationId } = useManager()
  const steps = <ol className="grid grid-cols-1 divide-y">{children}</ol>
  return organizationId === null ? <div className="border-y py-3">{steps}</div> : <Section>{steps}</Section>
}

interface StepProps {
  title: string
  /** A word for it, or false. */
  done: string | false
  open: boolean
  disabled: boolean
  onToggle(): void
  children: ReactNode
}

export function Step({ title, done, open, disabled, onToggle, children }: StepProps) {
  const id = useId()
  const head = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(open)
  // The step that opens takes the focus: the button that opened it may have gone.
  useEffect(() => {
    if (open && !wasOpen.current) head.current?.focus()
    wasOpen.current = open
  }, [open])
  return (
    <li className="grid grid-cols-1 gap-5 py-3 first:pt-0 last:pb-0">
      <h2>
        <button
          ref={head}
          type="button"
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          disabled={disabled}
          onClick={onToggle}
          className={cx(
            '-mx-2 flex min-h-10 w-[calc(100%+1rem)] items-center gap-3 rounded px-2 text-start font-semibold',
            disabled ? 'text-soft' : 'hover:bg-sunken',
          )}
        >
          <span className="min-w-0 flex-1">{title}</span>
          {done && (
            <span className="flex flex-none items-center gap-1 text-sm font-normal text-success">
              <Check aria-hidden size={16} />
              {done}
            </span>
          )}
          <ChevronDown aria-hidden size={17} className={cx('flex-none text-soft', open && 'rotate-180')} />
        </button>
      </h2>
      {open && (
        <div id={id} className="grid grid-cols-1 gap-5 pb-3">
          {children}
        </div>
      )}
    </li>
  )
}

/** A value to copy. The label may be the word of another product. */
export function Copyable({ label, text, isLong = false }: { label: string; text: string; isLong?: boolean }) {
  return (
    <div className="grid gap-1.5">
      <p className="text-sm font-medium">
        <bdi>{label}</bdi>
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <code
          dir="ltr"
          className="min-w-0 flex-1 basis-52 rounded border bg-sunken px-3 py-2 text-start text-sm break-all select-all"
        >
          {isLong ? <span className="line-clamp-2">{text}</span> : text}
        </code>
        <CopyButton text={text} />
      </div>
    </div>
  )
}
