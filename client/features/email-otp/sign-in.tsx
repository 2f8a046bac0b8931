import { useState } from 'react'
import { Link } from 'wouter'
import { foreignCallback, useAfterSignIn } from '../../lib/after-sign-in.ts'
import { auth, useConfig } from '../../lib/api.ts'
import { continuation } from '../../lib/continuation.ts'
import { useLifetime } from '../../lib/lifetime.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { CodeStep } from '../../ui/code-step.tsx'
import { Sheet } from '../../ui/page.tsx'
import { AddressForm, sendCode } from './address-form.tsx'
import { emailOtpTexts } from './texts.ts'

export default function SignInByEmailCode() {
  const t = useTexts(emailOtpTexts)
  const lifetime = useLifetime('emailCode')
  const core = useTexts()
  const { emailCode } = useConfig()
  const [email, setEmail] = useState<string | null>(null)
  const signedIn = useAfterSignIn('email-otp')
  const { host, query } = continuation()
  if (!email) {
    return (
      <Sheet key="address" title={t.title} intro={host ? t.continueTo(host) : t.intro}>
        <AddressForm type="sign-in" onSent={setEmail} />
        <Link href={`/sign-in${query}`} className="link justify-self-center">
          {t.back}
        </Link>
      </Sheet>
    )
  }
  return (
    <Sheet key="code" title={t.codeTitle} intro={t.sentTo(email, lifetime)}>
      <CodeStep
        digits={emailCode?.digits}
        guess={(otp) => auth.signIn.emailOtp({ email, otp, callbackURL: foreignCallback() })}
        done={signedIn}
        resend={() => sendCode(email, 'sign-in')}
        errors={t.errors}
        elsewhere={
          <Link href={`/sign-in${query}`} className="link">
            {core.anotherWay}
          </Link>
        }
      >
        <Button look="quiet" onClick={() => setEmail(null)}>
          {t.otherAddress}
        </Button>
      </CodeStep>
    </Sheet>
  )
}
