import { auth } from '../../lib/api.ts'
import { useForm } from '../../lib/form.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { typed } from '../../lib/typed.ts'
import { Submit } from '../../ui/submit.tsx'
import { toE164 } from './countries.ts'
import { PhoneField } from './phone-field.tsx'
import { phoneTexts } from './texts.ts'

export const sendCode = (phoneNumber: string) => auth.phoneNumber.sendOtp({ phoneNumber })

interface NumberFormProps {
  label: string
  /** On signed-out screens, the typed number is kept between screens. */
  signingIn?: boolean
  /** Called with the number (E.164) after a code has been sent. */
  onSent(phoneNumber: string): void
  onCancel?(): void
}

export function NumberForm({ label, signingIn, onSent, onCancel }: NumberFormProps) {
  const t = useTexts(phoneTexts)
  const form = useForm({
    fields: ['phoneNumber', 'country'],
    check: ({ phoneNumber, country }) => ({
      phoneNumber: !phoneNumber.trim() ? t.numberRequired : !toE164(phoneNumber, country) && t.numberInvalid,
    }),
    send: ({ phoneNumber, country }) => sendCode(toE164(phoneNumber, country)!),
    at: { INVALID_PHONE_NUMBER: 'phoneNumber' },
    errors: t.errors,
    done: (_answer, { phoneNumber, country }) => onSent(toE164(phoneNumber, country)!),
  })
  return (
    <form {...form.props} className="grid gap-5">
      <PhoneField
        {...form.field('phoneNumber')}
        label={label}
        defaultValue={signingIn ? typed.phone() : ''}
        onChange={(text) => signingIn && typed.set(text)}
      />
      <Submit form={form} wide={signingIn} {...(onCancel ? { onCancel } : {})}>
        {t.sendCode}
      </Submit>
    </form>
  )
}
