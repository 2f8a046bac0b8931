import { useAction } from '../../lib/action.ts'
import { auth } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import type { WayProps } from '../../lib/ways.ts'
import { Button } from '../../ui/button.tsx'
import { LastUsed } from '../../ui/last-used.tsx'
import { ProviderMark } from '../../ui/provider-mark.tsx'
import { ErrorPanel } from '../../ui/state.tsx'
import { socialTexts } from '../social/texts.ts'
import { accessIdentityTexts } from './texts.ts'

/** Signs in with the token that Cloudflare Access has added to the request. */
export default function AccessWay({ lastUsed, onSignedIn }: WayProps) {
  const t = useTexts(socialTexts)
  const { errors } = useTexts(accessIdentityTexts)
  const enter = useAction(() => auth.signIn.access(), onSignedIn)
  return (
    <>
      <Button wide className="needs-script" busy={enter.busy} onClick={enter.run}>
        <ProviderMark id="cloudflare-access" size={18} />
        {t.continueWith('Cloudflare Access')}
        {lastUsed && <LastUsed />}
      </Button>
      {enter.error && <ErrorPanel error={enter.error} errors={errors} />}
    </>
  )
}
