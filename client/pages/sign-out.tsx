import { useState } from 'react'
import { Redirect } from 'wouter'
import { auth, useConfig } from '../lib/api.ts'
import { useContinuation } from '../lib/continuation.ts'
import { isPlaceholder } from '../lib/placeholder.ts'
import { useSignOut } from '../lib/sign-out.ts'
import { defineTexts, useTexts } from '../lib/texts/texts.ts'
import { Button, ButtonLink, buttonClass } from '../ui/button.tsx'
import { Sheet } from '../ui/page.tsx'
import { ErrorPanel, Skeleton } from '../ui/state.tsx'

const texts = defineTexts('signOut', {
  title: 'Sign out of {name}?',
  signedInAs: 'You are signed in as {person}.',
  guest: 'You are signed in as a guest. If you sign out, everything in your guest account is deleted.',
  keep: 'Keep it: create an account',
  doneTitle: 'You are signed out',
})

/** Other sites link here with `?callbackURL=`. The user confirms the sign-out. */
export default function SignOut() {
  const t = useTexts(texts)
  const { name, features } = useConfig()
  const session = auth.useSession()
  const [wasHere, setWasHere] = useState(false)
  const { callbackURL, host, path, query } = useContinuation()
  const signOut = useSignOut(() => setWasHere(true))
  if (session.isPending && !session.error) return <Skeleton />
  if (!session.data) {
    if (!host) return <Redirect to={path ?? (wasHere ? '/sign-in' : '/')} replace />
    return (
      <Sheet key="done" title={t.doneTitle}>
        <a href={callbackURL} className={buttonClass('primary', true)}>
          {t.continueTo(host)}
        </a>
      </Sheet>
    )
  }
  const { user } = session.data
  const person = isPlaceholder(user.email) ? user.name : user.email
  return (
    <Sheet key="ask" title={t.title(name)} intro={user.isAnonymous ? t.guest : t.signedInAs(person)}>
      {signOut.error && <ErrorPanel error={signOut.error} />}
      <div className="grid gap-3">
        {user.isAnonymous && features.signUp && (
          <ButtonLink to={`/sign-up${query}`} look="primary" wide>
            {t.keep}
          </ButtonLink>
        )}
        <Button look={user.isAnonymous ? 'danger' : 'primary'} wide busy={signOut.busy} onClick={signOut.run}>
          {t.signOut}
        </Button>
        <ButtonLink to="/account/profile" wide>
          {t.staySignedIn}
        </ButtonLink>
      </div>
    </Sheet>
  )
}
