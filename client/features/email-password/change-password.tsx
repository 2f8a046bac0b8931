import { useState } from 'react'
import { auth, useConfig, useMember } from '../../lib/api.ts'
import { useForm } from '../../lib/form.ts'
import { isPlaceholder } from '../../lib/placeholder.ts'
import { queryClient } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { ResendButton } from '../../ui/resend-button.tsx'
import { Submit } from '../../ui/submit.tsx'
import { toast } from '../../ui/toasts.tsx'
import { passwordTexts } from './texts.ts'

/** The button that changes the password, or sets a first one, and its dialog. */
export function ChangePassword({ exists }: { exists: boolean }) {
  const t = useTexts(passwordTexts)
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  const title = exists ? t.change : t.setFirst
  return (
    <>
      <Button onClick={() => setOpen(true)}>{title}</Button>
      <Dialog open={open} title={title} onClose={close}>
        {exists ? <ChangeForm close={close} /> : <NoPassword />}
      </Dialog>
    </>
  )
}

function ChangeForm({ close }: { close(): void }) {
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
      close()
      void queryClient.invalidateQueries({ queryKey: ['sessions'] })
      toast(t.changed)
    },
  })
  return (
    <form {...form.props} className="grid gap-5">
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
      <Submit form={form} onCancel={close}>
        {t.change}
      </Submit>
    </form>
  )
}

/** A first password is chosen by a mailed link, like a forgotten one: without an address there is no way to send it. */
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
