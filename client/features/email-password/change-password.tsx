import { auth, useMember } from '../../lib/api.ts'
import { useForm } from '../../lib/form.ts'
import { isPlaceholder } from '../../lib/placeholder.ts'
import { refreshQueries } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { DialogButton } from '../../ui/dialog.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { NewPasswordField, newPasswordErrors, useNewPasswordCheck } from '../../ui/new-password.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { ResendButton } from '../../ui/resend-button.tsx'
import { Submit } from '../../ui/submit.tsx'
import { toast } from '../../ui/toasts.tsx'
import { passwordTexts } from './texts.ts'

export function ChangePassword({ exists }: { exists: boolean }) {
  const t = useTexts(passwordTexts)
  return (
    <DialogButton
      id="change-password"
      label={exists ? t.change : t.setFirst}
      short={exists ? t.changeShort : t.setShort}
    >
      {(close) => (exists ? <ChangeForm close={close} /> : <NoPassword />)}
    </DialogButton>
  )
}

function ChangeForm({ close }: { close(): void }) {
  const t = useTexts(passwordTexts)
  const { user } = useMember()
  const check = useNewPasswordCheck()
  const form = useForm({
    fields: ['currentPassword', 'newPassword', 'revokeOtherSessions'],
    check: ({ currentPassword, newPassword }) => ({
      currentPassword: !currentPassword && t.required.password,
      newPassword: check(newPassword) || (newPassword === currentPassword && t.same),
    }),
    send: ({ currentPassword, newPassword, revokeOtherSessions }) =>
      auth.changePassword({ currentPassword, newPassword, revokeOtherSessions: revokeOtherSessions === 'on' }),
    at: {
      INVALID_PASSWORD: 'currentPassword',
      ...newPasswordErrors('newPassword'),
    },
    done() {
      close()
      refreshQueries('sessions')
      toast(t.changed)
    },
  })
  return (
    <form {...form.props} className="grid gap-5">
      {/* Password managers store the password for this address. */}
      <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
      <PasswordField {...form.field('currentPassword')} kind="current" label={t.current} />
      <NewPasswordField {...form.field('newPassword')} />
      <Checkbox name="revokeOtherSessions" label={t.signOutOthers} hint={t.signOutOthersHint} defaultChecked />
      <Submit form={form} onCancel={close}>
        {t.change}
      </Submit>
    </form>
  )
}

/** A first password is set by a mailed link, which requires an address. */
function NoPassword() {
  const t = useTexts(passwordTexts)
  const { user } = useMember()
  if (isPlaceholder(user.email)) {
    return (
      <>
        <p>{t.addressFirst}</p>
        <ButtonLink to="/account/profile#email" look="primary" wide>
          {t.addAddress}
        </ButtonLink>
      </>
    )
  }
  return (
    <>
      <p>{t.none(user.email)}</p>
      <ResendButton
        ready
        look="primary"
        send={() => auth.requestPasswordReset({ email: user.email, redirectTo: '/reset-password' })}
      >
        {t.sendLink}
      </ResendButton>
    </>
  )
}
