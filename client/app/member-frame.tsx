import { Menu as MenuIcon, X } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useId, useRef } from 'react'
import { Redirect, useLocation, useSearch } from 'wouter'
import OrganizationSwitcher from '../features/organization/switcher.tsx'
import { usePasskeyOffer } from '../features/passkey/may-offer.ts'
import { StepUp, StepUpReturn, TypedInput } from '../features/step-up/host.tsx'
import { auth, useConfig } from '../lib/api.ts'
import type { Member } from '../lib/auth/endpoints.ts'
import { signingIn } from '../lib/cookies.ts'
import { useLive } from '../lib/live.ts'
import { profileStep } from '../lib/profile-step.ts'
import { useOrganizations, useQuery } from '../lib/queries.ts'
import { useHydrated } from '../lib/store.ts'
import { useEveryText, useTexts } from '../lib/texts/texts.ts'
import { ofPages } from '../pages/account-pages.ts'
import { PersonMenu } from '../pages/person-menu.tsx'
import { PageTabs } from '../ui/member-page.tsx'
import { type NavigationGroup, SideNavigation, tabsAt } from '../ui/navigation.tsx'
import { Unavailable } from '../ui/unavailable.tsx'
import CommandButton from './command-button.tsx'
import { Layout, Loading, WaitingFrame } from './member-layout.tsx'
import { LanguageSwitch, ThemeSwitch } from './preferences.tsx'
import { groups as allGroups, entriesFor } from './sections.ts'
import { UnsavedChanges } from './unsaved-changes.tsx'
import { VisitorFrame } from './visitor-frame.tsx'

// The page waits for the code of its banner: a later banner would move the page.
const ImpersonationBanner = lazy(() => import('../features/admin/impersonation-banner.tsx'))
const GuestBanner = lazy(() => import('../features/anonymous/guest-banner.tsx'))
// Loaded when a request arrives.
const ApprovalBanner = lazy(() => import('../features/identity-provider/approval-banner.tsx'))
const PasskeyOffer = lazy(() => import('../features/passkey/offer.tsx'))

/** The frame of signed-in screens. Without a session it redirects to the sign-in, which leads back. */
export default function MemberFrame({ children }: { children: ReactNode }) {
  const { data, error, isPending, isRefetching, refetch } = auth.useSession()
  const [location] = useLocation()
  const search = useSearch()
  const hydrated = useHydrated()
  const wasHere = useRef(false)
  const here = encodeURIComponent(`${location}${search && `?${search}`}${window.location.hash}`)
  if (!hydrated) return <WaitingFrame />
  if (data) {
    wasHere.current = true
    signingIn.set(false)
    if (profileStep.isDue(data.user)) return <Redirect to={`/welcome?callbackURL=${here}`} replace />
    return (
      <Suspense fallback={<WaitingFrame />}>
        {/* Another user, such as a guest who has signed up, starts with new screens. */}
        <Frame key={data.user.id} member={data}>
          {children}
        </Frame>
      </Suspense>
    )
  }
  if (isPending || isRefetching) return <WaitingFrame />
  // A browser that has lost the key of its session signs in again.
  if (error && error.code !== 'SESSION_KEY_REQUIRED') {
    return (
      <VisitorFrame>
        <Unavailable error={error} onRetry={() => void refetch()} />
      </VisitorFrame>
    )
  }
  const target = `/sign-in?callbackURL=${here}`
  // A sign-out navigates itself. A session that is missing otherwise has expired, or the browser refused its cookie.
  const state = wasHere.current ? { ended: true } : signingIn.get() ? { refused: true } : null
  return <Redirect to={target} replace state={state} />
}

function Frame({ member, children }: { member: Member; children: ReactNode }) {
  const [location] = useLocation()
  const { user, session } = member
  const t = useTexts()
  const inLanguage = useEveryText()
  const { features, admin, organization } = useConfig()
  const { approvals } = useLive()
  const offer = usePasskeyOffer()
  const navigationId = useId()
  const organizations = useOrganizations(Boolean(features.organization)).data ?? []
  const inOrganization = features.organization && (session.activeOrganizationId || organizations.length > 0)
  const activeId = (features.audit && session.activeOrganizationId) || null
  const me = useQuery(['activeMember', activeId], () => auth.organization.getActiveMember(), activeId !== null).data
  const membership = activeId !== null && me ? { role: me.role, roles: organization?.roles ?? {} } : null
  const entries = entriesFor(features, user, admin?.roles ?? {}, membership)
  const groups: NavigationGroup[] = allGroups
    .filter(({ id }) => id !== 'organization' || inOrganization)
    .map(({ id, label }) => ({
      id,
      label: label(t),
      items: entries
        .filter(({ group }) => group === id)
        .map(({ path, label, icon, in: parent }) => ({
          path,
          label: inLanguage(label).label,
          english: label.english.label,
          icon,
          in: parent,
        })),
    }))
    .filter(({ items }) => items.length > 0)
  return (
    <>
      <a href="#content" className="sr-only focus:not-sr-only focus:absolute focus:z-30 focus:bg-surface focus:p-3">
        {t.skipToContent}
      </a>
      {session.impersonatedBy && <ImpersonationBanner />}
      {user.isAnonymous && <GuestBanner />}
      {approvals && (
        <Suspense>
          <ApprovalBanner />
        </Suspense>
      )}
      <Layout
        menu={
          <button
            type="button"
            popoverTarget={navigationId}
            aria-label={t.menu}
            className="-ms-2 grid size-10 place-items-center rounded hover:bg-sunken md:hidden"
          >
            <MenuIcon aria-hidden size={20} />
          </button>
        }
        bar={
          <>
            <OrganizationSwitcher />
            <div className="ms-auto flex flex-none items-center gap-1">
              <CommandButton groups={groups} />
              <PersonMenu
                user={user}
                pages={ofPages}
                buttonClassName="-me-2"
                preferences={
                  <div className="flex items-center justify-between gap-4 px-2.5 py-1.5 empty:hidden">
                    <LanguageSwitch />
                    <ThemeSwitch />
                  </div>
                }
              />
            </div>
          </>
        }
        drawer={<Drawer id={navigationId} groups={groups} />}
        aside={<SideNavigation groups={groups} label={t.mainNavigation} />}
      >
        <StepUpReturn />
        <TypedInput />
        <PageTabs value={tabsAt(location, groups)}>
          <Loading>{children}</Loading>
        </PageTabs>
      </Layout>
      <StepUp />
      <UnsavedChanges />
      {offer.due && (
        <Suspense>
          <PasskeyOffer made={offer.due === 'made'} onClose={offer.end} />
        </Suspense>
      )}
    </>
  )
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
