import { auth } from '../../lib/api.ts'
import { useForm } from '../../lib/form.ts'
import { looksLikePhone, normalizePhone } from '../../lib/phone.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { typed } from '../../lib/typed.ts'
import { Field } from '../../ui/field.tsx'
import { Submit } from '../../ui/submit.tsx'
import { phoneTexts } from './texts.ts'

export const sendCode = (phoneNumber: string) => auth.phoneNumber.sendOtp({ phoneNumber })

interface NumberFormProps {
  label: string
  /** Signed out: what has been typed before comes along, and goes on. */
  signingIn?: boolean
  /** The number in E.164, after a code has been sent to it. */
  onSent(phoneNumber: string): void
  onCancel?(): void
}

/** A number, and the button that texts a code to it. */
export function NumberForm({ label, signingIn, onSent, onCancel }: NumberFormProps) {
  const t = useTexts(phoneTexts)
  const form = useForm({
    fields: ['phoneNumber'],
    check: ({ phoneNumber }) => ({
      phoneNumber: !phoneNumber.trim() ? t.numberRequired : !looksLikePhone(phoneNumber) && t.numberInvalid,
    }),
    send: ({ phoneNumber }) => sendCode(normalizePhone(phoneNumber)),
    at: { INVALID_PHONE_NUMBER: 'phoneNumber' },
    errors: t.errors,
    done: (_answer, { phoneNumber }) => onSent(normalizePhone(phoneNumber)),
  })
  return (
    <form {...form.props} className="grid gap-5">
      <Field
        {...form.field('phoneNumber')}
        label={label}
        hint={t.numberHint}
        type="tel"
        autoComplete="tel"
        defaultValue={signingIn ? typed.phone() : ''}
        onChange={(event) => signingIn && typed.set(event.target.value)}
      />
      <Submit form={form} wide={signingIn} {...(onCancel ? { onCancel } : {})}>
        {t.send}
      </Submit>
    </form>
  )
}
