import { LogOut, UserPlus } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useLocation } from 'wouter'
import { useAction } from '../../lib/action.ts'
import { auth, useConfig, useMember } from '../../lib/api.ts'
import type { User } from '../../lib/auth/endpoints.ts'
import type { AuthError } from '../../lib/auth/types.ts'
import { isPlaceholder } from '../../lib/placeholder.ts'
import { refreshQueries } from '../../lib/queries.ts'
import { rootClass } from '../../lib/root.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { MenuButton, MenuLine, MenuLink } from '../../ui/menu.tsx'
import { Avatar } from '../../ui/small.tsx'
import { ErrorPanel } from '../../ui/state.tsx'
import { toast } from '../../ui/toasts.tsx'
import { type DeviceAccount, useDeviceAccounts, useHoldsAccounts } from './device-accounts.ts'
import { multiSessionTexts } from './texts.ts'

export default function AccountsMenu() {
  return useHoldsAccounts() ? <Accounts /> : null
}

const nameOf = ({ name, email }: User): string => name || email

function Accounts() {
  const t = useTexts(multiSessionTexts)
  const { user, session } = useMember()
  const most = useConfig().multiSession?.maximumSessions ?? 1
  const data = useDeviceAccounts().data ?? []
  const others = data.filter((account) => account.user.id !== user.id)
  const held = data.some((account) => account.session.id === session.id)
  const leave = useAction(() => auth.multiSession.revoke({ sessionToken: session.token }))
  return (
    <>
      {others.length > 0 && (
        <ul aria-label={t.accounts}>
          {others.map((account) => (
            <li key={account.user.id}>
              <AccountLine account={account} />
            </li>
          ))}
        </ul>
      )}
      {data.length < most ? (
        <MenuLink to="/sign-in?add=account">
          <UserPlus aria-hidden size={17} />
          {t.add}
        </MenuLink>
      ) : (
        <p className="max-w-64 px-2.5 py-1.5 text-sm text-soft">{t.full(most)}</p>
      )}
      {others.length > 0 && held && (
        <MenuButton onClick={leave.run}>
          <LogOut aria-hidden size={17} />
          {t.onlyThis}
        </MenuButton>
      )}
      <MenuLine />
    </>
  )
}

function AccountLine({ account: { user, session } }: { account: DeviceAccount }) {
  const t = useTexts(multiSessionTexts)
  const [location, navigate] = useLocation()
  const [switching, setSwitching] = useState(false)
  // Shown in a dialog, because the menu has closed.
  const [problem, setProblem] = useState<AuthError | null>(null)
  const name = nameOf(user)
  function forget() {
    setProblem(null)
    refreshQueries('session')
  }
  const enter = useAction(async () => {
    setSwitching(true)
    const result = await auth.multiSession.setActive({ sessionToken: session.token })
    if (result.error) {
      setSwitching(false)
      setProblem(result.error)
    }
    // The other user may not have access to this page. The frame starts over with their session.
    else if (!location.startsWith('/account')) navigate('/account/profile')
    return result
  })
  const leave = useAction(async () => {
    const result = await auth.multiSession.revoke({ sessionToken: session.token })
    if (result.error) setProblem(result.error)
    else toast(t.signedOut(name))
    return result
  })
  return (
    <>
      <div className="flex items-center gap-1">
        <MenuButton onClick={enter.run}>
          <Avatar name={name} image={user.image} size={28} />
          <span className="min-w-0 flex-1">
            <span className="sr-only">{t.switchTo(name)}</span>
            <span aria-hidden dir="auto" className="block truncate">
              {name}
            </span>
            {!isPlaceholder(user.email) && (
              <span dir="auto" className="block truncate text-sm text-soft">
                {user.email}
              </span>
            )}
          </span>
        </MenuButton>
        <IconButton label={t.signOutOne(name)} data-stay onClick={leave.run}>
          <LogOut aria-hidden size={17} />
        </IconButton>
      </div>
      {createPortal(
        <>
          {switching && <Switching>{t.switching(name)}</Switching>}
          <Dialog open={problem !== null} title={name} onClose={forget}>
            {problem && <ErrorPanel error={problem} errors={t.errors} />}
          </Dialog>
        </>,
        document.querySelector(`.gh-${rootClass}`) ?? document.body,
      )}
    </>
  )
}

/** Covers the page of one user until the frame of the next one is shown. */
function Switching({ children }: { children: ReactNode }) {
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => ref.current?.showModal(), [])
  return (
    <dialog
      ref={ref}
      onCancel={(event) => event.preventDefault()}
      className="fixed inset-0 m-0 size-full max-h-none max-w-none place-items-center bg-paper text-ink open:grid"
    >
      <p role="status" className="animate-appear">
        {children}
      </p>
    </dialog>
  )
}
