import { Link } from 'wouter'
import { auth, useConfig } from '../lib/api.ts'
import { useContinuation } from '../lib/continuation.ts'
import { useLifetime } from '../lib/lifetime.ts'
import { useSent } from '../lib/sent.ts'
import { defineTexts, useTexts } from '../lib/texts/texts.ts'
import { Button } from '../ui/button.tsx'
import { EmailForm } from '../ui/email-form.tsx'
import { BackToSignIn, Sheet } from '../ui/page.tsx'
import { ResendButton } from '../ui/resend-button.tsx'
import { ToContinue } from '../ui/to-continue.tsx'
import { useCaptcha } from './captcha.tsx'

const texts = defineTexts('forgotPassword', {
  title: 'Forgot your password?',
  intro: 'Enter your email address, and we’ll send you a link to reset your password.',
  submit: 'Send link',
  sent: 'If there is an account for {email}, we sent a link to reset the password. It is valid for {lifetime}.',
  byCode: 'Use a code instead',
})

export default function ForgotPassword() {
  const t = useTexts(texts)
  const { features } = useConfig()
  const captcha = useCaptcha()
  const { sent, ...step } = useSent('passwordReset')
  const lifetime = useLifetime('passwordReset')
  const { query } = useContinuation()
  const send = async (email: string) => {
    const answer = await auth.requestPasswordReset({ email, redirectTo: `/reset-password${query}` }, captcha.options())
    captcha.renew()
    return answer
  }
  if (sent) {
    return (
      <Sheet key="sent" title={t.checkInbox} intro={t.sent(sent.to, lifetime)}>
        {captcha.widget}
        <ResendButton since={sent.at} send={() => step.again(send(sent.to))}>
          {t.sendAgain}
        </ResendButton>
        <Button look="quiet" onClick={step.back}>
          {t.otherAddress}
        </Button>
        <BackToSignIn />
      </Sheet>
    )
  }
  return (
    <Sheet key="ask" title={t.title} intro={t.intro}>
      <ToContinue />
      <EmailForm at={['INVALID_EMAIL', 'VALIDATION_ERROR']} send={send} done={step.begin} action={t.submit}>
        {captcha.widget}
      </EmailForm>
      {(features.emailOtp || features.phoneNumber) && (
        <Link href={`/forgot-password/code${query}`} className="link justify-self-center">
          {t.byCode}
        </Link>
      )}
      <BackToSignIn />
    </Sheet>
  )
}
