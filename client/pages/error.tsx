import { auth } from '../lib/api.ts'
import { useTexts } from '../lib/texts/texts.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Sheet } from '../ui/page.tsx'
import { Note } from '../ui/state.tsx'
import { errorTexts, normalCode } from './error.texts.ts'

/** Where the server sends a browser when something it did on the way has failed: `?error=code`. */
export default function ErrorPage() {
  const t = useTexts(errorTexts)
  const core = useTexts()
  const { data } = auth.useSession()
  // Anybody can write this link: what does not look like a code is not shown.
  const given = new URLSearchParams(location.search).get('error') ?? ''
  const code = /^[A-Za-z0-9_' ]{1,64}$/.test(given) ? given : 'Unknown'
  return (
    <Sheet title={t.title}>
      <Note tone="danger">{t.sentences[normalCode(code)] ?? t.unknown}</Note>
      <ButtonLink to={data ? '/account/profile' : '/sign-in'} look="primary" wide>
        {data ? t.toAccount : t.signIn}
      </ButtonLink>
      <p className="text-center text-soft text-xs">{core.errorCode(code)}</p>
    </Sheet>
  )
}
