import { useLocation } from 'wouter'
import { splitRoles } from '../../../worker/kit/permissions.ts'
import { lengthOf } from '../../../worker/kit/text-length.ts'
import { auth, useConfig } from '../../lib/api.ts'
import type { User } from '../../lib/auth/endpoints.ts'
import { looksLikeEmail, useForm } from '../../lib/form.ts'
import { useLifetime } from '../../lib/lifetime.ts'
import { chosenRoles, roleField } from '../../lib/permissions.ts'
import { isPlaceholder } from '../../lib/placeholder.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { confirmTexts, PhraseField } from '../../ui/confirm-destroy.tsx'
import { Field, SelectField } from '../../ui/field.tsx'
import { NewPasswordField, newPasswordErrors } from '../../ui/new-password.tsx'
import { Submit } from '../../ui/submit.tsx'
import { toast } from '../../ui/toasts.tsx'
import { durations } from './durations.ts'
import { nameOf, phraseOf, refreshUser, useAdminRules } from './rights.ts'
import { RoleFields } from './role-fields.tsx'
import { adminTexts } from './texts.ts'

interface FormProps {
  user: User
  close(): void
}

export function EditForm({ user, close }: FormProps) {
  const t = useTexts(adminTexts)
  const address = isPlaceholder(user.email) ? '' : user.email
  const form = useForm({
    fields: ['name', 'email'],
    check: ({ name, email }) => ({
      name: !name.trim() && t.nameRequired,
      email: email.trim() !== address && !looksLikeEmail(email) && (email.trim() ? t.invalidEmail : t.emailRequired),
    }),
    // Only fields that changed here are sent: the user may have changed the others.
    send: ({ name, email }) =>
      auth.admin.updateUser({
        userId: user.id,
        data: {
          ...(name.trim() === user.name ? {} : { name: name.trim() }),
          ...(email.trim() === address ? {} : { email: email.trim() }),
        },
      }),
    refused: ({ code }) => {
      if (code === 'NO_DATA_TO_UPDATE') close()
      return code === 'NO_DATA_TO_UPDATE'
    },
    at: { USER_ALREADY_EXISTS: 'email' },
    errors: t.errors,
    done: () => {
      toast(t.saved)
      close()
      refreshUser()
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
      <Submit form={form} onCancel={close}>
        {t.save}
      </Submit>
    </form>
  )
}

export function RolesForm({ user, close }: FormProps) {
  const t = useTexts(adminTexts)
  const known = Object.keys(useAdminRules().roles)
  const first = roleField(known[0] ?? '')
  const form = useForm({
    fields: known.map(roleField),
    check: (values) => ({ [first]: chosenRoles(values, known).length === 0 && t.roleRequired }),
    send: (values) => auth.admin.setRole({ userId: user.id, role: chosenRoles(values, known) }),
    errors: t.errors,
    done: () => {
      toast(t.rolesChanged)
      close()
      refreshUser()
    },
  })
  return (
    <form {...form.props} className="grid gap-5">
      <RoleFields held={splitRoles(user.role ?? '')} error={form.field(first).error} />
      <Submit form={form} onCancel={close}>
        {t.save}
      </Submit>
    </form>
  )
}

export function PasswordForm({ user, close }: FormProps) {
  const t = useTexts(adminTexts)
  const { passwordLength } = useConfig()
  const form = useForm({
    fields: ['password'],
    check: ({ password }) => ({
      password: lengthOf(password) < passwordLength.min && t.passwordTooShort(passwordLength.min),
    }),
    send: ({ password }) => auth.admin.setUserPassword({ userId: user.id, newPassword: password }),
    at: newPasswordErrors('password'),
    errors: t.errors,
    done: () => {
      toast(t.passwordSet)
      close()
      refreshUser()
    },
  })
  return (
    <form {...form.props} className="grid gap-5">
      <NewPasswordField {...form.field('password')} label={t.password} hint={t.setPasswordHint} />
      <Submit form={form} onCancel={close}>
        {t.setPassword}
      </Submit>
    </form>
  )
}

/** Asks why: the audit log keeps the reason. */
export function ImpersonateForm({ user, close }: FormProps) {
  const t = useTexts(adminTexts)
  const lifetime = useLifetime('impersonation')
  const [, navigate] = useLocation()
  const form = useForm({
    fields: ['reason'],
    check: ({ reason }) => ({ reason: !reason.trim() && t.reasonRequired }),
    send: ({ reason }) => auth.admin.impersonateUser({ userId: user.id, reason: reason.trim() }),
    errors: t.errors,
    done: () => {
      close()
      navigate('/')
    },
  })
  return (
    <form {...form.props} className="grid gap-5">
      <p className="text-soft">{t.impersonateWhat(nameOf(user), lifetime)}</p>
      <Field {...form.field('reason')} label={t.reason} hint={t.impersonateHint} maxLength={500} autoComplete="off" />
      <Submit form={form} onCancel={close}>
        {t.signIn}
      </Submit>
    </form>
  )
}

export function BanForm({ user, close }: FormProps) {
  const t = useTexts(adminTexts)
  const { confirmMismatch } = useTexts(confirmTexts)
  const phrase = phraseOf(user)
  const form = useForm({
    fields: ['reason', 'duration', 'phrase'],
    check: (values) => ({ phrase: values.phrase.trim() !== phrase && confirmMismatch(phrase) }),
    send: ({ reason, duration }) =>
      auth.admin.banUser({
        userId: user.id,
        banReason: reason.trim(),
        banExpiresIn: durations[duration as keyof typeof durations],
      }),
    errors: t.errors,
    done: () => {
      toast(t.bannedDone(nameOf(user)))
      close()
      refreshUser()
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
      <PhraseField {...form.field('phrase')} phrase={phrase} />
      <Submit form={form} look="destroy" onCancel={close}>
        {t.ban}
      </Submit>
    </form>
  )
}
