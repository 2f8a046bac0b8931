import { useState } from 'react'
import { useLocation } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { auth, useConfig } from '../../lib/api.ts'
import { continuation } from '../../lib/continuation.ts'
import { useLifetime } from '../../lib/lifetime.ts'
import { isPlaceholder } from '../../lib/placeholder.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { CodeStep } from '../../ui/code-step.tsx'
import { Sheet } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/state.tsx'
import { toast } from '../../ui/toasts.tsx'
import { AddressForm, sendCode } from './address-form.tsx'
import { emailOtpTexts } from './texts.ts'

/** Confirms an address by a code: the signed-in person's, or that of a sign-up, which comes in the history's state. */
export default function VerifyByCode() {
  const t = useTexts(emailOtpTexts)
  const { emailCode } = useConfig()
  const [, navigate] = useLocation()
  const session = auth.useSession()
  const given = useHistoryState<{ email?: string } | null>()?.email
  const [sentTo, setSentTo] = useState<string | null>(null)
  const lifetime = useLifetime('emailCode')
  const { path, query } = continuation()
  if (session.isPending && !session.error) return <Skeleton />
  const member = session.data !== null
  const own = session.data?.user.email
  const known = own && !isPlaceholder(own) ? own : given

  function verified({ token }: { token: string | null }) {
    toast(t.verified)
    if (member) navigate(path ?? '/account/profile#email')
    else if (token) navigate(path ?? '/account/profile')
    else navigate(`/sign-in${query}`)
  }

  if (!sentTo) {
    return (
      <Sheet key="address" title={t.verifyTitle} intro={known ? t.verifyIntro(known) : t.verifyIntroUnknown}>
        <AddressForm type="email-verification" known={known} onSent={setSentTo} />
      </Sheet>
    )
  }
  return (
    <Sheet key="code" title={t.codeTitle} intro={t.verifySent(sentTo, lifetime)}>
      <CodeStep
        digits={emailCode?.digits}
        guess={(otp) => auth.emailOtp.verifyEmail({ email: sentTo, otp })}
        done={verified}
        resend={() => sendCode(sentTo, 'email-verification')}
        errors={t.verifyErrors}
      />
    </Sheet>
  )
}
