import { useLocation } from 'wouter'
import { passwordTexts } from '../features/email-password/texts.ts'
import { defaultCountry, toE164 } from '../features/phone-number/countries.ts'
import { auth, useConfig } from '../lib/api.ts'
import type { Result } from '../lib/auth/types.ts'
import { useContinuation } from '../lib/continuation.ts'
import { looksLikeEmail, useForm } from '../lib/form.ts'
import type { Sent } from '../lib/just-sent.ts'
import { useLifetime } from '../lib/lifetime.ts'
import { readablePhone } from '../lib/phone.ts'
import { type SentStep, useSent } from '../lib/sent.ts'
import { defineTexts, useTexts } from '../lib/texts/texts.ts'
import { typed } from '../lib/typed.ts'
import { Button } from '../ui/button.tsx'
import { CodeInput } from '../ui/code-input.tsx'
import { codeTexts } from '../ui/code-step.tsx'
import { Field } from '../ui/field.tsx'
import { NewPasswordField, newPasswordErrors, useNewPasswordCheck } from '../ui/new-password.tsx'
import { BackToSignIn, Sheet } from '../ui/page.tsx'
import { ResendButton } from '../ui/resend-button.tsx'
import { Submit } from '../ui/submit.tsx'
import { ToContinue } from '../ui/to-continue.tsx'
import { toast } from '../ui/toasts.tsx'

const texts = defineTexts('forgotByCode', {
  title: 'Reset your password with a code',
  intro: 'We’ll send you a code. Enter it to choose a new password.',
  either: 'Email or phone number',
  phone: 'Phone number',
  phoneHint: 'A phone number with its country code, such as +49\u00a0151\u00a023456789.',
  invalid: 'Enter an email address, or a phone number with its country code.',
  sent: 'If there is an account for {to}, we sent a code to it. It is valid for {lifetime}.',
  other: 'Use another address or number',
  submit: 'Set password',
})

const isPhone = (recipient: string) => recipient.startsWith('+')

/** Unknown users see the same text, so that the page does not disclose accounts. */
async function sendCode(recipient: string): Promise<Result<unknown>> {
  if (!isPhone(recipient)) return auth.emailOtp.sendVerificationOtp({ email: recipient, type: 'forget-password' })
  const answer = await auth.phoneNumber.requestPasswordReset({ phoneNumber: recipient })
  return answer.error?.code === 'PHONE_NUMBER_ISNT_REGISTERED' ? { data: { status: true }, error: null } : answer
}

export default function ForgotByCode() {
  const t = useTexts(texts)
  const { features, phoneCountry } = useConfig()
  const step = useSent(useConfig().features.emailOtp ? 'emailCode' : 'phoneCode')
  const { emailOtp, phoneNumber } = features
  const country = defaultCountry(phoneCountry)
  const read = (text: string) =>
    emailOtp && looksLikeEmail(text) ? text.trim() : phoneNumber ? toE164(text, country) : null
  const form = useForm({
    fields: ['recipient'],
    check: (values) => ({
      recipient: !values.recipient.trim() ? t.required.any : read(values.recipient) === null && t.invalid,
    }),
    send: (values) => sendCode(read(values.recipient)!),
    at: { INVALID_EMAIL: 'recipient' },
    done: (_answer, values) => step.begin(read(values.recipient)!),
  })
  if (step.sent) return <NewPassword sent={step.sent} step={step} />
  return (
    <Sheet key="ask" title={t.title} intro={t.intro}>
      <ToContinue />
      <form {...form.props} className="grid gap-5">
        <Field
          {...form.field('recipient')}
          label={emailOtp && phoneNumber ? t.either : emailOtp ? t.email : t.phone}
          hint={phoneNumber && t.phoneHint}
          autoComplete="username"
          defaultValue={read(typed.any()) ?? ''}
          onChange={(event) => typed.set(event.target.value)}
          autoCapitalize="none"
          spellCheck={false}
        />
        <Submit form={form} wide>
          {t.sendCode}
        </Submit>
      </form>
      <BackToSignIn />
    </Sheet>
  )
}

function NewPassword({ sent, step }: { sent: Sent; step: SentStep }) {
  const recipient = sent.to
  const t = useTexts(texts)
  const password = useTexts(passwordTexts)
  const codes = useTexts(codeTexts)
  const checkPassword = useNewPasswordCheck()
  const { emailCode, phoneCode } = useConfig()
  const [, navigate] = useLocation()
  const { query } = useContinuation()
  const lifetime = useLifetime(isPhone(recipient) ? 'phoneCode' : 'emailCode')
  const digits = (isPhone(recipient) ? phoneCode : emailCode)?.digits ?? 6
  const form = useForm({
    fields: ['code', 'password'],
    check: ({ code, password }) => ({
      code: code.length !== digits && codes.enter(digits),
      password: checkPassword(password),
    }),
    send: async ({ code: otp, password }): Promise<Result<unknown>> =>
      isPhone(recipient)
        ? auth.phoneNumber.resetPassword({ phoneNumber: recipient, otp, newPassword: password })
        : auth.emailOtp.resetPassword({ email: recipient, otp, password }),
    at: {
      INVALID_OTP: 'code',
      OTP_EXPIRED: 'code',
      OTP_NOT_FOUND: 'code',
      TOO_MANY_ATTEMPTS: 'code',
      USER_NOT_FOUND: 'code',
      ...newPasswordErrors('password'),
    },
    errors: { ...codes.errors, USER_NOT_FOUND: codes.errors.INVALID_OTP! },
    done() {
      step.finish()
      // The reset has ended all sessions, also of this browser.
      auth.$notify('session')
      toast(password.resetDone)
      navigate(`/sign-in${query}`, { replace: true })
    },
  })
  return (
    <Sheet key="code" title={password.resetTitle} intro={t.sent(readablePhone(recipient), lifetime)}>
      <form {...form.props} className="grid gap-5">
        <CodeInput {...form.field('code')} label={codes.code} length={digits} autoFocus onComplete={() => {}} />
        <NewPasswordField {...form.field('password')} />
        <Submit form={form} wide>
          {t.submit}
        </Submit>
      </form>
      <ResendButton since={sent.at} sent={codes.sentNew} send={() => step.again(sendCode(recipient))}>
        {codes.newCode}
      </ResendButton>
      <Button look="quiet" onClick={step.back}>
        {t.other}
      </Button>
      <BackToSignIn />
    </Sheet>
  )
}
