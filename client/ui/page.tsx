import { Fragment, type ReactNode, type Ref, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { useConfig } from '../lib/api.ts'
import { useContinuation } from '../lib/continuation.ts'
import { usePlace } from '../lib/place.ts'
import { focusedNear, rootOf } from '../lib/root.ts'
import { useTexts } from '../lib/texts/texts.ts'

/**
 * The h1 of a screen: sets the document's title, and takes the focus when the screen changes.
 * @param visitor the first empty field or known account takes it instead, for users with a mouse or a trackpad: on a touch screen a keyboard
 *   would cover the page
 */
export function PageTitle({ children, visitor }: { children: string; visitor?: boolean }) {
  const { name } = useConfig()
  const ref = useRef<HTMLHeadingElement>(null)
  const place = usePlace()
  // The first screen keeps the browser's focus; later ones take it, so that screen readers read them.
  useEffect(() => {
    const heading = ref.current!
    // A field with autoFocus keeps the focus. A component in a page of another product takes none, nor does a preview of the
    // brand: its frame loads while the user types in the form beside it.
    const focused = focusedNear(heading)
    if (!(focused?.matches('input') && rootOf(heading).contains(focused))) {
      const fields = visitor && !place.page && self === top && matchMedia('(pointer: fine)').matches ? '[name]' : '_'
      const field = [...rootOf(heading).querySelectorAll<HTMLInputElement>(fields)].find(
        (one) => one.value === '' && one.checkVisibility(),
      )
      if (field) field.focus()
      else if (place.visited) heading.focus()
    }
    place.visited = true
  }, [place, visitor])
  // Set by hand: React would add a second <title>.
  useEffect(() => {
    if (place.page) return
    document.title = `${children} · ${name}`
    // The screen of the Worker has become the app.
    delete document.documentElement.dataset.prerendered
  }, [place, children, name])
  return <Heading ref={ref}>{children}</Heading>
}

export const Heading = ({ ref, children }: { ref?: Ref<HTMLHeadingElement>; children: string }) => (
  <h1 ref={ref} tabIndex={-1} className="title text-2xl font-semibold leading-tight tracking-tight">
    <Words>{children}</Words>
  </h1>
)

/** The fields of a form in a column of readable width. */
export const formClass = 'grid max-w-md gap-5'

/** A signed-out screen: a title, an introduction, a form. */
export function Sheet({
  above,
  title,
  intro,
  children,
}: {
  /** A picture above the title. */
  above?: ReactNode
  title: string
  intro?: ReactNode
  children?: ReactNode
}) {
  return (
    <div className="grid grid-cols-1 gap-6">
      <div className="sheet-head grid gap-1.5 text-center">
        {above}
        <PageTitle visitor>{title}</PageTitle>
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
    <div className="divider needs-script flex items-center gap-3 text-sm text-soft before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      {children}
    </div>
  )
}

const whole = /(\S+@\S+|e-mails?)/i

/** Places for a hyphen in a word that may be wider than its line: before the last consonant (also "sch") of a syllable. */
const hyphenated = (text: string) =>
  text.replace(/\p{L}{20,}/gu, (word) =>
    word.replace(/([aeiouyäöü][^aeiouyäöü]*?)(?=(?:sch|[cpt]h|[^aeiouyäöü])[aeiouyäöü])/gi, '$1\u00ad'),
  )

/** An address wider than its line breaks before its domain, else after a dot. */
const broken = (part: string): ReactNode =>
  part.split(/(?=@)|(?<=\.)/).map((piece, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one address
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {piece}
    </Fragment>
  ))

/** Text in which "e-mail" and addresses do not break at hyphens; an address wider than its line breaks anywhere. */
export function Words({ children }: { children: ReactNode }) {
  if (typeof children !== 'string') return children
  return children.split(whole).map((part, index) =>
    index % 2 === 0 ? (
      hyphenated(part)
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text
      <span key={index} className={part.includes('@') ? 'inline-block max-w-full' : 'whitespace-nowrap'}>
        {broken(part)}
      </span>
    ),
  )
}
