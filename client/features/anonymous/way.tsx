import { Ghost } from 'lucide-react'
import { useAction } from '../../lib/action.ts'
import { auth } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import type { WayProps } from '../../lib/ways.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorPanel } from '../../ui/state.tsx'
import { guestTexts } from './texts.ts'

export default function GuestWay({ onSignedIn }: WayProps) {
  const t = useTexts(guestTexts)
  const session = auth.useSession()
  const enter = useAction(() => auth.signIn.anonymous(), onSignedIn)
  // Not shown to a guest who came to sign up.
  if (session.data) return null
  return (
    <>
      {enter.error && <ErrorPanel error={enter.error} />}
      <Button wide busy={enter.busy} onClick={enter.run}>
        <Ghost aria-hidden size={18} />
        {t.way}
      </Button>
    </>
  )
}
