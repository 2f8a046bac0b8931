import { Fragment, lazy, type ReactNode, Suspense } from 'react'
import { auth } from '../../lib/api.ts'
import type { Member } from '../../lib/auth/endpoints.ts'
import type { NavigationEntry } from '../../lib/navigation.ts'
import type { Screen } from '../../lib/screens.ts'
import { useEveryText, useTexts } from '../../lib/texts/texts.ts'
import { Tabs } from '../../ui/tabs.tsx'
import { CurrentScreen, Within } from './runtime.tsx'

const StepUpReturn = lazy(async () => ({ default: (await import('../../features/step-up/host.tsx')).StepUpReturn }))

/** For a signed-in user. Another user starts with new screens. */
export function ForMember({ children }: { children: (member: Member) => ReactNode }) {
  const { data } = auth.useSession()
  return data && <Fragment key={data.user.id}>{children(data)}</Fragment>
}

interface MemberFlowProps {
  screens: Screen[]
  start: string
  /** The screens that are one click away. */
  tabs?: NavigationEntry[]
  ends?: Record<string, string | undefined>
}

/** The screens of a signed-in user, with tabs. */
export function MemberFlow({ screens, start, tabs = [], ends }: MemberFlowProps) {
  return (
    <ForMember>
      {() => (
        <Within start={start} screens={screens} ends={ends}>
          <div className="grid grid-cols-1 gap-6">
            <Suspense>
              {tabs.length > 1 && <TabsOf entries={tabs} />}
              <StepUpReturn />
            </Suspense>
            <CurrentScreen screens={screens} />
          </div>
        </Within>
      )}
    </ForMember>
  )
}

function TabsOf({ entries }: { entries: NavigationEntry[] }) {
  const t = useTexts()
  const inLanguage = useEveryText()
  return (
    <Tabs
      label={t.mainNavigation}
      items={entries.map(({ path, label, icon }) => ({ path, label: inLanguage(label).label, icon }))}
    />
  )
}
