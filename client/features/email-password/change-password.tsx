import { auth, useConfig, useMember } from '../../lib/api.ts'
import { useForm } from '../../lib/form.ts'
import { hasPassword, queryClient, useAccounts } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Checkbox } from '../../ui/field.tsx'
import { formClass, Page, Section } from '../../ui/page.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { ResendButton } from '../../ui/resend-button.tsx'
import { Loaded } from '../../ui/state.tsx'
import { Submit } from '../../ui/submit.tsx'
import { toast } from '../../ui/toasts.tsx'
import { passwordTexts } from './texts.ts'

export default function ChangePassword() {
  const t = useTexts(passwordTexts)
  const accounts = useAccounts()
  return (
    <Page title={t.title} intro={t.intro}>
      <Section>
        <Loaded of={accounts}>{(list) => (hasPassword(list) ? <ChangeForm /> : <NoPassword />)}</Loaded>
      </Section>
    </Page>
  )
}

function ChangeForm() {
  const t = useTexts(passwordTexts)
  const core = useTexts()
  const { user } = useMember()
  const { passwordLength } = useConfig()
  const form = useForm({
    fields: ['currentPassword', 'newPassword', 'revokeOtherSessions'],
    check: ({ currentPassword, newPassword }) => ({
      currentPassword: !currentPassword && core.required.password,
      newPassword: !newPassword
        ? core.required.newPassword
        : newPassword.length < passwordLength.min
          ? core.passwordTooShort(passwordLength.min)
          : newPassword.length > passwordLength.max
            ? core.passwordTooLong(passwordLength.max)
            : newPassword === currentPassword && t.same,
    }),
    send: ({ currentPassword, newPassword, revokeOtherSessions }) =>
      auth.changePassword({ currentPassword, newPassword, revokeOtherSessions: revokeOtherSessions === 'on' }),
    at: {
      INVALID_PASSWORD: 'currentPassword',
      PASSWORD_TOO_SHORT: 'newPassword',
      PASSWORD_TOO_LONG: 'newPassword',
      PASSWORD_COMPROMISED: 'newPassword',
    },
    done() {
      form.reset()
      void queryClient.invalidateQueries({ queryKey: ['sessions'] })
      toast(t.changed)
    },
  })
  return (
    <form {...form.props} className={formClass}>
      {/* For password managers: whose password this is. */}
      <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
      <PasswordField {...form.field('currentPassword')} kind="current" label={t.current} />
      <PasswordField
        {...form.field('newPassword')}
        kind="new"
        label={t.newPassword}
        hint={core.strength.short(passwordLength.min)}
        strength={passwordLength}
      />
      <Checkbox name="revokeOtherSessions" label={t.signOutOthers} hint={t.signOutOthersHint} defaultChecked />
      <Submit form={form}>{t.submit}</Submit>
    </form>
  )
}

/** Somebody who came through a provider gets a first password in the same way as a forgotten one. */
function NoPassword() {
  const t = useTexts(passwordTexts)
  const { user } = useMember()
  return (
    <div className="grid gap-4">
      <p className="max-w-prose">{t.none}</p>
      <ResendButton
        ready
        wide={false}
        send={() => auth.requestPasswordReset({ email: user.email, redirectTo: '/reset-password' })}
      >
        {t.sendLink}
      </ResendButton>
    </div>
  )
}
