import { useTexts } from '../../lib/texts/texts.ts'
import { Page } from '../../ui/page.tsx'
import Passkeys from './passkeys.tsx'
import { passkeyTexts } from './texts.ts'

export default function PasskeyPage() {
  return (
    <Page title={useTexts(passkeyTexts).title}>
      <Passkeys />
    </Page>
  )
}
