import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { auth, useConfig } from '../lib/api.ts'
import type { Result } from '../lib/auth/types.ts'
import { continuation } from '../lib/continuation.ts'
import { looksLikeEmail, useForm } from '../lib/form.ts'
import { useLifetime } from '../lib/lifetime.ts'
import { looksLikePhone, normalizePhone } from '../lib/phone.ts'
import { defineTexts, useTexts } from '../lib/texts/texts.ts'
import { typed } from '../lib/typed.ts'
import { CodeInput } from '../ui/code-input.tsx'
import { codeTexts } from '../ui/code-step.tsx'
import { Field } from '../ui/field.tsx'
import { Sheet } from '../ui/page.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { ResendButton } from '../ui/resend-button.tsx'
import { Submit } from '../ui/submit.tsx'
import { toast } from '../ui/toasts.tsx'

const texts = defineTexts(
  {
    title: 'Reset your password with a code',
    intro: 'We’ll send you a code. Enter it to choose a new password.',
    either: 'Email or phone number',
    email: 'Email',
    phone: 'Phone number',
    phoneHint: 'A phone number with its country code, such as +49\u00a0151\u00a023456789.',
    invalid: 'Enter an email address, or a phone number with its country code.',
    send: 'Send code',
    codeTitle: 'Choose a new password',
    sent: (to: string, lifetime: string) =>
      `If there is an account for ${to}, we sent a code to it. It is valid for ${lifetime}.`,
    newPassword: 'New password',
    submit: 'Set password',
    done: 'Your password has been changed. Sign in with the new one.',
    back: 'Back to sign in',
  },
  {
    title: 'Passwort mit einem Code zurücksetzen',
    intro: 'Wir schicken dir einen Code. Damit legst du ein neues Passwort fest.',
    either: 'E-Mail oder Telefonnummer',
    email: 'E-Mail',
    phone: 'Telefonnummer',
    phoneHint: 'Eine Telefonnummer mit der Landesvorwahl, etwa +49\u00a0151\u00a023456789.',
    invalid: 'Gib eine E-Mail-Adresse oder eine Telefonnummer mit Landesvorwahl ein.',
    send: 'Code schicken',
    codeTitle: 'Wähle ein neues Passwort',
    sent: (to, lifetime) =>
      `Wenn es zu ${to} ein Konto gibt, haben wir einen Code dorthin geschickt. Er gilt ${lifetime}.`,
    newPassword: 'Neues Passwort',
    submit: 'Passwort festlegen',
    done: 'Dein Passwort ist geändert. Melde dich mit dem neuen an.',
    back: 'Zurück zur Anmeldung',
  },
)

const isPhone = (recipient: string) => recipient.startsWith('+')

/** Who is not known gets the same words as everybody: nobody learns here who has an account. */
async function sendCode(recipient: string): Promise<Result<unknown>> {
  if (!isPhone(recipient)) return auth.emailOtp.sendVerificationOtp({ email: recipient, type: 'forget-password' })
  const answer = await auth.phoneNumber.requestPasswordReset({ phoneNumber: recipient })
  return answer.error?.code === 'PHONE_NUMBER_ISNT_REGISTERED' ? { data: { status: true }, error: null } : answer
}

export default function ForgotByCode() {
  const t = useTexts(texts)
  const core = useTexts()
  const { features } = useConfig()
  const [recipient, setRecipient] = useState<string | null>(null)
  const { emailOtp, phoneNumber } = features
  const read = (text: string) =>
    emailOtp && looksLikeEmail(text) ? text.trim() : phoneNumber && looksLikePhone(text) ? normalizePhone(text) : null
  const form = useForm({
    fields: ['recipient'],
    check: (values) => ({
      recipient: !values.recipient.trim() ? core.required.any : read(values.recipient) === null && t.invalid,
    }),
    send: (values) => sendCode(read(values.recipient)!),
    at: { INVALID_EMAIL: 'recipient' },
    done: (_answer, values) => setRecipient(read(values.recipient)),
  })
  if (recipient) return <NewPassword recipient={recipient} />
  return (
    <Sheet key="ask" title={t.title} intro={t.intro}>
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
          {t.send}
        </Submit>
      </form>
      <Link href={`/sign-in${continuation().query}`} className="link justify-self-center">
        {t.back}
      </Link>
    </Sheet>
  )
}

function NewPassword({ recipient }: { recipient: string }) {
  const t = useTexts(texts)
  const core = useTexts()
  const codes = useTexts(codeTexts)
  const { passwordLength, emailCode, phoneCode } = useConfig()
  const [, navigate] = useLocation()
  const lifetime = useLifetime(isPhone(recipient) ? 'phoneCode' : 'emailCode')
  const digits = (isPhone(recipient) ? phoneCode : emailCode)?.digits ?? 6
  const form = useForm({
    fields: ['code', 'password'],
    check: ({ code, password }) => ({
      code: code.length !== digits && codes.enter(digits),
      password: !password
        ? core.required.newPassword
        : password.length < passwordLength.min
          ? core.passwordTooShort(passwordLength.min)
          : password.length > passwordLength.max && core.passwordTooLong(passwordLength.max),
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
      PASSWORD_TOO_SHORT: 'password',
      PASSWORD_TOO_LONG: 'password',
      PASSWORD_COMPROMISED: 'password',
    },
    errors: { ...codes.errors, USER_NOT_FOUND: codes.errors.INVALID_OTP! },
    done() {
      // The session of this browser has ended with all the others.
      auth.$notify('session')
      toast(t.done)
      navigate(`/sign-in${continuation().query}`, { replace: true })
    },
  })
  return (
    <Sheet key="code" title={t.codeTitle} intro={t.sent(recipient, lifetime)}>
      <form {...form.props} className="grid gap-5">
        <CodeInput {...form.field('code')} label={codes.label} length={digits} autoFocus onComplete={() => {}} />
        <PasswordField
          {...form.field('password')}
          kind="new"
          label={t.newPassword}
          hint={core.strength.short(passwordLength.min)}
          strength={passwordLength}
        />
        <Submit form={form} wide>
          {t.submit}
        </Submit>
      </form>
      <ResendButton sent={codes.sent} send={() => sendCode(recipient)}>
        {codes.resend}
      </ResendButton>
      <Link href={`/sign-in${continuation().query}`} className="link justify-self-center">
        {t.back}
      </Link>
    </Sheet>
  )
}
