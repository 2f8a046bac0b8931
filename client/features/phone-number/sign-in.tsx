import { useState } from 'react'
import { Link } from 'wouter'
import { foreignCallback, useAfterSignIn } from '../../lib/after-sign-in.ts'
import { auth, useConfig } from '../../lib/api.ts'
import type { SignInAnswer } from '../../lib/auth/endpoints.ts'
import { continuation } from '../../lib/continuation.ts'
import { useLifetime } from '../../lib/lifetime.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { CodeStep } from '../../ui/code-step.tsx'
import { Sheet } from '../../ui/page.tsx'
import { NumberForm, sendCode } from './number-form.tsx'
import { phoneTexts } from './texts.ts'

export default function SignInByPhone() {
  const t = useTexts(phoneTexts)
  const lifetime = useLifetime('phoneCode')
  const core = useTexts()
  const { phoneCode } = useConfig()
  const [phoneNumber, setPhoneNumber] = useState<string | null>(null)
  const signedIn = useAfterSignIn('phone-number')
  const { host, query } = continuation()
  if (!phoneNumber) {
    return (
      <Sheet key="number" title={t.title} intro={host ? t.continueTo(host) : t.intro}>
        <NumberForm label={t.number} signingIn onSent={setPhoneNumber} />
        <Link href={`/sign-in${query}`} className="link justify-self-center">
          {t.back}
        </Link>
      </Sheet>
    )
  }
  return (
    <Sheet key="code" title={t.codeTitle} intro={t.sentTo(phoneNumber, lifetime)}>
      <CodeStep
        digits={phoneCode?.digits}
        guess={(code) => auth.phoneNumber.verify({ phoneNumber, code, callbackURL: foreignCallback() })}
        done={(answer) => signedIn(answer as SignInAnswer)}
        resend={() => sendCode(phoneNumber)}
        errors={t.errors}
        elsewhere={
          <Link href={`/sign-in${query}`} className="link">
            {core.anotherWay}
          </Link>
        }
      >
        <Button look="quiet" onClick={() => setPhoneNumber(null)}>
          {t.otherNumber}
        </Button>
      </CodeStep>
    </Sheet>
  )
}
