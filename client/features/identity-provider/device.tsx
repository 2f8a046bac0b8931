import { useState } from 'react'
import { useAction } from '../../lib/action.ts'
import { auth } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/types.ts'
import { useForm } from '../../lib/form.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Sheet } from '../../ui/page.tsx'
import { ErrorPanel, Skeleton } from '../../ui/state.tsx'
import { Submit } from '../../ui/submit.tsx'
import { ScopeList } from './scope-list.tsx'
import { SignInFirst } from './sign-in-first.tsx'
import { identityProviderTexts } from './texts.ts'

type Asking = AnswerOf<'/oauth2/device/read'> & { code: string }

/** Where a person enters the code that a device without a browser shows (RFC 8628). */
export default function Device() {
  const session = auth.useSession()
  const [asking, setAsking] = useState<Asking | null>(null)
  const [answer, setAnswer] = useState<'connected' | 'denied' | null>(null)
  if (!session.data) return session.isPending || session.isRefetching ? <Skeleton lines={4} /> : <SignInFirst />
  if (answer) return <Answered as={answer} />
  return asking ? <Question asking={asking} onAnswer={setAnswer} /> : <EnterCode onFound={setAsking} />
}

function EnterCode({ onFound }: { onFound(asking: Asking): void }) {
  const t = useTexts(identityProviderTexts)
  // A code in the address is filled in, and not sent: whoever made the link may not be the person with the device.
  const given = new URLSearchParams(location.search).get('user_code') ?? ''
  const form = useForm({
    fields: ['code'],
    check: ({ code }) => ({ code: !code.trim() && t.deviceCodeRequired }),
    send: ({ code }) => auth.oauth2.device.read({ user_code: code.trim() }),
    at: { INVALID_USER_CODE: 'code' },
    errors: t.errors,
    done: (answer, { code }) => onFound({ ...answer, code: code.trim().toUpperCase() }),
  })
  return (
    <Sheet title={t.deviceTitle} intro={t.deviceIntro}>
      <form {...form.props} className="grid gap-5">
        <Field
          {...form.field('code')}
          label={t.deviceCode}
          hint={t.deviceCodeHint}
          defaultValue={given}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={12}
        />
        <Submit form={form} wide>
          {t.next}
        </Submit>
      </form>
    </Sheet>
  )
}

function Question({ asking, onAnswer }: { asking: Asking; onAnswer(answer: 'connected' | 'denied'): void }) {
  const t = useTexts(identityProviderTexts)
  const { client, scopes, code } = asking
  const answer = useAction(
    (accept: boolean) => auth.oauth2.device.answer({ user_code: code, accept }),
    (_answer, accept) => onAnswer(accept ? 'connected' : 'denied'),
  )
  return (
    <Sheet title={t.deviceConsentTitle(client.name)} intro={t.deviceConsentIntro(code)}>
      <section className="grid gap-3">
        <h2 className="font-medium">{t.wants}</h2>
        <ScopeList scopes={scopes} />
      </section>
      {answer.error && <ErrorPanel error={answer.error} errors={t.errors} />}
      <div className="grid grid-cols-2 gap-3">
        <Button wide busy={answer.busy} onClick={() => answer.run(false)}>
          {t.deny}
        </Button>
        <Button wide busy={answer.busy} onClick={() => answer.run(true)}>
          {t.connect}
        </Button>
      </div>
    </Sheet>
  )
}

function Answered({ as }: { as: 'connected' | 'denied' }) {
  const t = useTexts(identityProviderTexts)
  const connected = as === 'connected'
  return (
    <Sheet
      title={connected ? t.deviceConnected : t.deviceDenied}
      intro={connected ? t.deviceConnectedIntro : t.deviceDeniedIntro}
    >
      {null}
    </Sheet>
  )
}
