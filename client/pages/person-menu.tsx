import { LogOut } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'
import AccountsMenu from '../features/multi-session/accounts-menu.tsx'
import { useDeviceAccounts } from '../features/multi-session/device-accounts.ts'
import type { User } from '../lib/auth/endpoints.ts'
import { cx } from '../lib/cx.ts'
import type { NavigationEntry } from '../lib/navigation.ts'
import { readablePhone } from '../lib/phone.ts'
import { isPlaceholder } from '../lib/placeholder.ts'
import { useSignOut } from '../lib/sign-out.ts'
import { defineTexts, useEveryText, useTexts } from '../lib/texts/texts.ts'
import { setAllSaved } from '../lib/unsaved.ts'
import { Menu, MenuButton, MenuLine, MenuLink } from '../ui/menu.tsx'
import { Avatar } from '../ui/small.tsx'
import { ErrorPanel } from '../ui/state.tsx'

const personMenuTexts = defineTexts('personMenu', { signOutAll: 'Sign out of all accounts' })

interface PersonMenuProps {
  user: User
  /** The pages of the account. */
  pages: NavigationEntry[]
  buttonClassName?: string
  /** Language and theme, where the app chooses them. */
  preferences?: ReactNode
}

/** The picture of the user, with a menu of the account, its other accounts and the sign-out. */
export function PersonMenu({ user, pages, buttonClassName, preferences }: PersonMenuProps) {
  const t = useTexts(personMenuTexts)
  const inLanguage = useEveryText()
  const email = isPlaceholder(user.email) ? null : user.email
  const [, navigate] = useLocation()
  const [isNear, setNear] = useState(false)
  const { data: accounts } = useDeviceAccounts(isNear)
  const signOut = useSignOut(() => {
    setAllSaved()
    navigate('/sign-in')
  })
  // A guest loses the account with the session: another screen asks first.
  const leave = () => (user.isAnonymous ? navigate('/sign-out') : signOut.run())
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button and the items are inside
    <div onPointerEnter={() => setNear(true)} onFocus={() => setNear(true)}>
      <Menu
        button={<Avatar name={user.name || user.email} image={user.image} />}
        label={`${t.account}: ${email ?? user.name}`}
        buttonClassName={cx('rounded-full', buttonClassName)}
      >
        <div className="px-2.5 py-1.5">
          <p dir="auto" className="truncate font-medium">
            {readablePhone(user.name)}
          </p>
          {email && (
            <p dir="auto" className="truncate text-sm text-soft">
              {email}
            </p>
          )}
        </div>
        <MenuLine />
        {pages.map(({ path, label, icon: Icon }) => (
          <MenuLink key={path} to={path}>
            <Icon aria-hidden size={17} />
            {inLanguage(label).label}
          </MenuLink>
        ))}
        <MenuLine />
        {isNear && <AccountsMenu />}
        {preferences}
        <MenuLine />
        <MenuButton onClick={leave}>
          <LogOut aria-hidden size={17} />
          {(accounts?.length ?? 0) > 1 ? t.signOutAll : t.signOut}
        </MenuButton>
      </Menu>
      {signOut.error && <ErrorPanel error={signOut.error} />}
    </div>
  )
}
