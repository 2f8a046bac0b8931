import { auth, useConfig } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { CodeSignIn } from '../../ui/code-sign-in.tsx'
import { EmailForm } from '../../ui/email-form.tsx'
import { emailOtpTexts } from './texts.ts'

const sendCode = (email: string) => auth.emailOtp.sendVerificationOtp({ email, type: 'sign-in' })

export default function SignInByEmailCode() {
  const t = useTexts(emailOtpTexts)
  return (
    <CodeSignIn
      method="email-otp"
      kind="emailCode"
      digits={useConfig().emailCode?.digits}
      texts={t}
      form={(onSent) => <EmailForm at={['INVALID_EMAIL']} send={sendCode} done={onSent} action={t.sendCode} />}
      guess={(email, otp, callbackURL) => auth.signIn.emailOtp({ email, otp, callbackURL })}
      resend={sendCode}
    />
  )
}
