import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { inWords } from '../../../worker/kit/time.ts'
import { auth, useConfig } from '../../lib/api.ts'
import type { AuthError } from '../../lib/auth/types.ts'
import { useLoad } from '../../lib/auth/use-view.ts'
import { useContinuation } from '../../lib/continuation.ts'
import { atProvider, lastUsed } from '../../lib/last-used.ts'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { CodeStep } from '../../ui/code-step.tsx'
import { EmailForm } from '../../ui/email-form.tsx'
import { Sheet } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/state.tsx'
import { Unavailable } from '../../ui/unavailable.tsx'
import { addressTexts } from './address.texts.ts'

/** Asks for an address after a sign-in at a provider that returns none; a code verifies it. */
export default function Address() {
  const t = useTexts(addressTexts)
  const { query } = useContinuation()
  const waiting = useLoad(() => auth.social.waiting())
  const [isOver, setOver] = useState(false)
  const [email, setEmail] = useState<string | null>(null)
  if (waiting.error) return <Unavailable error={waiting.error} onRetry={() => void waiting.refetch()} />
  if (waiting.isPending) return <Skeleton lines={5} />
  if (isOver || !waiting.data) {
    return (
      <Sheet title={t.goneTitle} intro={t.gone}>
        <ButtonLink to={`/sign-in${query}`} look="primary" wide>
          {t.backToSignIn}
        </ButtonLink>
      </Sheet>
    )
  }
  const { provider } = waiting.data
  const gone = () => setOver(true)
  return email === null ? (
    <Sheet key="address" title={t.title} intro={t.intro(provider.name)}>
      <EmailForm
        autoFocus
        at={['INVALID_EMAIL']}
        refused={(error) => {
          if (isGone(error)) gone()
          return isGone(error)
        }}
        send={(address) => auth.social.sendCode({ email: address })}
        done={setEmail}
        action={t.sendCode}
      />
      <Link href={`/sign-in${query}`} className="link justify-self-center">
        {t.anotherWay}
      </Link>
    </Sheet>
  ) : (
    <Code key="code" provider={provider} email={email} onOther={() => setEmail(null)} onGone={gone} />
  )
}

const isGone = (error: AuthError) => error.code === 'NO_SIGN_IN_IS_WAITING'

interface CodeProps {
  provider: { id: string }
  email: string
  onOther(): void
  onGone(): void
}

function Code({ provider, email, onOther, onGone }: CodeProps) {
  const t = useTexts(addressTexts)
  const [, navigate] = useLocation()
  const { query } = useContinuation()
  const language = useLanguage()
  const { addressCode } = useConfig()
  const lifetime = addressCode ? inWords(addressCode.lifetime, language) : '…'
  return (
    <Sheet title={t.checkInbox} intro={t.codeSentTo(email, lifetime)}>
      <CodeStep
        digits={addressCode?.digits}
        guess={async (code) => {
          const answer = await auth.social.verifyCode({ email, code })
          if (answer.error && isGone(answer.error)) onGone()
          return answer
        }}
        // The client follows the URL of the response.
        done={(answer) => {
          lastUsed.set(atProvider(provider.id))
          if ('twoFactorRedirect' in answer) navigate(`/two-factor${query}`)
        }}
        resend={() => auth.social.sendCode({ email })}
        errors={t.errors}
      >
        <Button look="quiet" onClick={onOther}>
          {t.otherAddress}
        </Button>
      </CodeStep>
    </Sheet>
  )
}
