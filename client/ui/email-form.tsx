import type { Result } from '../lib/auth/types.ts'
import { emailProblem, type FormOptions, useForm } from '../lib/form.ts'
import { useTexts } from '../lib/texts/texts.ts'
import { Field } from './field.tsx'
import { Submit } from './submit.tsx'
import { typedEmail } from './typed-email.ts'

interface EmailFormProps extends Pick<FormOptions<'email', unknown>, 'errors' | 'refused'> {
  /** A known address, which the form does not ask for. */
  known?: string | undefined
  /** The initial value, instead of the typed address. */
  initial?: string | undefined
  autoFocus?: boolean
  /** The codes of errors that the field shows. */
  at: string[]
  send(email: string): Promise<Result<unknown>>
  done(email: string): void
  action: string
  /** Above the button. */
  children?: React.ReactNode
}

/** A form of a signed-out screen that sends something to an address. */
export function EmailForm({ known, initial, autoFocus, at, send, done, action, children, ...rest }: EmailFormProps) {
  const t = useTexts()
  const form = useForm({
    ...rest,
    fields: ['email'],
    check: ({ email }) => ({ email: !known && emailProblem(email, t) }),
    send: ({ email }) => send(known ?? email.trim()),
    at: Object.fromEntries(at.map((code) => [code, 'email' as const])),
    done: (_answer, { email }) => done(known ?? email.trim()),
  })
  const value = initial === undefined ? typedEmail() : { defaultValue: initial }
  return (
    <form {...form.props} className="grid gap-5">
      {!known && (
        <Field
          {...form.field('email')}
          label={t.email}
          type="email"
          autoComplete="email"
          autoFocus={autoFocus}
          {...value}
        />
      )}
      {children}
      <Submit form={form} wide>
        {action}
      </Submit>
    </form>
  )
}
