import { useEffect, useRef, useState } from 'react'
import { useAction } from '../../lib/action.ts'
import { auth, useConfig, useMember } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/endpoints.ts'
import type { Result } from '../../lib/auth/types.ts'
import { deployment } from '../../lib/deployment.ts'
import { readablePhone } from '../../lib/phone.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { setAllSaved } from '../../lib/unsaved.ts'
import { Button } from '../../ui/button.tsx'
import { RequestedCode } from '../../ui/code-step.tsx'
import { ProviderMark } from '../../ui/provider-mark.tsx'
import { ErrorPanel } from '../../ui/state.tsx'
import { ceremony, Displaced, inBetween, refused } from '../passkey/ceremony.ts'
import { explain } from '../passkey/sign-in.ts'
import { passkeyErrors } from '../passkey/texts.ts'
import { forget, keep } from './stored-input.ts'
import { stepUpTexts } from './texts.ts'

/** Opens the provider, which redirects back to this page, with `?error=` after a failure. */
function stepUpAtProvider(provider: string): Promise<Result<unknown>> {
  const here = deployment.origin ? location.href : location.pathname + location.search + location.hash
  return auth.stepUp.provider({ provider, callbackURL: here, errorCallbackURL: here })
}

/** @param signal aborts the browser's dialog when ours is closed */
const stepUpByPasskey = (signal: AbortSignal): Promise<Result<AnswerOf<'/step-up'>>> =>
  inBetween(() =>
    ceremony(
      {
        begin: () => auth.stepUp.passkeyOptions(),
        perform: (browser, optionsJSON) => browser.startAuthentication({ optionsJSON }),
        finish: (response) => auth.stepUp({ method: 'passkey', response: { ...response } }),
        explain,
      },
      signal,
    ),
  ).catch((thrown) => {
    if (thrown instanceof Displaced) return refused('CEREMONY_DISPLACED', 'auth cancelled')
    throw thrown
  })

interface Done {
  done(): void
}

/** A code by mail or text message. */
export function ByMessage({ method, done }: Done & { method: 'email-otp' | 'phone-otp' }) {
  const t = useTexts(stepUpTexts)
  const { twoFactor, emailCode, phoneCode } = useConfig()
  const { user } = useMember()
  const [sent, setSent] = useState(false)
  const byMail = method === 'email-otp'
  const where = byMail ? user.email : readablePhone(user.phoneNumber ?? '')
  const ofMail = user.twoFactorEnabled ? twoFactor?.otp?.digits : emailCode?.digits
  return (
    <>
      <p>{sent ? t.sentTo(where) : t.ask[method](where)}</p>
      <RequestedCode
        digits={byMail ? ofMail : phoneCode?.digits}
        guess={(code) => auth.stepUp({ method, code })}
        done={done}
        errors={t.errors}
        send={() => auth.stepUp.sendCode({ method })}
        sent={sent}
        onSent={() => setSent(true)}
        action={t.sendCode}
      />
    </>
  )
}

export function ByPasskey({ done }: Done) {
  const t = useTexts(stepUpTexts)
  const errors = useTexts(passkeyErrors)
  const [closed] = useState(() => new AbortController())
  useEffect(() => () => closed.abort(), [closed])
  const use = useAction(() => stepUpByPasskey(closed.signal), done)
  return (
    <>
      <p>{t.ask.passkey}</p>
      {use.error && <ErrorPanel error={use.error} errors={errors} />}
      <Button data-first look="primary" wide busy={use.busy} onClick={use.run}>
        {t.use.passkey}
      </Button>
    </>
  )
}

/** @param props.pressed the button of the rejected operation, which the user presses again after the return */
export function ByProvider({ id, name, pressed }: { id: string; name: string; pressed: string | null }) {
  const t = useTexts(stepUpTexts)
  const { user } = useMember()
  const ref = useRef<HTMLDivElement>(null)
  const [leaving, setLeaving] = useState(false)
  const go = useAction(async () => {
    setLeaving(true)
    keep(user.id, pressed, ref.current?.closest('dialog') ?? null)
    setAllSaved()
    const answer = await stepUpAtProvider(id)
    if (answer.error) {
      forget('step-up')
      setLeaving(false)
    }
    return answer
  })
  // The Back button may restore the page that was left.
  useEffect(() => {
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && setLeaving(false)
    addEventListener('pageshow', onShow)
    return () => removeEventListener('pageshow', onShow)
  }, [])
  return (
    <div ref={ref} className="grid gap-4">
      <p>{t.ask.provider(name)}</p>
      {go.error && <ErrorPanel error={go.error} />}
      <Button data-first look="primary" wide busy={leaving} onClick={go.run}>
        {!leaving && <ProviderMark id={id} size={18} />}
        {t.use.provider(name)}
      </Button>
    </div>
  )
}
