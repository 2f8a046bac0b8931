import { useEffect } from 'react'
import { auth } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Sheet } from '../../ui/page.tsx'
import { profileTexts } from './texts.ts'

/** After the account has gone, at once or through the link of the mail. */
export default function Goodbye() {
  const t = useTexts(profileTexts)
  const core = useTexts()
  useEffect(() => auth.$notify('session'), [])
  return (
    <Sheet title={t.goodbyeTitle} intro={t.goodbyeIntro}>
      <ButtonLink to="/" wide>
        {core.home}
      </ButtonLink>
    </Sheet>
  )
}
