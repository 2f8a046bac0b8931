import { useState } from 'react'
import { Link, Redirect } from 'wouter'
import { auth } from '../../lib/api.ts'
import { continuation } from '../../lib/continuation.ts'
import { useLifetime } from '../../lib/lifetime.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Sheet } from '../../ui/page.tsx'
import { ResendButton } from '../../ui/resend-button.tsx'
import { LinkForm, sendLink } from './link-form.tsx'
import { magicLinkTexts } from './texts.ts'

export default function AskForLink() {
  const t = useTexts(magicLinkTexts)
  const [sentTo, setSentTo] = useState<string | null>(null)
  const lifetime = useLifetime('magicLink')
  const session = auth.useSession()
  const { host, path, query } = continuation()
  if (!sentTo) {
    return (
      <Sheet key="ask" title={t.title} intro={host ? t.continueTo(host) : t.intro}>
        <LinkForm onSent={setSentTo} />
        <Link href={`/sign-in${query}`} className="link justify-self-center">
          {t.back}
        </Link>
      </Sheet>
    )
  }
  // The link has been opened in another tab of this browser.
  if (session.data && !session.data.user.isAnonymous) return <Redirect to={path ?? '/account/profile'} replace />
  return (
    <Sheet key="sent" title={t.inboxTitle} intro={t.inbox(sentTo, lifetime)}>
      <p className="text-center text-balance text-soft">{t.hint}</p>
      <ResendButton send={() => sendLink(sentTo)}>{t.resend}</ResendButton>
      <Button look="quiet" onClick={() => setSentTo(null)}>
        {t.otherAddress}
      </Button>
    </Sheet>
  )
}
