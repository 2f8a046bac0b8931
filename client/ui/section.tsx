import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'
import { Words } from './page.tsx'

/** A part of a page on its own sheet. An `id` makes it a link target: `/account/security#sessions`. */
export function Section({
  id,
  title,
  intro,
  danger,
  action,
  children,
}: {
  id?: string
  title?: string
  intro?: ReactNode
  danger?: boolean
  /** At the end of the head. */
  action?: ReactNode
  children: ReactNode
}) {
  return (
    <section
      id={id}
      className={cx(
        'section grid scroll-mt-6 grid-cols-1 gap-5 rounded-lg border bg-surface p-(--pad) shadow-faint [--pad:1.25rem] sm:[--pad:1.5rem]',
        danger && 'border-danger/40',
      )}
    >
      {(title || intro) && (
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
          <div className="grid min-w-0 gap-1 sm:grow sm:basis-48">
            {title && (
              <h2 tabIndex={-1} className="section-title text-base font-semibold outline-none">
                {title}
              </h2>
            )}
            {intro && (
              <p className="max-w-prose text-pretty text-soft">
                <Words>{intro}</Words>
              </p>
            )}
          </div>
          {action}
        </div>
      )}
      {children}
    </section>
  )
}
