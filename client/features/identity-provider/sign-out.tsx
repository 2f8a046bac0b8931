import { useLocation } from 'wouter'
import { useAction } from '../../lib/action.ts'
import { auth } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Sheet } from '../../ui/page.tsx'
import { ErrorPanel } from '../../ui/state.tsx'
import { identityProviderTexts } from './texts.ts'

/** A client requested a sign-out without an `id_token_hint`: the user confirms it. */
export default function SignOut() {
  const t = useTexts(identityProviderTexts)
  const [, navigate] = useLocation()
  const signOut = useAction(
    () => auth.signOut(),
    () => navigate('/sign-in'),
  )
  return (
    <Sheet title={t.signOutTitle} intro={t.signOutIntro}>
      {signOut.error && <ErrorPanel error={signOut.error} />}
      <div className="grid gap-3">
        <Button look="primary" wide busy={signOut.busy} onClick={() => signOut.run()}>
          {t.signOut}
        </Button>
        <ButtonLink to="/account/profile" wide>
          {t.staySignedIn}
        </ButtonLink>
      </div>
    </Sheet>
  )
}
