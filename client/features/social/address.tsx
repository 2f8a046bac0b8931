import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { auth, useConfig } from '../../lib/api.ts'
import type { Endpoints } from '../../lib/auth/endpoints.ts'
import type { AuthError } from '../../lib/auth/types.ts'
import { continuation } from '../../lib/continuation.ts'
import { looksLikeEmail, useForm } from '../../lib/form.ts'
import { inWords } from '../../lib/in-words.ts'
import { lastUsed } from '../../lib/last-used.ts'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { CodeStep } from '../../ui/code-step.tsx'
import { Field } from '../../ui/field.tsx'
import { Sheet } from '../../ui/page.tsx'
import { ErrorPanel, Skeleton } from '../../ui/state.tsx'
import { Submit } from '../../ui/submit.tsx'
import { typedEmail } from '../../ui/typed-email.ts'
import { addressTexts } from './address.texts.ts'

type Waiting = Endpoints['/social/waiting']['answer']

/** Somebody came by a provider that tells no address: they give one, and a code proves that it is theirs. */
export default function Address() {
  const t = useTexts(addressTexts)
  const [waiting, setWaiting] = useState<Waiting | undefined>(undefined)
  const [problem, setProblem] = useState<AuthError | null>(null)
  const [email, setEmail] = useState<string | null>(null)
  const [round, setRound] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again with every round
  useEffect(() => {
    let here = true
    void auth.social.waiting().then(({ data, error }) => {
      if (!here) return
      setProblem(error)
      if (!error) setWaiting(data)
    })
    return () => {
      here = false
    }
  }, [round])
  if (problem) return <ErrorPanel error={problem} onRetry={() => setRound(round + 1)} />
  if (waiting === undefined) return <Skeleton lines={5} />
  if (waiting === null) {
    return (
      <Sheet title={t.goneTitle} intro={t.gone}>
        <ButtonLink to={`/sign-in${continuation().query}`} look="primary" wide>
          {t.startAgain}
        </ButtonLink>
      </Sheet>
    )
  }
  const { provider } = waiting
  const gone = () => setWaiting(null)
  return email === null ? (
    <Sheet key="address" title={t.title} intro={t.intro(provider.name)}>
      <AddressForm onSent={setEmail} onGone={gone} />
    </Sheet>
  ) : (
    <Code key="code" provider={provider} email={email} onOther={() => setEmail(null)} onGone={gone} />
  )
}

const isGone = (error: AuthError) => error.code === 'NO_SIGN_IN_IS_WAITING'

function AddressForm({ onSent, onGone }: { onSent(email: string): void; onGone(): void }) {
  const t = useTexts(addressTexts)
  const core = useTexts()
  const form = useForm({
    fields: ['email'],
    check: ({ email }) => ({
      email: !email.trim() ? core.required.email : !looksLikeEmail(email) && core.invalidEmail,
    }),
    send: ({ email }) => auth.social.sendCode({ email: email.trim() }),
    at: { INVALID_EMAIL: 'email' },
    refused(error) {
      if (isGone(error)) onGone()
      return isGone(error)
    },
    done: (_answer, { email }) => onSent(email.trim()),
  })
  return (
    <form {...form.props} className="grid gap-5">
      <Field {...form.field('email')} label={t.email} type="email" autoComplete="email" autoFocus {...typedEmail()} />
      <Submit form={form} wide>
        {t.send}
      </Submit>
      <Link href={`/sign-in${continuation().query}`} className="link justify-self-center">
        {core.anotherWay}
      </Link>
    </form>
  )
}

interface CodeProps {
  provider: { id: string }
  email: string
  onOther(): void
  onGone(): void
}

function Code({ provider, email, onOther, onGone }: CodeProps) {
  const t = useTexts(addressTexts)
  const language = useLanguage()
  const { addressCode } = useConfig()
  const lifetime = addressCode ? inWords(addressCode.lifetime, language) : '…'
  return (
    <Sheet title={t.codeTitle} intro={t.sentTo(email, lifetime)}>
      <CodeStep
        digits={addressCode?.digits}
        guess={async (code) => {
          const answer = await auth.social.verifyCode({ email, code })
          if (answer.error && isGone(answer.error)) onGone()
          return answer
        }}
        // The client follows the server's answer.
        done={() => lastUsed.set(provider.id)}
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
