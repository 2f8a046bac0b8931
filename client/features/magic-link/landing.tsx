import { useEffect, useState } from 'react'
import { Redirect, useLocation } from 'wouter'
import { auth } from '../../lib/api.ts'
import type { User } from '../../lib/auth/endpoints.ts'
import { useContinuation } from '../../lib/continuation.ts'
import { justSent } from '../../lib/just-sent.ts'
import { isPlaceholder } from '../../lib/placeholder.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { BackToSignIn, Sheet } from '../../ui/page.tsx'
import { Note, Skeleton } from '../../ui/state.tsx'
import { Unavailable } from '../../ui/unavailable.tsx'
import { LinkForm } from './link-form.tsx'
import { magicLinkTexts } from './texts.ts'

/** The target of a mailed link, after the server has processed it: `?error=` after a failure. */
export default function MagicLinkLanding() {
  const [failure] = useState(() => new URLSearchParams(location.search).get('error'))
  const session = auth.useSession()
  const { path } = useContinuation()
  // The server has changed the session since the view loaded it; other tabs are notified.
  useEffect(() => auth.$notify('session'), [])
  if (session.isPending || session.isRefetching) return <Skeleton />
  const member = session.data && !session.data.user.isAnonymous ? session.data.user : null
  if (failure && member && !failingKinds.has(failure)) return <SignedInAlready user={member} />
  if (failure) return <Failed failure={failure} />
  if (session.data) return <Redirect to={path ?? '/account/profile'} replace />
  if (session.error) return <Unavailable error={session.error} onRetry={() => void session.refetch()} />
  return <Failed failure="INVALID_TOKEN" />
}

const failingKinds = new Set(['new_user_signup_disabled', 'banned'])

/** A used link is opened again. */
function SignedInAlready({ user }: { user: User }) {
  const t = useTexts(magicLinkTexts)
  const { path } = useContinuation()
  return (
    <Sheet title={t.signedInTitle} intro={t.signedIn(isPlaceholder(user.email) ? user.name : user.email)}>
      <ButtonLink to={path ?? '/account/profile'} look="primary" wide>
        {t.continue}
      </ButtonLink>
    </Sheet>
  )
}

function Failed({ failure }: { failure: string }) {
  const t = useTexts(magicLinkTexts)
  const [, navigate] = useLocation()
  const { query } = useContinuation()
  const wait = (email: string) => navigate(`/sign-in/link${query}`, { state: justSent(email) })
  return (
    <Sheet title={t.failedTitle}>
      <Note tone="danger">{t.failures[failure] ?? t.failures.INVALID_TOKEN}</Note>
      {!failingKinds.has(failure) && <LinkForm onSent={wait} />}
      <BackToSignIn />
    </Sheet>
  )
}
