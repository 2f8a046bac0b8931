import { useState } from 'react'
import { useAction } from '../../lib/action.ts'
import { auth, useMember } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/endpoints.ts'
import { useForm } from '../../lib/form.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Field } from '../../ui/field.tsx'
import { Sheet } from '../../ui/page.tsx'
import { ErrorPanel, Note, Skeleton } from '../../ui/state.tsx'
import { Submit } from '../../ui/submit.tsx'
import { useOtherAccount } from '../multi-session/other-account.ts'
import { usePlace } from '../session/labels.ts'
import { AccountCard } from './account-card.tsx'
import { ClientMark } from './client-mark.tsx'
import { deviceTexts } from './device.texts.ts'
import { Decision, ScopeList } from './scope-list.tsx'
import { SignInFirst } from './sign-in-first.tsx'
import { identityProviderTexts } from './texts.ts'

type Asking = AnswerOf<'/oauth2/device/read'> & { code: string }

/** The user enters the code that a device without a browser shows (RFC 8628). */
export default function Device() {
  const t = useTexts(identityProviderTexts)
  const session = auth.useSession()
  const [asking, setAsking] = useState<Asking | null>(null)
  const [answer, setAnswer] = useState<'connected' | 'denied' | null>(null)
  if (!session.data) return session.isPending || session.isRefetching ? <Skeleton lines={4} /> : <SignInFirst />
  if (answer === 'connected') return <Sheet title={t.deviceConnected} intro={t.deviceConnectedIntro} />
  if (answer === 'denied') return <Sheet title={t.deviceDenied} intro={t.deviceDeniedIntro} />
  return asking ? <Question asking={asking} onAnswer={setAnswer} /> : <EnterCode onFound={setAsking} />
}

function EnterCode({ onFound }: { onFound(asking: Asking): void }) {
  const t = useTexts(identityProviderTexts)
  // An attacker may have written the link: the question shows the code and where its request came from.
  const given = new URLSearchParams(location.search).get('user_code') ?? ''
  const form = useForm({
    fields: ['code'],
    check: ({ code }) => ({ code: !code.trim() && t.required.code }),
    send: ({ code }) => auth.oauth2.device.read({ user_code: code.trim() }),
    at: { INVALID_USER_CODE: 'code' },
    errors: t.errors,
    done: (answer, { code }) => onFound({ ...answer, code: code.trim().toUpperCase() }),
  })
  return (
    <Sheet title={t.deviceTitle} intro={t.deviceIntro}>
      {/* A code in the link (RFC 8628, `verification_uri_complete`) is sent at once, as an early submit is (lib/form.ts). */}
      <form {...form.props} data-sent={given === '' ? undefined : ''} className="grid gap-5">
        <Field
          {...form.field('code')}
          label={t.code}
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
  const own = useTexts(deviceTexts)
  const { client, scopes, scopeWords, authorizationDetails, origin, code } = asking
  const answer = useAction(
    (accept: boolean) => auth.oauth2.device.answer({ user_code: code, accept }),
    (_answer, accept) => onAnswer(accept ? 'connected' : 'denied'),
  )
  const { user } = useMember()
  const other = useOtherAccount()
  const city = usePlace(origin.place)
  const from = city && origin.ipAddress ? `${city} (${origin.ipAddress})` : city || origin.ipAddress
  return (
    <Sheet
      above={<ClientMark client={client} />}
      title={t.deviceConsentTitle(client.name)}
      intro={t.deviceConsentIntro(code)}
    >
      <Note tone="warning">
        <p className="font-medium">{own.yours}</p>
        {from && <p>{own.from(from)}</p>}
      </Note>
      <section className="grid gap-3">
        <h2 className="font-medium">{t.wants}</h2>
        <ScopeList scopes={scopes} words={scopeWords} details={authorizationDetails} />
      </section>
      <AccountCard user={user}>
        {other.error && <ErrorPanel error={other.error} />}
        <button type="button" className="link -my-2 min-h-10 justify-self-start" onClick={other.run}>
          {t.otherAccount}
        </button>
      </AccountCard>
      <Decision answer={answer} accept={t.connect} />
    </Sheet>
  )
}
