import { KeyRound } from 'lucide-react'
import { useEffect } from 'react'
import { useAction } from '../../lib/action.ts'
import { useBrowserValue } from '../../lib/store.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import type { WayProps } from '../../lib/ways.ts'
import { Button } from '../../ui/button.tsx'
import { LastUsed } from '../../ui/last-used.tsx'
import { ErrorPanel } from '../../ui/state.tsx'
import { asked } from './ceremony.ts'
import { signInByButton } from './sign-in.ts'
import { passkeyErrors, passkeyTexts } from './texts.ts'

const hasPasskeys = () => Boolean(globalThis.PublicKeyCredential)

export default function PasskeyWay({ callbackURL, lastUsed, onSignedIn }: WayProps) {
  const t = useTexts(passkeyTexts)
  const errors = useTexts(passkeyErrors)
  const enter = useAction(() => signInByButton(callbackURL), onSignedIn)
  useEffect(() => asked.set(false), [])
  // Hidden in browsers without passkeys.
  if (!useBrowserValue(hasPasskeys, true)) return null
  return (
    <>
      <Button wide className="needs-script" busy={enter.busy} onClick={enter.run}>
        <KeyRound aria-hidden size={18} />
        {t.way}
        {lastUsed && <LastUsed />}
      </Button>
      {enter.error && <ErrorPanel error={enter.error} errors={errors} />}
    </>
  )
}
