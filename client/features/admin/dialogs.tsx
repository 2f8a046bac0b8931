import { useState } from 'react'
import { auth, useConfig } from '../../lib/api.ts'
import { looksLikeEmail, useForm } from '../../lib/form.ts'
import { splitRoles } from '../../lib/permissions.ts'
import { isPlaceholder } from '../../lib/placeholder.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button, type ButtonLook } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, SelectField } from '../../ui/field.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { Submit } from '../../ui/submit.tsx'
import { toast } from '../../ui/toasts.tsx'
import { type ManagedUser, nameOf, phraseOf, useAdminRules } from './rights.ts'
import { chosenRoles, RoleFields, roleField } from './role-fields.tsx'
import { adminTexts } from './texts.ts'

interface FormProps {
  user: ManagedUser
  done(): void
  cancel(): void
}

interface DialogButtonProps {
  user: ManagedUser
  label: string
  title: string
  look?: ButtonLook
  /** What is asked; it calls `done` when it was done. */
  form: (props: FormProps) => React.ReactNode
  /** Looks at the person again. */
  refresh(): void
}

/** A button with a form behind it. */
export function DialogButton({ user, label, title, look = 'secondary', form: Form, refresh }: DialogButtonProps) {
  const [open, setOpen] = useState(false)
  const done = () => {
    setOpen(false)
    refresh()
  }
  return (
    <>
      <Button look={look} className="justify-self-start" onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Dialog open={open} title={title} onClose={() => setOpen(false)}>
        <Form user={user} done={done} cancel={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

export function EditForm({ user, done, cancel }: FormProps) {
  const t = useTexts(adminTexts)
  const core = useTexts()
  const address = isPlaceholder(user.email) ? '' : user.email
  const form = useForm({
    fields: ['name', 'email'],
    check: ({ name, email }) => ({
      name: !name.trim() && t.nameRequired,
      email: email.trim() !== address && !looksLikeEmail(email) && (email.trim() ? core.invalidEmail : t.emailRequired),
    }),
    // Only what was changed here: the person may have changed the other in the meantime.
    send: ({ name, email }) =>
      auth.admin.updateUser({
        userId: user.id,
        data: {
          ...(name.trim() === user.name ? {} : { name: name.trim() }),
          ...(email.trim() === address ? {} : { email: email.trim() }),
        },
      }),
    refused: ({ code }) => {
      if (code === 'NO_DATA_TO_UPDATE') cancel()
      return code === 'NO_DATA_TO_UPDATE'
    },
    at: { USER_ALREADY_EXISTS: 'email' },
    errors: t.errors,
    done: () => {
      toast(t.changed)
      done()
    },
  })
  return (
    <form {...form.props} className="grid gap-5">
      <Field {...form.field('name')} label={t.name} defaultValue={user.name} autoComplete="off" />
      <Field
        {...form.field('email')}
        label={t.email}
        hint={t.editEmailHint}
        type="email"
        defaultValue={address}
        autoComplete="off"
      />
      <Submit form={form} onCancel={cancel}>
        {core.save}
      </Submit>
    </form>
  )
}

export function RolesForm({ user, done, cancel }: FormProps) {
  const t = useTexts(adminTexts)
  const core = useTexts()
  const known = Object.keys(useAdminRules().roles)
  const first = roleField(known[0] ?? '')
  const form = useForm({
    fields: known.map(roleField),
    check: (values) => ({ [first]: chosenRoles(values, known).length === 0 && t.roleRequired }),
    send: (values) => auth.admin.setRole({ userId: user.id, role: chosenRoles(values, known) }),
    errors: t.errors,
    done: () => {
      toast(t.rolesChanged)
      done()
    },
  })
  return (
    <form {...form.props} className="grid gap-5">
      <RoleFields held={splitRoles(user.role)} error={form.field(first).error} />
      <Submit form={form} onCancel={cancel}>
        {core.save}
      </Submit>
    </form>
  )
}

export function PasswordForm({ user, done, cancel }: FormProps) {
  const t = useTexts(adminTexts)
  const core = useTexts()
  const { passwordLength } = useConfig()
  const form = useForm({
    fields: ['password'],
    check: ({ password }) => ({
      password: password.length < passwordLength.min && core.passwordTooShort(passwordLength.min),
    }),
    send: ({ password }) => auth.admin.setUserPassword({ userId: user.id, newPassword: password }),
    at: { PASSWORD_TOO_SHORT: 'password', PASSWORD_TOO_LONG: 'password', PASSWORD_COMPROMISED: 'password' },
    errors: t.errors,
    done: () => {
      toast(t.passwordSet)
      done()
    },
  })
  return (
    <form {...form.props} className="grid gap-5">
      <PasswordField
        {...form.field('password')}
        kind="new"
        label={t.password}
        hint={t.setPasswordHint}
        strength={passwordLength}
      />
      <Submit form={form} onCancel={cancel}>
        {t.setPassword}
      </Submit>
    </form>
  )
}

/** Seconds; null until the ban is lifted. */
const durations = { hour: 3600, day: 86_400, week: 604_800, month: 2_592_000, ever: null } as const

export function BanForm({ user, done, cancel }: FormProps) {
  const t = useTexts(adminTexts)
  const core = useTexts()
  const phrase = phraseOf(user)
  const form = useForm({
    fields: ['reason', 'duration', 'phrase'],
    check: (values) => ({ phrase: values.phrase.trim() !== phrase && core.confirmMismatch(phrase) }),
    send: ({ reason, duration }) =>
      auth.admin.banUser({
        userId: user.id,
        banReason: reason.trim(),
        banExpiresIn: durations[duration as keyof typeof durations],
      }),
    errors: t.errors,
    done: () => {
      toast(t.bannedDone(nameOf(user)))
      done()
    },
  })
  return (
    <form {...form.props} className="grid gap-5">
      <p className="text-soft">{t.banWhat}</p>
      <Field {...form.field('reason')} label={t.reason} maxLength={500} optional autoComplete="off" />
      <SelectField {...form.field('duration')} label={t.duration} defaultValue="ever">
        {Object.entries(t.durations).map(([duration, label]) => (
          <option key={duration} value={duration}>
            {label}
          </option>
        ))}
      </SelectField>
      <Field
        {...form.field('phrase')}
        label={core.confirmByTyping(phrase)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <Submit form={form} look="destroy" onCancel={cancel}>
        {t.ban}
      </Submit>
    </form>
  )
}
