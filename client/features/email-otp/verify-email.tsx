import { useLocation } from 'wouter'
import { auth, useConfig } from '../../lib/api.ts'
import { useContinuation } from '../../lib/continuation.ts'
import { useLifetime } from '../../lib/lifetime.ts'
import { usePlaceState } from '../../lib/place.ts'
import { isPlaceholder } from '../../lib/placeholder.ts'
import { useSent } from '../../lib/sent.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { CodeStep } from '../../ui/code-step.tsx'
import { EmailForm } from '../../ui/email-form.tsx'
import { Sheet } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/state.tsx'
import { toast } from '../../ui/toasts.tsx'
import { emailOtpTexts } from './texts.ts'

const sendCode = (email: string) => auth.emailOtp.sendVerificationOtp({ email, type: 'email-verification' })

/** Confirms an address by a code: of the signed-in user, or of a new account, whose address is in the history state. */
export default function VerifyByCode() {
  const t = useTexts(emailOtpTexts)
  const { emailCode } = useConfig()
  const [, navigate] = useLocation()
  const session = auth.useSession()
  const given = usePlaceState<{ email?: string }>()?.email
  const { sent, ...step } = useSent('emailCode')
  const lifetime = useLifetime('emailCode')
  const { path, query } = useContinuation()
  if (session.isPending && !session.error) return <Skeleton />
  const member = session.data !== null
  const own = session.data?.user.email
  const known = own && !isPlaceholder(own) ? own : given

  function verified({ token }: { token: string | null }) {
    step.finish()
    toast(t.verified)
    if (member) navigate(path ?? '/account/profile#email')
    else if (token) navigate(path ?? '/account/profile')
    else navigate(`/sign-in${query}`)
  }

  // Something sent to another address belongs to another user of this tab.
  if (!sent || (known && known !== sent.to)) {
    return (
      <Sheet key="address" title={t.verifyTitle} intro={known ? t.verifyIntro(known) : t.verifyIntroUnknown}>
        <EmailForm known={known} at={['INVALID_EMAIL']} send={sendCode} done={step.begin} action={t.sendCode} />
      </Sheet>
    )
  }
  return (
    <Sheet key="code" title={t.enterCode} intro={t.codeSentTo(sent.to, lifetime)}>
      <CodeStep
        digits={emailCode?.digits}
        guess={(otp) => auth.emailOtp.verifyEmail({ email: sent.to, otp })}
        done={verified}
        since={sent.at}
        resend={() => step.again(sendCode(sent.to))}
        errors={t.verifyErrors}
      />
    </Sheet>
  )
}
