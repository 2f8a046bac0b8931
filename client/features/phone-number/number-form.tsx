import { auth } from '../../lib/api.ts'
import { useForm } from '../../lib/form.ts'
import { looksLikePhone, normalizePhone } from '../../lib/phone.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Field } from '../../ui/field.tsx'
import { formClass } from '../../ui/page.tsx'
import { Submit } from '../../ui/submit.tsx'
import { phoneTexts } from './texts.ts'

export const sendCode = (phoneNumber: string) => auth.phoneNumber.sendOtp({ phoneNumber })

interface NumberFormProps {
  label: string
  wide?: boolean
  /** The number in E.164, after a code has been sent to it. */
  onSent(phoneNumber: string): void
}

/** A number, and the button that texts a code to it. */
export function NumberForm({ label, wide, onSent }: NumberFormProps) {
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
    <form {...form.props} className={wide ? 'grid gap-5' : formClass}>
      <Field {...form.field('phoneNumber')} label={label} hint={t.numberHint} type="tel" autoComplete="tel" />
      <Submit form={form} wide={wide}>
        {t.send}
      </Submit>
    </form>
  )
}
