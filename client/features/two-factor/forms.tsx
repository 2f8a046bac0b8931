import type { ReactNode } from 'react'
import { useMember } from '../../lib/api.ts'
import type { AuthError, Result } from '../../lib/auth/types.ts'
import { useForm } from '../../lib/form.ts'
import { hasPassword, useAccounts } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import type { ButtonLook } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { Skeleton } from '../../ui/state.tsx'
import { Submit } from '../../ui/submit.tsx'

interface FormProps<Input, Answer> {
  send(input: Input): Promise<Result<Answer>>
  done(answer: Answer): void
  onCancel?(): void
  errors?: Record<string, string>
  autoFocus?: boolean
  children: ReactNode
}

interface PasswordFormProps<Answer> extends FormProps<{ password: string }, Answer> {
  label?: string
  look?: ButtonLook
}

export function PasswordForm<Answer>(props: PasswordFormProps<Answer>) {
  const { label, look, onCancel, autoFocus, children, ...rest } = props
  const t = useTexts()
  const { user } = useMember()
  const form = useForm({
    ...rest,
    fields: ['password'],
    check: ({ password }) => ({ password: !password && t.required.password }),
    at: { INVALID_PASSWORD: 'password' },
  })
  return (
    <form {...form.props} className="grid max-w-md gap-5">
      <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
      <PasswordField {...form.field('password')} kind="current" label={label ?? t.yourPassword} autoFocus={autoFocus} />
      <Submit form={form} look={look} onCancel={onCancel}>
        {children}
      </Submit>
    </form>
  )
}

/** The password of a user who has one. All others confirm with the button, and by a step-up where it is due. */
export function OwnPasswordForm<Answer>(
  props: Omit<PasswordFormProps<Answer>, 'send'> & { send(input: { password?: string }): Promise<Result<Answer>> },
) {
  const { data: accounts, isPending } = useAccounts()
  if (isPending) return <Skeleton lines={2} />
  return !accounts || hasPassword(accounts) ? <PasswordForm {...props} /> : <ConfirmForm {...props} />
}

function ConfirmForm<Answer>({
  look,
  onCancel,
  children,
  send,
  done,
  errors,
}: Omit<PasswordFormProps<Answer>, 'send'> & { send(input: object): Promise<Result<Answer>> }) {
  const form = useForm({ fields: [], send: () => send({}), done, ...(errors ? { errors } : {}) })
  return (
    <form {...form.props} className="grid max-w-md gap-5">
      <Submit form={form} look={look} onCancel={onCancel}>
        {children}
      </Submit>
    </form>
  )
}

interface BackupCodeFormProps<Answer> extends FormProps<string, Answer> {
  hint?: string
  refused?(error: AuthError): boolean
}

export function BackupCodeForm<Answer>(props: BackupCodeFormProps<Answer>) {
  const { hint, send, onCancel, autoFocus, children, ...rest } = props
  const t = useTexts()
  const form = useForm({
    ...rest,
    fields: ['code'],
    check: ({ code }) => ({ code: !code.trim() && t.required.code }),
    send: ({ code }) => send(code.trim()),
    at: { INVALID_BACKUP_CODE: 'code' },
  })
  return (
    <form {...form.props} className="grid gap-5">
      <Field
        {...form.field('code')}
        label={t.backupCode}
        hint={hint}
        autoFocus={autoFocus}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="xxxxx-xxxxx"
      />
      <Submit form={form} wide={!onCancel} onCancel={onCancel}>
        {children}
      </Submit>
    </form>
  )
}
