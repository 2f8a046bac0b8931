import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { auth } from '../../lib/api.ts'
import { continuation } from '../../lib/continuation.ts'
import { looksLikeEmail, useForm } from '../../lib/form.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Sheet } from '../../ui/page.tsx'
import { Note, Skeleton } from '../../ui/state.tsx'
import { Submit } from '../../ui/submit.tsx'
import { verificationTexts } from './texts.ts'

/**
 * Where the link in a mail ends, after the server has done its work: `?error=` says that it could not.
 * `?for=change` marks the link that approves a change of the address.
 */
export default function VerifyEmail() {
  const parameters = new URLSearchParams(location.search)
  const failure = parameters.get('error')
  const session = auth.useSession()
  // The server has just changed what the session view may have loaded before.
  useEffect(() => auth.$notify('session'), [])
  if (session.isPending && !session.error) return <Skeleton />
  const email = session.data?.user.email
  if (failure) return <Failed failure={failure} email={email} />
  return parameters.get('for') === 'change' ? <Changed email={email} /> : <Done signedIn={Boolean(session.data)} />
}

function Done({ signedIn }: { signedIn: boolean }) {
  const t = useTexts(verificationTexts)
  const core = useTexts()
  const { path, query } = continuation()
  return (
    <Sheet title={t.doneTitle} intro={t.doneIntro}>
      <ButtonLink to={signedIn ? (path ?? '/account/profile') : `/sign-in${query}`} look="primary" wide>
        {signedIn ? core.continue : t.signIn}
      </ButtonLink>
    </Sheet>
  )
}

function Changed({ email }: { email: string | undefined }) {
  const t = useTexts(verificationTexts)
  const core = useTexts()
  return (
    <Sheet title={t.changedTitle} intro={email ? t.changedIntro(email) : t.changedIntroUnknown}>
      <ButtonLink to="/account/email" look="primary" wide>
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
    send: (values) => auth.sendVerificationEmail({ email: values.email.trim(), callbackURL: `/verify-email${query}` }),
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
          {t.signIn}
        </ButtonLink>
      ) : (
        <form {...form.props} className="grid gap-5">
          <Field {...form.field('email')} label={t.email} type="email" autoComplete="email" defaultValue={email} />
          <Submit form={form} wide>
            {t.sendNew}
          </Submit>
        </form>
      )}
    </Sheet>
  )
}
