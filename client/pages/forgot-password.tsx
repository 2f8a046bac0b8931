import { useState } from 'react'
import { Link } from 'wouter'
import { auth, useConfig } from '../lib/api.ts'
import { continuation } from '../lib/continuation.ts'
import { looksLikeEmail, useForm } from '../lib/form.ts'
import { useLifetime } from '../lib/lifetime.ts'
import { defineTexts, useTexts } from '../lib/texts/texts.ts'
import { Field } from '../ui/field.tsx'
import { Sheet } from '../ui/page.tsx'
import { ResendButton } from '../ui/resend-button.tsx'
import { Submit } from '../ui/submit.tsx'
import { typedEmail } from '../ui/typed-email.ts'
import { useCaptcha } from './captcha.tsx'

const texts = defineTexts(
  {
    title: 'Forgot your password?',
    intro: 'Enter your email address, and we’ll send you a link to reset your password.',
    email: 'Email',
    submit: 'Send link',
    sentTitle: 'Check your inbox',
    sent: (email: string, lifetime: string) =>
      `If there is an account for ${email}, we sent a link to reset the password. It is valid for ${lifetime}.`,
    resend: 'Send again',
    byCode: 'Use a code instead',
    back: 'Back to sign in',
  },
  {
    title: 'Passwort vergessen?',
    intro: 'Gib deine E-Mail-Adresse ein, und wir schicken dir einen Link zum Zurücksetzen des Passworts.',
    email: 'E-Mail',
    submit: 'Link schicken',
    sentTitle: 'Sieh in deinem Postfach nach',
    sent: (email, lifetime) =>
      `Wenn es zu ${email} ein Konto gibt, haben wir einen Link zum Zurücksetzen des Passworts geschickt. Er gilt ${lifetime}.`,
    resend: 'Noch einmal schicken',
    byCode: 'Stattdessen einen Code verwenden',
    back: 'Zurück zur Anmeldung',
  },
)

export default function ForgotPassword() {
  const t = useTexts(texts)
  const core = useTexts()
  const { features } = useConfig()
  const captcha = useCaptcha()
  const [sentTo, setSentTo] = useState<string | null>(null)
  const lifetime = useLifetime('passwordReset')
  const { query } = continuation()
  const send = async (email: string) => {
    const answer = await auth.requestPasswordReset({ email, redirectTo: `/reset-password${query}` }, captcha.options())
    captcha.renew()
    return answer
  }
  const form = useForm({
    fields: ['email'],
    check: ({ email }) => ({
      email: !email.trim() ? core.required.email : !looksLikeEmail(email) && core.invalidEmail,
    }),
    send: ({ email }) => send(email.trim()),
    at: { INVALID_EMAIL: 'email', VALIDATION_ERROR: 'email' },
    done: (_answer, { email }) => setSentTo(email.trim()),
  })
  const back = (
    <Link href={`/sign-in${query}`} className="link justify-self-center">
      {t.back}
    </Link>
  )
  if (sentTo) {
    return (
      <Sheet key="sent" title={t.sentTitle} intro={t.sent(sentTo, lifetime)}>
        {captcha.widget}
        <ResendButton send={() => send(sentTo)}>{t.resend}</ResendButton>
        {back}
      </Sheet>
    )
  }
  return (
    <Sheet key="ask" title={t.title} intro={t.intro}>
      <form {...form.props} className="grid gap-5">
        <Field {...form.field('email')} label={t.email} type="email" autoComplete="email" {...typedEmail()} />
        {captcha.widget}
        <Submit form={form} wide>
          {t.submit}
        </Submit>
      </form>
      {(features.emailOtp || features.phoneNumber) && (
        <Link href={`/forgot-password/code${query}`} className="link justify-self-center">
          {t.byCode}
        </Link>
      )}
      {back}
    </Sheet>
  )
}
