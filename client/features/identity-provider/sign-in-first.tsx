import { useTexts } from '../../lib/texts/texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Sheet } from '../../ui/page.tsx'
import { identityProviderTexts } from './texts.ts'

/** Asks visitors to sign in, and leads back to the same page. */
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
