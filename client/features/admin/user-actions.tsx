import { useLocation } from 'wouter'
import { useAction } from '../../lib/action.ts'
import { auth } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDestroy } from '../../ui/confirm-destroy.tsx'
import { Section } from '../../ui/page.tsx'
import { ErrorPanel } from '../../ui/state.tsx'
import { toast } from '../../ui/toasts.tsx'
import { BanForm, DialogButton, PasswordForm, RolesForm } from './dialogs.tsx'
import { isBanned, type ManagedUser, nameOf, phraseOf, useAdministers, useRights } from './rights.ts'
import { adminTexts } from './texts.ts'

interface ActionsProps {
  user: ManagedUser
  refresh(): void
}

/** What can be done for somebody, and taken back. */
export function Actions({ user, refresh }: ActionsProps) {
  const t = useTexts(adminTexts)
  const { may } = useRights()
  const administers = useAdministers()
  const [, navigate] = useLocation()
  const impersonate = useAction(
    () => auth.admin.impersonateUser({ userId: user.id }),
    () => navigate('/'),
  )
  const mayImpersonate = may({ user: ['impersonate'] }) && !isBanned(user) && !administers(user.role)
  const name = nameOf(user)
  if (!mayImpersonate && !may({ user: ['set-role'] }) && !may({ user: ['set-password'] })) return null
  return (
    <Section title={t.actions}>
      <div className="flex flex-wrap gap-3">
        {mayImpersonate && (
          <Button busy={impersonate.busy} onClick={() => impersonate.run()}>
            {t.impersonate}
          </Button>
        )}
        {may({ user: ['set-role'] }) && (
          <DialogButton user={user} label={t.changeRoles} title={t.rolesOf(name)} form={RolesForm} refresh={refresh} />
        )}
        {may({ user: ['set-password'] }) && (
          <DialogButton
            user={user}
            label={t.setPassword}
            title={t.setPasswordOf(name)}
            form={PasswordForm}
            refresh={refresh}
          />
        )}
      </div>
      {mayImpersonate && <p className="text-soft">{t.impersonateHint}</p>}
      {impersonate.error && <ErrorPanel error={impersonate.error} errors={t.errors} />}
    </Section>
  )
}

/** What somebody would not like. */
export function Danger({ user, refresh }: ActionsProps) {
  const t = useTexts(adminTexts)
  const { may } = useRights()
  const [, navigate] = useLocation()
  const name = nameOf(user)
  const unban = useAction(
    () => auth.admin.unbanUser({ userId: user.id }),
    () => {
      toast(t.unbanned)
      refresh()
    },
  )
  if (!may({ user: ['ban'] }) && !may({ user: ['delete'] })) return null
  return (
    <Section title={t.danger} danger>
      <div className="flex flex-wrap gap-3">
        {may({ user: ['ban'] }) &&
          (isBanned(user) ? (
            <Button busy={unban.busy} onClick={() => unban.run()}>
              {t.unban}
            </Button>
          ) : (
            <DialogButton
              user={user}
              label={t.ban}
              title={t.banOf(name)}
              look="danger"
              form={BanForm}
              refresh={refresh}
            />
          ))}
        {may({ user: ['delete'] }) && (
          <ConfirmDestroy
            title={t.removeQuestion(name)}
            action={t.remove}
            phrase={phraseOf(user)}
            errors={t.errors}
            send={() => auth.admin.removeUser({ userId: user.id })}
            done={() => {
              toast(t.removed(name))
              navigate('/admin/users')
              refresh()
            }}
          >
            {t.removeWhat}
          </ConfirmDestroy>
        )}
      </div>
      {unban.error && <ErrorPanel error={unban.error} errors={t.errors} />}
    </Section>
  )
}
