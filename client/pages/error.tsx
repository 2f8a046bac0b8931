import { useSearch } from 'wouter'
import { normalCode } from '../../worker/kit/error-sentences.ts'
import { auth } from '../lib/api.ts'
import { given } from '../lib/given.ts'
import { useHydrated } from '../lib/store.ts'
import { useTexts } from '../lib/texts/texts.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Sheet } from '../ui/page.tsx'
import { Note } from '../ui/state.tsx'
import { errorTexts, shownCode } from './error.texts.ts'
import { useErrorSentence } from './error-sentence.ts'

/** Where the server redirects a browser after an error: `?error=code`. */
export default function ErrorPage() {
  const t = useTexts(errorTexts)
  const { data, isPending } = auth.useSession()
  const hydrated = useHydrated()
  const signedIn = hydrated && !isPending ? data !== null : given.hasSession
  const code = shownCode(new URLSearchParams(useSearch()).get('error') ?? '')
  const sentence = useErrorSentence(code ?? '')
  return (
    <Sheet title={t.title}>
      <Note tone={normalCode(code ?? '') === 'access_denied' ? 'warning' : 'danger'}>{sentence}</Note>
      <ButtonLink to={signedIn ? '/account/profile' : '/sign-in'} look="primary" wide>
        {signedIn ? t.toAccount : t.signIn}
      </ButtonLink>
      {code && <p className="text-center text-soft text-xs">{t.errorCode(code)}</p>}
    </Sheet>
  )
}
