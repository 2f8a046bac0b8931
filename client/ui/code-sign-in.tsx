import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useAfterSignIn } from '../lib/after-sign-in.ts'
import type { Lifetime, SignInAnswer, WayId } from '../lib/auth/endpoints.ts'
import type { Result } from '../lib/auth/types.ts'
import { useContinuation } from '../lib/continuation.ts'
import { useLifetime } from '../lib/lifetime.ts'
import { readablePhone } from '../lib/phone.ts'
import { useSent } from '../lib/sent.ts'
import { useTexts } from '../lib/texts/texts.ts'
import { Button } from './button.tsx'
import { CodeStep } from './code-step.tsx'
import { BackToSignIn, Sheet } from './page.tsx'

interface CodeSignInProps {
  method: WayId
  kind: Lifetime
  digits: number | undefined
  texts: {
    title: string
    intro: string
    sentTo(recipient: string, lifetime: string): string
    other: string
    errors: Record<string, string>
  }
  form(onSent: (recipient: string) => void): ReactNode
  /** @param callbackURL on another site, for the server */
  guess(recipient: string, code: string, callbackURL: string | undefined): Promise<Result<SignInAnswer>>
  resend(recipient: string): Promise<Result<unknown>>
}

export function CodeSignIn({ method, kind, digits, texts: t, form, guess, resend }: CodeSignInProps) {
  const core = useTexts()
  const lifetime = useLifetime(kind)
  const { sent, ...step } = useSent(kind)
  const signedIn = useAfterSignIn(method)
  const { foreign, host, query } = useContinuation()
  if (!sent) {
    return (
      <Sheet key="recipient" title={t.title} intro={host ? core.toContinueTo(host) : t.intro}>
        {form(step.begin)}
        <BackToSignIn />
      </Sheet>
    )
  }
  const recipient = sent.to
  return (
    <Sheet key="code" title={core.enterCode} intro={t.sentTo(readablePhone(recipient), lifetime)}>
      <CodeStep
        digits={digits}
        guess={(code) => guess(recipient, code, foreign)}
        done={(answer) => {
          step.finish()
          signedIn(answer)
        }}
        since={sent.at}
        resend={() => step.again(resend(recipient))}
        errors={t.errors}
        elsewhere={
          <Link href={`/sign-in${query}`} className="link">
            {core.anotherWay}
          </Link>
        }
      >
        <Button look="quiet" onClick={step.back}>
          {t.other}
        </Button>
      </CodeStep>
    </Sheet>
  )
}
