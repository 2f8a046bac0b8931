import { useEffect, useState } from 'react'
import { Link, Redirect } from 'wouter'
import { auth } from '../../lib/api.ts'
import type { User } from '../../lib/auth/endpoints.ts'
import { continuation } from '../../lib/continuation.ts'
import { useLifetime } from '../../lib/lifetime.ts'
import { isPlaceholder } from '../../lib/placeholder.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Sheet } from '../../ui/page.tsx'
import { ResendButton } from '../../ui/resend-button.tsx'
import { ErrorPanel, Note, Skeleton } from '../../ui/state.tsx'
import { LinkForm, sendLink } from './link-form.tsx'
import { magicLinkTexts } from './texts.ts'

/** Where a mailed link ends, after the server has done its work: `?error=` says that it could not. */
export default function MagicLinkLanding() {
  const [failure] = useState(() => new URLSearchParams(location.search).get('error'))
  const session = auth.useSession()
  const { path } = continuation()
  // The server has just changed what the session view may have loaded before; other tabs learn of it too.
  useEffect(() => auth.$notify('session'), [])
  if (session.isPending || session.isRefetching) return <Skeleton />
  const member = session.data && !session.data.user.isAnonymous ? session.data.user : null
  if (failure && member && !hopeless.has(failure)) return <SignedInAlready user={member} />
  if (failure) return <Failed failure={failure} />
  if (session.data) return <Redirect to={path ?? '/account/profile'} replace />
  if (session.error) return <ErrorPanel error={session.error} onRetry={() => void session.refetch()} />
  return <Failed failure="INVALID_TOKEN" />
}

const hopeless = new Set(['new_user_signup_disabled', 'banned'])

/** A link that has done its work is opened once more. */
function SignedInAlready({ user }: { user: User }) {
  const t = useTexts(magicLinkTexts)
  const core = useTexts()
  const { path } = continuation()
  return (
    <Sheet title={t.signedInTitle} intro={t.signedIn(isPlaceholder(user.email) ? user.name : user.email)}>
      <ButtonLink to={path ?? '/account/profile'} look="primary" wide>
        {core.continue}
      </ButtonLink>
    </Sheet>
  )
}

function Failed({ failure }: { failure: string }) {
  const t = useTexts(magicLinkTexts)
  const [sentTo, setSentTo] = useState<string | null>(null)
  const lifetime = useLifetime('magicLink')
  if (sentTo) {
    return (
      <Sheet key="sent" title={t.inboxTitle} intro={t.inbox(sentTo, lifetime)}>
        <ResendButton send={() => sendLink(sentTo)}>{t.resend}</ResendButton>
      </Sheet>
    )
  }
  return (
    <Sheet key="failed" title={t.failedTitle}>
      <Note tone="danger">{t.failures[failure] ?? t.failures.INVALID_TOKEN}</Note>
      {!hopeless.has(failure) && <LinkForm onSent={setSentTo} />}
      <Link href={`/sign-in${continuation().query}`} className="link justify-self-center">
        {t.back}
      </Link>
    </Sheet>
  )
}
