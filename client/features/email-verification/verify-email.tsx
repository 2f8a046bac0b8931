import { useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { auth } from '../../lib/api.ts'
import { continuation } from '../../lib/continuation.ts'
import { looksLikeEmail, useForm } from '../../lib/form.ts'
import { isPlaceholder } from '../../lib/placeholder.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Sheet } from '../../ui/page.tsx'
import { Note, Skeleton } from '../../ui/state.tsx'
import { Submit } from '../../ui/submit.tsx'
import { verificationTexts } from './texts.ts'

/**
 * Where the link in a mail ends, after the server has done its work: `?error=` says that it could not. `?for=` says
 * what the link was for. Anybody can write that address: what the server knows of the session decides what is said.
 */
export default function VerifyEmail() {
  const parameters = new URLSearchParams(location.search)
  const failure = parameters.get('error')
  const purpose = parameters.get('for')
  const session = auth.useSession()
  const [asked, setAsked] = useState(false)
  // The server has just changed what the session view may have loaded before.
  useEffect(() => {
    void auth.$views.session.refetch(true).then(() => setAsked(true))
  }, [])
  if (!asked) return <Skeleton />
  const user = session.data?.user
  const email = user && !isPlaceholder(user.email) ? user.email : undefined
  // A link that has been used before: what it was for has been done.
  if (failure && failure !== 'unauthorized' && user?.emailVerified) return <Done signedIn />
  if (failure) return <Failed failure={failure} email={email} />
  if (purpose === 'change' && user) return <Changed email={user.email} confirmed={user.emailVerified} />
  if (user ? user.emailVerified : purpose === 'confirm') return <Done signedIn={Boolean(user)} />
  return <Failed failure="invalid_token" email={email} />
}

function Done({ signedIn }: { signedIn: boolean }) {
  const t = useTexts(verificationTexts)
  const core = useTexts()
  const { path, query } = continuation()
  return (
    <Sheet title={t.doneTitle} intro={signedIn ? t.doneIntro : t.doneSignIn}>
      <ButtonLink to={signedIn ? (path ?? '/account/profile') : `/sign-in${query}`} look="primary" wide>
        {signedIn ? core.continue : core.signIn}
      </ButtonLink>
    </Sheet>
  )
}

function Changed({ email, confirmed }: { email: string; confirmed: boolean }) {
  const t = useTexts(verificationTexts)
  const core = useTexts()
  return (
    <Sheet title={t.changedTitle} intro={confirmed ? t.changedConfirmed(email) : t.changedIntro(email)}>
      <ButtonLink to="/account/profile#email" look="primary" wide>
        {core.continue}
      </ButtonLink>
    </Sheet>
  )
}

function Failed({ failure, email }: { failure: string; email: string | undefined }) {
  const t = useTexts(verificationTexts)
  const core = useTexts()
  const [, navigate] = useLocation()
  const { query } = continuation()
  const form = useForm({
    fields: ['email'],
    check: (values) => ({
      email: !values.email.trim() ? core.required.email : !looksLikeEmail(values.email) && core.invalidEmail,
    }),
    send: (values) =>
      auth.sendVerificationEmail({
        email: values.email.trim(),
        callbackURL: `/verify-email?for=confirm${query.replace('?', '&')}`,
      }),
    at: { USER_NOT_FOUND: 'email', EMAIL_IS_ALREADY_VERIFIED: 'email', VALIDATION_ERROR: 'email' },
    errors: { USER_NOT_FOUND: t.alreadyConfirmed, EMAIL_IS_ALREADY_VERIFIED: t.alreadyConfirmed },
    done: (_answer, values) => navigate(`/check-inbox${query}`, { state: { email: values.email.trim() } }),
  })
  const hopeless = failure === 'user_not_found' || failure === 'unauthorized'
  return (
    <Sheet title={t.failedTitle}>
      <Note tone="danger">{t.failures[failure] ?? t.failures.invalid_token}</Note>
      {hopeless ? (
        <ButtonLink to={`/sign-in${query}`} look="primary" wide>
          {core.signIn}
        </ButtonLink>
      ) : (
        <>
          <form {...form.props} className="grid gap-5">
            <Field {...form.field('email')} label={t.email} type="email" autoComplete="email" defaultValue={email} />
            <Submit form={form} wide>
              {t.sendNew}
            </Submit>
          </form>
          {!email && (
            <Link href={`/sign-in${query}`} className="link justify-self-center">
              {core.backToSignIn}
            </Link>
          )}
        </>
      )}
    </Sheet>
  )
}
