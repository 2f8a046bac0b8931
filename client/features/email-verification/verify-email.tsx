import { useLocation } from 'wouter'
import { auth } from '../../lib/api.ts'
import { useLoad } from '../../lib/auth/use-view.ts'
import { useContinuation } from '../../lib/continuation.ts'
import { justSent } from '../../lib/just-sent.ts'
import { isPlaceholder } from '../../lib/placeholder.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmailForm } from '../../ui/email-form.tsx'
import { BackToSignIn, Sheet } from '../../ui/page.tsx'
import { Note, Skeleton } from '../../ui/state.tsx'
import { verificationTexts } from './texts.ts'

/**
 * The target of a mailed link, after the server has processed it: `?error=` after a failure, `?for=` with its purpose.
 * Attackers can write this address, so the text depends on the session.
 */
export default function VerifyEmail() {
  const parameters = new URLSearchParams(location.search)
  const failure = parameters.get('error')
  const purpose = parameters.get('for')
  const session = auth.useSession()
  // The server has changed the session since the view loaded it.
  const asked = useLoad(() => auth.$session.refetch(true).then(() => ({ data: true, error: null }))).data
  if (!asked) return <Skeleton />
  const user = session.data?.user
  const email = user && !isPlaceholder(user.email) ? user.email : undefined
  const isElsewhere = failure === 'unauthorized' || failure === 'user_not_found'
  if (purpose === 'change' && user && !isElsewhere)
    return failure === 'token_expired' ? (
      <Unchanged failure={failure} />
    ) : (
      <Changed email={user.email} confirmed={user.emailVerified} />
    )
  // A used link: its purpose is fulfilled.
  if (failure && failure !== 'unauthorized' && user?.emailVerified) return <Done signedIn />
  if (failure) return <Failed failure={failure} email={email} />
  if (user ? user.emailVerified : purpose === 'confirm') return <Done signedIn={Boolean(user)} />
  return <Failed failure="invalid_token" email={email} />
}

function Done({ signedIn }: { signedIn: boolean }) {
  const t = useTexts(verificationTexts)
  const { path, query } = useContinuation()
  return (
    <Sheet title={t.doneTitle} intro={signedIn ? t.doneIntro : t.doneSignIn}>
      <ButtonLink to={signedIn ? (path ?? '/account/profile') : `/sign-in${query}`} look="primary" wide>
        {signedIn ? t.continue : t.signIn}
      </ButtonLink>
    </Sheet>
  )
}

/** What is true whether or not the address was changed: attackers can write the address of this screen. */
function Changed({ email, confirmed }: { email: string; confirmed: boolean }) {
  const t = useTexts(verificationTexts)
  return (
    <Sheet title={t.changedTitle} intro={confirmed ? t.changedConfirmed(email) : t.changedIntro(email)}>
      <ButtonLink to="/account/profile#email" look="primary" wide>
        {t.continue}
      </ButtonLink>
    </Sheet>
  )
}

/** A change of the address begins again in the profile. */
function Unchanged({ failure }: { failure: string }) {
  const t = useTexts(verificationTexts)
  return (
    <Sheet title={t.failedTitle}>
      <Note tone="danger">{t.failures[failure]}</Note>
      <ButtonLink to="/account/profile#email" look="primary" wide>
        {t.changedTitle}
      </ButtonLink>
    </Sheet>
  )
}

function Failed({ failure, email }: { failure: string; email: string | undefined }) {
  const t = useTexts(verificationTexts)
  const [, navigate] = useLocation()
  const { query } = useContinuation()
  const confirmed = `/verify-email?for=confirm${query.replace('?', '&')}`
  const failingKinds = failure === 'user_not_found' || failure === 'unauthorized'
  return (
    <Sheet title={t.failedTitle}>
      <Note tone="danger">{t.failures[failure] ?? t.failures.invalid_token}</Note>
      {failingKinds ? (
        <ButtonLink to={`/sign-in${query}`} look="primary" wide>
          {t.signIn}
        </ButtonLink>
      ) : (
        <>
          <EmailForm
            initial={email ?? ''}
            at={['USER_NOT_FOUND', 'EMAIL_IS_ALREADY_VERIFIED', 'VALIDATION_ERROR']}
            errors={{ USER_NOT_FOUND: t.alreadyConfirmed, EMAIL_IS_ALREADY_VERIFIED: t.alreadyConfirmed }}
            send={(address) => auth.sendVerificationEmail({ email: address, callbackURL: confirmed })}
            done={(address) => navigate(`/check-inbox${query}`, { state: justSent(address) })}
            action={t.sendNew}
          />
          {!email && <BackToSignIn />}
        </>
      )}
    </Sheet>
  )
}
