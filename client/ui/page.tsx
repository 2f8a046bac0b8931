import { type ReactNode, useEffect, useRef } from 'react'
import { useConfig } from '../lib/api.ts'
import { cx } from '../lib/cx.ts'
import { Words } from './words.tsx'

// The first screen of a visit keeps the browser's own focus; every later one takes it, so that it is read out.
let visited = false

/** The one h1 of a screen: names the document too, and takes the focus when the screen changes. */
export function PageTitle({ children, hidden }: { children: string; hidden?: boolean }) {
  const { name } = useConfig()
  const ref = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // A field that asked for the focus (autoFocus) has it by now and keeps it.
    const taken = document.activeElement?.matches('main input')
    if (visited && !taken) ref.current?.focus()
    visited = true
  }, [])
  // Set by hand, because React would put a second <title> behind the one of index.html.
  useEffect(() => {
    document.title = `${children} · ${name}`
  }, [children, name])
  return (
    <h1
      ref={ref}
      tabIndex={-1}
      className={cx('text-2xl font-semibold leading-tight tracking-tight', hidden && 'sr-only')}
    >
      <Words>{children}</Words>
    </h1>
  )
}

/** A part of a page, on its own sheet of paper. One with an `id` can be linked to: `/account/security#sessions`. */
export function Section({
  id,
  title,
  intro,
  danger,
  children,
}: {
  id?: string
  title?: string
  intro?: ReactNode
  danger?: boolean
  children: ReactNode
}) {
  return (
    <section
      id={id}
      className={cx(
        'grid scroll-mt-6 grid-cols-1 gap-5 rounded-lg border bg-surface p-(--pad) shadow-faint [--pad:1.25rem] sm:[--pad:1.5rem]',
        danger && 'border-danger/40',
      )}
    >
      {(title || intro) && (
        <div className="grid gap-1">
          {title && (
            <h2 tabIndex={-1} className="text-base font-semibold outline-none">
              {title}
            </h2>
          )}
          {intro && (
            <p className="max-w-prose text-pretty text-soft">
              <Words>{intro}</Words>
            </p>
          )}
        </div>
      )}
      {children}
    </section>
  )
}

/** The fields of a form under each other, no wider than is comfortable to read. */
export const formClass = 'grid max-w-md gap-5'

/** A signed-out screen: title, a sentence, a form. */
export function Sheet({ title, intro, children }: { title: string; intro?: ReactNode; children: ReactNode }) {
  return (
    <div className="grid grid-cols-1 gap-6">
      <div className="grid gap-1.5 text-center">
        <PageTitle>{title}</PageTitle>
        {intro && (
          <p className="text-balance text-soft">
            <Words>{intro}</Words>
          </p>
        )}
      </div>
      {children}
    </div>
  )
}

/** "or", between two ways to do the same. */
export function Divider({ children }: { children: ReactNode }) {
  return (
    <div className="flex items-center gap-3 text-sm text-soft before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      {children}
    </div>
  )
}
