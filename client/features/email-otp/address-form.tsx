import { auth } from '../../lib/api.ts'
import { looksLikeEmail, useForm } from '../../lib/form.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Field } from '../../ui/field.tsx'
import { Submit } from '../../ui/submit.tsx'
import { typedEmail } from '../../ui/typed-email.ts'
import { emailOtpTexts } from './texts.ts'

type CodeType = 'sign-in' | 'email-verification'

export const sendCode = (email: string, type: CodeType) => auth.emailOtp.sendVerificationOtp({ email, type })

/** An address, and the button that mails a code to it. */
export function AddressForm({
  type,
  known,
  onSent,
}: {
  type: CodeType
  /** An address that is known already and not asked for. */
  known?: string | undefined
  onSent(email: string): void
}) {
  const t = useTexts(emailOtpTexts)
  const core = useTexts()
  const form = useForm({
    fields: ['email'],
    check: ({ email }) => ({
      email: !known && (!email.trim() ? core.required.email : !looksLikeEmail(email) && core.invalidEmail),
    }),
    send: ({ email }) => sendCode(known ?? email.trim(), type),
    at: { INVALID_EMAIL: 'email' },
    done: (_answer, { email }) => onSent(known ?? email.trim()),
  })
  return (
    <form {...form.props} className="grid gap-5">
      {!known && <Field {...form.field('email')} label={t.email} type="email" autoComplete="email" {...typedEmail()} />}
      <Submit form={form} wide>
        {t.send}
      </Submit>
    </form>
  )
}
