import { type ComponentType, type LazyExoticComponent, lazy, Suspense } from 'react'
import { WaysIn } from '../features/accounts/ways-in.tsx'
import { Checkup } from '../features/session/checkup.tsx'
import { Sessions } from '../features/session/sessions.tsx'
import { useConfig } from '../lib/api.ts'
import type { FeatureSwitches } from '../lib/auth/endpoints.ts'
import { defineTexts, useTexts } from '../lib/texts/texts.ts'
import { Page } from '../ui/member-page.tsx'
import { Section } from '../ui/section.tsx'
import { Skeleton } from '../ui/state.tsx'

const Activity = lazy(() => import('../features/security-log/activity.tsx'))

const texts = defineTexts('security', { title: 'Security', intro: 'How you sign in, and where you are signed in.' })

interface Part {
  id: string
  when(features: FeatureSwitches): boolean | undefined
  component: LazyExoticComponent<ComponentType>
}

/** The sections between the ways to sign in and the sessions, in order; each has its own `<Section id=…>`. */
const parts: Part[] = [
  {
    id: 'passkeys',
    when: (on) => on.passkey,
    component: lazy(() => import('../features/passkey/passkeys.tsx')),
  },
  {
    id: 'two-factor',
    when: (on) => on.twoFactor,
    component: lazy(() => import('../features/two-factor/two-factor.tsx')),
  },
]

export default function Security() {
  const t = useTexts(texts)
  const { features } = useConfig()
  return (
    <Page title={t.title} intro={t.intro}>
      <Checkup />
      <WaysIn />
      {parts
        .filter(({ when }) => when(features))
        .map(({ id, component: Part }) => (
          <Suspense key={id} fallback={<Waiting />}>
            <Part />
          </Suspense>
        ))}
      <Sessions />
      <Suspense fallback={<Waiting />}>
        <Activity />
      </Suspense>
    </Page>
  )
}

const Waiting = () => (
  <Section>
    <Skeleton lines={2} />
  </Section>
)
