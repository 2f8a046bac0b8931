import { type ReactNode, useId } from 'react'
import { useMember } from '../lib/api.ts'
import { defineTexts, useTexts } from '../lib/texts/texts.ts'

const texts = defineTexts('ownSession', { notAs: 'Not while you are signed in as {name}.' })

/** Why a part is closed to an administrator who impersonates the user; null in the user's own session. */
export function useNotMine(): string | null {
  const t = useTexts(texts)
  const { user, session } = useMember()
  return session.impersonatedBy ? t.notAs(user.name || user.email) : null
}

/** Operations that require the user's own session: during an impersonation they are disabled below one line. */
export function OwnSession({ children }: { children: ReactNode }) {
  const why = useNotMine()
  const id = useId()
  if (!why) return children
  return (
    <>
      <p id={id} className="text-soft wrap-anywhere">
        {why}
      </p>
      <fieldset disabled aria-describedby={id} className="contents">
        {children}
      </fieldset>
    </>
  )
}

/** What only the user may read: during an impersonation one line replaces it. */
export function OwnEyes({ children }: { children: ReactNode }) {
  const why = useNotMine()
  return why ? <p className="text-soft wrap-anywhere">{why}</p> : children
}
