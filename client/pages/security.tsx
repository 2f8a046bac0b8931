import { type ComponentType, type LazyExoticComponent, lazy, Suspense } from 'react'
import { WaysIn } from '../features/accounts/ways-in.tsx'
import { Sessions } from '../features/session/sessions.tsx'
import { useConfig } from '../lib/api.ts'
import type { FeatureSwitches } from '../lib/auth/endpoints.ts'
import { defineTexts, useTexts } from '../lib/texts/texts.ts'
import { Page } from '../ui/member-page.tsx'
import { Section } from '../ui/page.tsx'
import { Skeleton } from '../ui/state.tsx'

const texts = defineTexts(
  { title: 'Security', intro: 'How you sign in, and where you are signed in.' },
  { title: 'Sicherheit', intro: 'Wie du dich anmeldest und wo du angemeldet bist.' },
)

interface Part {
  id: string
  when(features: FeatureSwitches): boolean | undefined
  component: LazyExoticComponent<ComponentType>
}

/** Between the ways in and the sessions, in order; each brings a `<Section id=…>` of its own. */
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
      <WaysIn />
      {parts
        .filter(({ when }) => when(features))
        .map(({ id, component: Part }) => (
          <Suspense key={id} fallback={<Waiting />}>
            <Part />
          </Suspense>
        ))}
      <Sessions />
    </Page>
  )
}

const Waiting = () => (
  <Section>
    <Skeleton lines={2} />
  </Section>
)
