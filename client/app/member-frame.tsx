import { QueryClientProvider } from '@tanstack/react-query'
import { LogOut, Menu as MenuIcon, X } from 'lucide-react'
import { type ReactNode, Suspense, useId, useRef } from 'react'
import { Redirect, useLocation, useSearch } from 'wouter'
import { useDeviceAccounts } from '../features/multi-session/device-accounts.ts'
import { useAction } from '../lib/action.ts'
import { auth, type Member, useConfig, useMember } from '../lib/api.ts'
import type { User } from '../lib/auth/endpoints.ts'
import { isPlaceholder } from '../lib/placeholder.ts'
import { profileStep } from '../lib/profile-step.ts'
import { queryClient } from '../lib/queries.ts'
import { useTexts } from '../lib/texts/texts.ts'
import { Menu, MenuButton, MenuLine } from '../ui/menu.tsx'
import { type NavigationGroup, SideNavigation } from '../ui/navigation.tsx'
import { Avatar } from '../ui/small.tsx'
import { ErrorPanel, Skeleton } from '../ui/state.tsx'
import { Brand } from './brand.tsx'
import { banners, offers, personMenu, switchers } from './frame-slots.ts'
import { LanguageSwitch, ThemeSwitch } from './preferences.tsx'
import { sections } from './sections.ts'

/** Around every signed-in screen. Without a session it leads to the sign-in and, from there, back. */
export default function MemberFrame({ children }: { children: ReactNode }) {
  const { data, error, isPending, isRefetching, refetch } = auth.useSession()
  const [location] = useLocation()
  const search = useSearch()
  const wasHere = useRef(false)
  if (data) {
    wasHere.current = true
    const here = `${location}${search && `?${search}`}${window.location.hash}`
    if (profileStep.isDue(data.user))
      return <Redirect to={`/welcome?callbackURL=${encodeURIComponent(here)}`} replace />
    return (
      <QueryClientProvider client={queryClient}>
        <Suspense fallback={<Waiting />}>
          {/* Another person, such as a guest who has got an account, starts with fresh screens. */}
          <Frame key={data.user.id} member={data}>
            {children}
          </Frame>
        </Suspense>
      </QueryClientProvider>
    )
  }
  if (isPending || isRefetching) return <Waiting />
  if (error) {
    return (
      <main className="mx-auto max-w-md p-6">
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      </main>
    )
  }
  const here = `${location}${search && `?${search}`}${window.location.hash}`
  const target = `/sign-in?callbackURL=${encodeURIComponent(here)}`
  // Whoever signs out leads the screen away themselves; a session that is gone all the same has ended.
  return wasHere.current ? <Redirect to={target} replace state={{ ended: true }} /> : <Redirect to={target} replace />
}

function Waiting() {
  return (
    <main className="mx-auto max-w-5xl px-4 py-20 md:ps-68">
      <Skeleton lines={6} />
    </main>
  )
}

function Frame({ member, children }: { member: Member; children: ReactNode }) {
  const { user } = member
  const t = useTexts()
  const { features } = useConfig()
  const navigationId = useId()
  const inOrganization = useIsInOrganization()
  const groups: NavigationGroup[] = sections
    .filter((group) => !group.ofOrganization || inOrganization)
    .map((group) => ({
      id: group.id,
      label: group.label(t),
      items: group.items
        .filter((item) => !item.when || item.when(features, user))
        .map(({ path, label, icon }) => ({ path, label: label(t), icon })),
    }))
    .filter((group) => group.items.length > 0)
  return (
    <>
      <a href="#content" className="sr-only focus:not-sr-only focus:absolute focus:z-30 focus:bg-surface focus:p-3">
        {t.skipToContent}
      </a>
      {banners.map(
        ({ when, component: Banner }, index) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: a fixed list
          when(member) && <Banner key={index} />,
      )}
      <header className="border-b bg-surface">
        <div className="mx-auto flex h-14 max-w-5xl items-center gap-2 px-4">
          <button
            type="button"
            popoverTarget={navigationId}
            aria-label={t.menu}
            className="-ms-2 grid size-10 place-items-center rounded hover:bg-sunken md:hidden"
          >
            <MenuIcon aria-hidden size={20} />
          </button>
          <Brand />
          <Suspense>
            {switchers.map((Switcher, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a fixed list
              <Switcher key={index} />
            ))}
          </Suspense>
          <PersonMenu user={user} />
        </div>
      </header>
      <Drawer id={navigationId} groups={groups} />
      <div className="mx-auto grid max-w-5xl px-4 md:grid-cols-[13rem_1fr] md:gap-12">
        <aside className="hidden py-8 md:block">
          <SideNavigation groups={groups} label={t.mainNavigation} />
        </aside>
        <main id="content" tabIndex={-1} className="min-w-0 py-6 outline-none md:py-8">
          {children}
        </main>
      </div>
      <Suspense>
        {offers.map((Offer, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a fixed list
          <Offer key={index} />
        ))}
      </Suspense>
    </>
  )
}

/** Without an organization its pages have nothing to show. */
function useIsInOrganization(): boolean {
  const { features } = useConfig()
  const { session } = useMember()
  return features.organization === true && Boolean(session.activeOrganizationId)
}

/** The navigation of a narrow window: a popover over its left side. */
function Drawer({ id, groups }: { id: string; groups: NavigationGroup[] }) {
  const t = useTexts()
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a click here is a click on one of the links
    // biome-ignore lint/a11y/useKeyWithClickEvents: as above
    <div
      id={id}
      popover="auto"
      onClick={(event) => (event.target as HTMLElement).closest('a') && event.currentTarget.hidePopover()}
      className="fixed inset-y-0 start-0 end-auto h-dvh max-h-none w-72 max-w-[85vw] border-e bg-surface p-3 shadow-raised backdrop:bg-backdrop"
    >
      <button
        type="button"
        popoverTarget={id}
        popoverTargetAction="hide"
        aria-label={t.close}
        className="mb-2 grid size-10 place-items-center rounded hover:bg-sunken"
      >
        <X aria-hidden size={20} />
      </button>
      <SideNavigation groups={groups} label={t.mainNavigation} />
    </div>
  )
}

function PersonMenu({ user }: { user: User }) {
  const t = useTexts()
  const email = isPlaceholder(user.email) ? null : user.email
  const [, navigate] = useLocation()
  const { data: accounts = [] } = useDeviceAccounts()
  const signOut = useAction(
    () => auth.signOut(),
    () => navigate('/sign-in'),
  )
  // A guest loses everything with the session: that is asked on a screen of its own.
  const leave = () => (user.isAnonymous ? navigate('/sign-out') : signOut.run())
  return (
    <div className="ms-auto">
      <Menu
        button={<Avatar name={user.name || user.email} image={user.image} />}
        label={`${t.account}: ${email ?? user.name}`}
        buttonClassName="rounded-full px-1"
      >
        <div className="px-2.5 py-1.5">
          <p className="truncate font-medium">{user.name}</p>
          {email && <p className="truncate text-sm text-soft">{email}</p>}
        </div>
        <MenuLine />
        <Suspense>
          {personMenu.map((Item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a fixed list
            <Item key={index} />
          ))}
        </Suspense>
        <div className="flex items-center justify-between gap-4 px-2.5 py-1.5">
          <LanguageSwitch />
          <ThemeSwitch />
        </div>
        <MenuLine />
        <MenuButton onClick={leave}>
          <LogOut aria-hidden size={17} />
          {accounts.length > 1 ? t.signOutAll : t.signOut}
        </MenuButton>
      </Menu>
      {signOut.error && <ErrorPanel error={signOut.error} />}
    </div>
  )
}
