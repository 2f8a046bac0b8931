import { WaysIn } from '../features/accounts/ways-in.tsx'
import Passkeys from '../features/passkey/passkeys.tsx'
import Activity from '../features/security-log/activity.tsx'
import { Checkup } from '../features/session/checkup.tsx'
import { Sessions } from '../features/session/sessions.tsx'
import TwoFactor from '../features/two-factor/two-factor.tsx'
import { useConfig } from '../lib/api.ts'
import { defineTexts, useTexts } from '../lib/texts/texts.ts'
import { Page } from '../ui/member-page.tsx'

const texts = defineTexts('security', { title: 'Security', intro: 'Your ways to sign in, and your sessions.' })

/** Each section has its own `<Section id=…>`. */
export default function Security() {
  const t = useTexts(texts)
  const { features } = useConfig()
  return (
    <Page title={t.title} intro={t.intro}>
      <Checkup />
      <WaysIn />
      {features.passkey && <Passkeys />}
      {features.twoFactor && <TwoFactor />}
      <Sessions />
      <Activity />
    </Page>
  )
}
