import type { ReactNode } from 'react'
import { useMember } from '../../lib/api.ts'
import type { Result } from '../../lib/auth/types.ts'
import { useForm } from '../../lib/form.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import type { ButtonLook } from '../../ui/button.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { Submit } from '../../ui/submit.tsx'
import { twoFactorTexts } from './texts.ts'

interface PasswordFormProps<Answer> {
  send(input: { password: string }): Promise<Result<Answer>>
  done(answer: Answer): void
  onCancel(): void
  look?: ButtonLook
  autoFocus?: boolean
  /** On the button. */
  children: ReactNode
}

/** The password again, before anything about the second factor changes. */
export function PasswordForm<Answer>({ send, done, onCancel, look, autoFocus, children }: PasswordFormProps<Answer>) {
  const t = useTexts(twoFactorTexts)
  const core = useTexts()
  const { user } = useMember()
  const form = useForm({
    fields: ['password'],
    check: ({ password }) => ({ password: !password && core.required.password }),
    send,
    at: { INVALID_PASSWORD: 'password' },
    errors: t.errors,
    done,
  })
  return (
    <form {...form.props} className="grid max-w-md gap-5">
      <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
      <PasswordField {...form.field('password')} kind="current" label={t.password} autoFocus={autoFocus} />
      <Submit form={form} look={look} onCancel={onCancel}>
        {children}
      </Submit>
    </form>
  )
}
