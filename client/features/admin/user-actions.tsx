import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useAction } from '../../lib/action.ts'
import { auth } from '../../lib/api.ts'
import type { User } from '../../lib/auth/endpoints.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { buttonClass } from '../../ui/button.tsx'
import { ConfirmDestroy } from '../../ui/confirm-destroy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Menu, MenuButton, MenuLine } from '../../ui/menu.tsx'
import { ErrorPanel } from '../../ui/state.tsx'
import { toast } from '../../ui/toasts.tsx'
import { BanForm, EditForm, ImpersonateForm, PasswordForm, RolesForm } from './dialogs.tsx'
import { isBanned, nameOf, phraseOf, refreshUser, useAdministers, useRights } from './rights.ts'
import { adminTexts } from './texts.ts'

const forms = { impersonate: ImpersonateForm, edit: EditForm, roles: RolesForm, password: PasswordForm, ban: BanForm }

interface UserMenuProps {
  user: User
  /** The administrator has all permissions of the user. */
  inReach: boolean
  isMe: boolean
}

/** What the administrator may do with a user, by consequence: details, access, the end of the account. */
export function UserMenu({ user, inReach, isMe }: UserMenuProps) {
  const t = useTexts(adminTexts)
  const { may } = useRights()
  const administers = useAdministers()
  const [, navigate] = useLocation()
  const [open, setOpen] = useState<keyof typeof forms | null>(null)
  const close = () => setOpen(null)
  const unban = useAction(
    () => auth.admin.unbanUser({ userId: user.id }),
    () => {
      toast(t.unbanned)
      refreshUser()
    },
  )
  const name = nameOf(user)
  const mayOnOthers = (action: string) => !isMe && may({ user: [action] })
  const mayImpersonate = mayOnOthers('impersonate') && !isBanned(user) && !administers(user.role ?? '')
  const mayEdit = may({ user: ['update'] })
  const mayGiveRoles = mayOnOthers('set-role')
  const maySetPassword = mayOnOthers('set-password')
  const mayBan = mayOnOthers('ban')
  const mayRemove = mayOnOthers('delete')
  const mayChange = mayImpersonate || mayEdit || mayGiveRoles || maySetPassword
  if (!inReach || !(mayChange || mayBan || mayRemove)) return null
  const titles = {
    impersonate: t.impersonateOf(name),
    edit: t.editOne(name),
    roles: t.rolesOf(name),
    password: t.setPasswordOf(name),
    ban: t.banOf(name),
  }
  const Form = open && forms[open]
  return (
    <div className="flex flex-col items-end gap-3">
      <ConfirmDestroy
        title={t.removeQuestion(name)}
        action={t.remove}
        phrase={phraseOf(user)}
        errors={t.errors}
        send={() => auth.admin.removeUser({ userId: user.id })}
        done={() => {
          toast(t.removed(name))
          navigate('/admin/users')
          refreshUser()
        }}
        trigger={(ask) => (
          <Menu
            button={
              <>
                {t.actions}
                <ChevronDown aria-hidden size={16} />
              </>
            }
            buttonClassName={buttonClass()}
          >
            {mayEdit && <MenuButton onClick={() => setOpen('edit')}>{t.edit}</MenuButton>}
            {mayGiveRoles && <MenuButton onClick={() => setOpen('roles')}>{t.changeRoles}</MenuButton>}
            {(mayEdit || mayGiveRoles) && (maySetPassword || mayImpersonate) && <MenuLine />}
            {maySetPassword && <MenuButton onClick={() => setOpen('password')}>{t.setPassword}</MenuButton>}
            {mayImpersonate && <MenuButton onClick={() => setOpen('impersonate')}>{t.impersonate}</MenuButton>}
            {mayChange && (mayBan || mayRemove) && <MenuLine />}
            {mayBan &&
              (isBanned(user) ? (
                <MenuButton onClick={() => unban.run()}>{t.unban}</MenuButton>
              ) : (
                <MenuButton danger onClick={() => setOpen('ban')}>
                  {t.ban}
                </MenuButton>
              ))}
            {mayRemove && (
              <MenuButton danger onClick={ask}>
                {t.remove}
              </MenuButton>
            )}
          </Menu>
        )}
      >
        {t.removeWhat}
      </ConfirmDestroy>
      <Dialog open={open !== null} title={open && titles[open]} onClose={close}>
        {Form && <Form user={user} close={close} />}
      </Dialog>
      {unban.error && <ErrorPanel error={unban.error} errors={t.errors} />}
    </div>
  )
}
