import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { useConfig } from '../lib/api.ts'
import { useContinuation } from '../lib/continuation.ts'
import { cx } from '../lib/cx.ts'
import { usePlace } from '../lib/place.ts'
import { focusedNear, rootOf } from '../lib/root.ts'
import { useTexts } from '../lib/texts/texts.ts'

/** The h1 of a screen: sets the document's title, and takes the focus when the screen changes. */
export function PageTitle({ children }: { children: string }) {
  const { name } = useConfig()
  const ref = useRef<HTMLHeadingElement>(null)
  const place = usePlace()
  // The first screen keeps the browser's focus; later ones take it, so that screen readers read them.
  useEffect(() => {
    const heading = ref.current!
    // A field with autoFocus keeps the focus.
    const focused = focusedNear(heading)
    const taken = focused?.matches('input') && rootOf(heading).contains(focused)
    if (place.visited && !taken) heading.focus()
    place.visited = true
  }, [place])
  // Set by hand: React would add a second <title>.
  useEffect(() => {
    if (!place.page) document.title = `${children} · ${name}`
  }, [place, children, name])
  return (
    <h1 ref={ref} tabIndex={-1} className="title text-2xl font-semibold leading-tight tracking-tight">
      <Words>{children}</Words>
    </h1>
  )
}

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
          <div className="grid min-w-0 gap-1 sm:flex-1">
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

/** The fields of a form in a column of readable width. */
export const formClass = 'grid max-w-md gap-5'

/**
 * Focuses the first empty field of a screen for users with a mouse or a trackpad: on a touch screen a keyboard would cover
 * the page. A component in a page of another product takes no focus.
 */
function useFirstField() {
  const ref = useRef<HTMLDivElement>(null)
  const place = usePlace()
  useEffect(() => {
    const screen = ref.current!
    if (place.page || !matchMedia('(pointer: fine)').matches) return
    if (focusedNear(screen)?.matches('input, select, textarea')) return
    const fields = [...screen.querySelectorAll<HTMLInputElement>(typed)]
    fields.find((field) => !field.value && field.checkVisibility())?.focus({ preventScroll: true })
  }, [place])
  return ref
}

/** Fields for text, not inside of a dialog. */
const typed =
  ':is(input:not([type=hidden], [type=checkbox], [type=radio], [type=file]), textarea):not(:disabled, dialog *)'

/** A signed-out screen: a title, an introduction, a form. */
export function Sheet({ title, intro, children }: { title: string; intro?: ReactNode; children?: ReactNode }) {
  const ref = useFirstField()
  return (
    <div ref={ref} className="grid grid-cols-1 gap-6">
      <div className="sheet-head grid gap-1.5 text-center">
        <PageTitle>{title}</PageTitle>
        {intro && (
          <p className="intro text-balance text-soft">
            <Words>{intro}</Words>
          </p>
        )}
      </div>
      {children}
    </div>
  )
}

/** On a signed-out screen: the link to the sign-in, which keeps the callback. */
export function BackToSignIn() {
  const t = useTexts()
  const { query } = useContinuation()
  return (
    <Link href={`/sign-in${query}`} className="link -my-2.5 inline-flex min-h-10 items-center justify-self-center">
      {t.backToSignIn}
    </Link>
  )
}

/** "or", between alternatives. */
export function Divider({ children }: { children: ReactNode }) {
  return (
    <div className="divider flex items-center gap-3 text-sm text-soft before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      {children}
    </div>
  )
}

const whole = /(\S+@\S+|e-mails?)/i

/** Text in which "e-mail" and addresses do not break at hyphens; an address wider than its line breaks anywhere. */
function Words({ children }: { children: ReactNode }) {
  if (typeof children !== 'string') return children
  return children.split(whole).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text
      <span key={index} className={part.includes('@') ? 'inline-block max-w-full' : 'whitespace-nowrap'}>
        {part}
      </span>
    ),
  )
}
