import { useTexts } from '../../lib/texts/texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Sheet } from '../../ui/page.tsx'
import { identityProviderTexts } from './texts.ts'

/** For somebody who is not signed in; they come back to the page as it is. */
export function SignInFirst() {
  const t = useTexts(identityProviderTexts)
  const here = encodeURIComponent(location.pathname + location.search)
  return (
    <Sheet title={t.signInFirst}>
      <ButtonLink to={`/sign-in?callbackURL=${here}`} look="primary" wide>
        {t.signIn}
      </ButtonLink>
    </Sheet>
  )
}
