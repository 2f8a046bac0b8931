import { Redirect } from 'wouter'
import { auth } from '../../lib/api.ts'
import { useLoad } from '../../lib/auth/use-view.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Sheet } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/state.tsx'
import { profileTexts } from './texts.ts'

/** Shown after the account was deleted, directly or through a mailed link. */
export default function Goodbye() {
  const t = useTexts(profileTexts)
  const session = auth.useSession()
  const asked = useLoad(() => auth.$session.refetch(true).then(() => ({ data: true, error: null }))).data
  if (!asked) return <Skeleton />
  const comesFromDeletion = new URLSearchParams(location.search).get('for') === 'deletion'
  if (session.data || !comesFromDeletion) return <Redirect to="/" replace />
  return (
    <Sheet title={t.goodbyeTitle} intro={t.goodbyeIntro}>
      <ButtonLink to="/" look="primary" wide>
        {t.home}
      </ButtonLink>
    </Sheet>
  )
}
