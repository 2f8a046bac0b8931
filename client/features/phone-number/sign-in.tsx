import { auth, useConfig } from '../../lib/api.ts'
import type { SignInAnswer } from '../../lib/auth/endpoints.ts'
import type { Result } from '../../lib/auth/types.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { CodeSignIn } from '../../ui/code-sign-in.tsx'
import { NumberForm, sendCode } from './number-form.tsx'
import { phoneTexts } from './texts.ts'

/** POST /phone-number/verify signs in unless it confirms the number of a signed-in user. */
const verify = (phoneNumber: string, code: string, callbackURL: string | undefined) =>
  auth.phoneNumber.verify({ phoneNumber, code, callbackURL }) as Promise<Result<SignInAnswer>>

export default function SignInByPhone() {
  const t = useTexts(phoneTexts)
  return (
    <CodeSignIn
      method="phone-otp"
      kind="phoneCode"
      digits={useConfig().phoneCode?.digits}
      texts={t}
      form={(onSent) => <NumberForm label={t.number} signingIn onSent={onSent} />}
      guess={verify}
      resend={sendCode}
    />
  )
}
