import { Link } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { auth, useConfig } from '../../lib/api.ts'
import { continuation } from '../../lib/continuation.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Sheet } from '../../ui/page.tsx'
import { ResendButton } from '../../ui/resend-button.tsx'
import { verificationTexts } from './texts.ts'

/** After a sign-up, or a sign-in with an unconfirmed address. The address comes in the history's state: it is in no URL. */
export default function CheckInbox() {
  const t = useTexts(verificationTexts)
  const { features } = useConfig()
  const { query } = continuation()
  const email = useHistoryState<{ email?: string } | null>()?.email
  return (
    <Sheet title={t.inboxTitle} intro={email ? t.inboxIntro(email) : t.unknownIntro}>
      {email && <p className="text-soft">{t.inboxHint}</p>}
      {email ? (
        <ResendButton send={() => auth.sendVerificationEmail({ email, callbackURL: `/verify-email${query}` })}>
          {t.resend}
        </ResendButton>
      ) : (
        <ButtonLink to={`/sign-in${query}`} wide>
          {t.signIn}
        </ButtonLink>
      )}
      {email && features.emailOtp && (
        <Link href={`/verify-email/code${query}`} state={{ email }} className="link justify-self-center">
          {t.byCode}
        </Link>
      )}
      <p className="text-center text-soft">
        {t.wrongAddress}{' '}
        <Link href={`/sign-in${query}`} className="link">
          {t.startOver}
        </Link>
      </p>
    </Sheet>
  )
}
