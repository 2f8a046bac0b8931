import { useEffect } from 'react'
import { Redirect } from 'wouter'
import { auth } from '../../lib/api.ts'
import { useContinuation } from '../../lib/continuation.ts'
import { useLifetime } from '../../lib/lifetime.ts'
import { useOpenedElsewhere } from '../../lib/opened-elsewhere.ts'
import { useSent } from '../../lib/sent.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { BackToSignIn, Sheet } from '../../ui/page.tsx'
import { ResendButton } from '../../ui/resend-button.tsx'
import { LinkForm, sendLink } from './link-form.tsx'
import { magicLinkTexts } from './texts.ts'

export default function AskForLink() {
  const t = useTexts(magicLinkTexts)
  const { sent, ...step } = useSent('magicLink')
  const lifetime = useLifetime('magicLink')
  const session = auth.useSession()
  const continuation = useContinuation()
  const { host, path } = continuation
  const isIn = session.data !== null && !session.data.user.isAnonymous
  useOpenedElsewhere(sent && !isIn ? sent.at : null)
  const { finish } = step
  useEffect(() => {
    if (sent && isIn) finish()
  })
  if (!sent) {
    return (
      <Sheet key="ask" title={t.title} intro={host ? t.toContinueTo(host) : t.intro}>
        <LinkForm onSent={step.begin} />
        <BackToSignIn />
      </Sheet>
    )
  }
  // The link has been opened in another tab.
  if (isIn) return <Redirect to={path ?? '/account/profile'} replace />
  return (
    <Sheet key="sent" title={t.checkInbox} intro={t.inbox(sent.to, lifetime)}>
      <p className="text-center text-balance text-soft">{t.hint}</p>
      <ResendButton since={sent.at} send={() => step.again(sendLink(sent.to, continuation))}>
        {t.sendAgain}
      </ResendButton>
      <Button look="quiet" onClick={step.back}>
        {t.otherAddress}
      </Button>
    </Sheet>
  )
}
