import { Link } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { auth, useConfig } from '../../lib/api.ts'
import { continuation } from '../../lib/continuation.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { ButtonLink, buttonClass } from '../../ui/button.tsx'
import { Sheet } from '../../ui/page.tsx'
import { ResendButton } from '../../ui/resend-button.tsx'
import { verificationTexts } from './texts.ts'

interface State {
  email?: string
  /** The sign-up has signed in already: the address can be confirmed later. */
  signedIn?: boolean
}

/** After a sign-up, or a sign-in with an unconfirmed address. The address comes in the history's state: it is in no URL. */
export default function CheckInbox() {
  const t = useTexts(verificationTexts)
  const core = useTexts()
  const { features } = useConfig()
  const { callbackURL, host, path, query } = continuation()
  const { email, signedIn } = useHistoryState<State | null>() ?? {}
  const confirmed = `/verify-email?for=confirm${query.replace('?', '&')}`
  return (
    <Sheet title={signedIn ? t.confirmTitle : t.inboxTitle} intro={email ? t.inboxIntro(email) : t.unknownIntro}>
      {signedIn &&
        (host ? (
          <a href={callbackURL} className={buttonClass('primary', true)}>
            {core.continueTo(host)}
          </a>
        ) : (
          <ButtonLink to={path ?? '/account/profile'} look="primary" wide>
            {core.continue}
          </ButtonLink>
        ))}
      {email && <p className="text-center text-soft">{t.inboxHint}</p>}
      {email ? (
        <ResendButton send={() => auth.sendVerificationEmail({ email, callbackURL: confirmed })}>
          {t.resend}
        </ResendButton>
      ) : (
        <ButtonLink to={`/sign-in${query}`} wide>
          {core.signIn}
        </ButtonLink>
      )}
      {email && features.emailOtp && (
        <Link href={`/verify-email/code${query}`} state={{ email }} className="link justify-self-center">
          {t.byCode}
        </Link>
      )}
      {!signedIn && (
        <p className="text-center text-soft">
          {t.wrongAddress}{' '}
          <Link href={features.signUp ? `/sign-up${query}` : `/sign-in${query}`} className="link">
            {t.startOver}
          </Link>
        </p>
      )}
    </Sheet>
  )
}
