import { useEffect, useRef } from 'react'
import { Link, useLocation } from 'wouter'
import { auth, useConfig } from '../../lib/api.ts'
import { useContinuation } from '../../lib/continuation.ts'
import { leave } from '../../lib/leave.ts'
import { useOpenedElsewhere } from '../../lib/opened-elsewhere.ts'
import { useSent } from '../../lib/sent.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { ButtonLink, buttonClass } from '../../ui/button.tsx'
import { Sheet } from '../../ui/page.tsx'
import { ResendButton } from '../../ui/resend-button.tsx'
import { toast } from '../../ui/toasts.tsx'
import { verificationTexts } from './texts.ts'

/** Shown after a sign-up, or a sign-in with an unconfirmed address. */
export default function CheckInbox() {
  const t = useTexts(verificationTexts)
  const { features } = useConfig()
  const { callbackURL, host, path, query } = useContinuation()
  const { sent, again, finish } = useSent()
  const { to: email, signedIn } = sent ?? {}
  const [, navigate] = useLocation()
  const session = auth.useSession()
  const user = session.data?.user
  // A sign-in with a username does not contain the address.
  const isConfirmed = user?.emailVerified && (!email?.includes('@') || user.email === email.toLowerCase())
  const isOut = signedIn && !session.data && !session.error && !session.isPending && !session.isRefetching
  useOpenedElsewhere(sent && !isConfirmed && !isOut ? sent.at : null)
  const continued = useRef(false)
  useEffect(() => {
    if (!sent || !isConfirmed || continued.current) return
    continued.current = true
    finish()
    toast(t.doneTitle)
    if (host && callbackURL) leave(callbackURL, { replace: true })
    else navigate(path ?? '/account/profile', { replace: true })
  })
  const confirmed = `/verify-email?for=confirm${query.replace('?', '&')}`
  if (isOut) {
    return (
      <Sheet key="out" title={t.outTitle} intro={t.out}>
        <ButtonLink to={`/sign-in${query}`} look="primary" wide>
          {t.signIn}
        </ButtonLink>
      </Sheet>
    )
  }
  return (
    <Sheet title={signedIn ? t.confirmTitle : t.checkInbox} intro={email ? t.inboxIntro(email) : t.unknownIntro}>
      {signedIn &&
        (host ? (
          <a href={callbackURL} className={buttonClass('primary', true)}>
            {t.continueTo(host)}
          </a>
        ) : (
          <ButtonLink to={path ?? '/account/profile'} look="primary" wide>
            {t.continue}
          </ButtonLink>
        ))}
      {email && <p className="text-center text-soft">{t.inboxHint}</p>}
      {email ? (
        <ResendButton
          since={sent?.at}
          send={() => again(auth.sendVerificationEmail({ email, callbackURL: confirmed }))}
        >
          {t.sendAgain}
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
      {email && !signedIn && (
        <p className="text-center text-balance text-soft">
          {t.elsewhere}{' '}
          <Link href={`/sign-in${query}`} className="link">
            {t.signInHere}
          </Link>
        </p>
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
