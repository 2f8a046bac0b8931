import { foreignCallback } from '../../lib/after-sign-in.ts'
import { auth } from '../../lib/api.ts'
import { continuation } from '../../lib/continuation.ts'
import { looksLikeEmail, useForm } from '../../lib/form.ts'
import { begun } from '../../lib/last-used.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Field } from '../../ui/field.tsx'
import { Submit } from '../../ui/submit.tsx'
import { typedEmail } from '../../ui/typed-email.ts'
import { magicLinkTexts } from './texts.ts'

/** The link leads to the other site itself, or to our page that says how it went. */
export const sendLink = (email: string) =>
  auth.signIn.magicLink({ email, callbackURL: foreignCallback() ?? `/magic-link${continuation().query}` })

/** An address, and the button that mails a link to it. */
export function LinkForm({ onSent }: { onSent(email: string): void }) {
  const t = useTexts(magicLinkTexts)
  const core = useTexts()
  const form = useForm({
    fields: ['email'],
    check: ({ email }) => ({
      email: !email.trim() ? core.required.email : !looksLikeEmail(email) && core.invalidEmail,
    }),
    send: ({ email }) => sendLink(email.trim()),
    at: { USER_NOT_FOUND: 'email' },
    errors: t.errors,
    done(_answer, { email }) {
      begun.set('magic-link')
      onSent(email.trim())
    },
  })
  return (
    <form {...form.props} className="grid gap-5">
      <Field {...form.field('email')} label={t.email} type="email" autoComplete="email" {...typedEmail()} />
      <Submit form={form} wide>
        {t.send}
      </Submit>
    </form>
  )
}
