import { useEffect, useState } from 'react'
import { Redirect } from 'wouter'
import { auth } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Sheet } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/state.tsx'
import { profileTexts } from './texts.ts'

/** After the account has gone, at once or through the link of the mail. Nobody else reads here that it has. */
export default function Goodbye() {
  const t = useTexts(profileTexts)
  const core = useTexts()
  const session = auth.useSession()
  const [asked, setAsked] = useState(false)
  useEffect(() => {
    void auth.$views.session.refetch(true).then(() => setAsked(true))
  }, [])
  if (!asked) return <Skeleton />
  const comesFromDeletion = new URLSearchParams(location.search).get('for') === 'deletion'
  if (session.data || !comesFromDeletion) return <Redirect to="/" replace />
  return (
    <Sheet title={t.goodbyeTitle} intro={t.goodbyeIntro}>
      <ButtonLink to="/" look="primary" wide>
        {core.home}
      </ButtonLink>
    </Sheet>
  )
}
