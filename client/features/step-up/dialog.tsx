import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useLocation } from 'wouter'
import { useAction } from '../../lib/action.ts'
import { auth, useConfig, useMember } from '../../lib/api.ts'
import type { FactorMethod } from '../../lib/auth/endpoints.ts'
import type { StepUpRequest } from '../../lib/step-up.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { CodeField } from '../../ui/code-step.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Divider } from '../../ui/page.tsx'
import { ErrorPanel } from '../../ui/state.tsx'
import { BackupCodeForm, PasswordForm } from '../two-factor/forms.tsx'
import { pressedButton } from './stored-input.ts'
import { stepUpTexts } from './texts.ts'
import { ByMessage, ByPasskey, ByProvider } from './ways.tsx'

/** "Confirm that it is you": authenticates again, after which the rejected operation is repeated. */
export default function StepUpDialog({ request }: { request: StepUpRequest | null }) {
  const t = useTexts(stepUpTexts)
  return (
    <Dialog open={request !== null} title={t.title} onClose={() => request?.settle(false)}>
      {request && <Question {...request} />}
    </Dialog>
  )
}

type Method = FactorMethod | `provider:${string}`

/** The known factors. The server may be newer. */
const factors: Record<FactorMethod, true> = {
  password: true,
  passkey: true,
  totp: true,
  'email-otp': true,
  'phone-otp': true,
  'backup-code': true,
}
const isMethod = (method: string): method is Method => method.startsWith('provider:') || Object.hasOwn(factors, method)

const providerOf = (method: Method) => /^provider:(.*)/.exec(method)?.[1]

function Question({ methods, settle }: StepUpRequest) {
  const t = useTexts(stepUpTexts)
  const { providers, twoFactor } = useConfig()
  const [pressed] = useState(pressedButton)
  const ways = methods.filter(isMethod)
  const [method, setMethod] = useState(ways[0])
  const body = useRef<HTMLDivElement>(null)
  const nameOf = (id: string) => providers.find((provider) => provider.id === id)?.name ?? id
  if (!method) return <NoWay cancel={() => settle(false)} />
  const done = () => settle(true)
  const cancel = () => settle(false)

  // A field takes the focus itself; otherwise the button does.
  function change(next: Method) {
    flushSync(() => setMethod(next))
    const panel = body.current
    panel?.querySelector<HTMLElement>('input:not([hidden])')?.focus()
    if (!panel?.contains(document.activeElement)) panel?.querySelector<HTMLElement>('[data-first]')?.focus()
  }

  const provider = providerOf(method)
  const others = ways.filter((way) => way !== method)
  return (
    <>
      <p className="text-soft">{t.intro}</p>
      <div ref={body} key={method} className="grid gap-4">
        {provider !== undefined && <ByProvider id={provider} name={nameOf(provider)} pressed={pressed} />}
        {method === 'password' && (
          <PasswordForm
            label={t.password}
            send={({ password }) => auth.stepUp({ method, password })}
            errors={t.errors}
            done={done}
            onCancel={cancel}
          >
            {t.confirm}
          </PasswordForm>
        )}
        {method === 'passkey' && <ByPasskey done={done} />}
        {method === 'totp' && (
          <>
            <p>{t.ask.totp}</p>
            <CodeField
              digits={twoFactor?.totp?.digits}
              guess={(code) => auth.stepUp({ method, code })}
              done={done}
              errors={t.errors}
            />
          </>
        )}
        {method === 'backup-code' && (
          <BackupCodeForm
            hint={t.ask['backup-code']}
            send={(code) => auth.stepUp({ method, code })}
            done={done}
            onCancel={cancel}
          >
            {t.confirm}
          </BackupCodeForm>
        )}
        {(method === 'email-otp' || method === 'phone-otp') && <ByMessage done={done} method={method} />}
      </div>
      {others.length > 0 && (
        <>
          <Divider>{t.or}</Divider>
          <div className="grid gap-3">
            {others.map((way) => (
              <Button key={way} wide onClick={() => change(way)}>
                {way in t.use ? t.use[way as FactorMethod] : t.use.provider(nameOf(providerOf(way)!))}
              </Button>
            ))}
          </div>
        </>
      )}
      {/* A form has its own. */}
      {method !== 'password' && method !== 'backup-code' && (
        <Button look="quiet" wide onClick={cancel}>
          {t.cancel}
        </Button>
      )}
    </>
  )
}

/** The account has no method: it needs a new sign-in, or an account in the case of a guest. */
function NoWay({ cancel }: { cancel(): void }) {
  const t = useTexts(stepUpTexts)
  const { session, user } = useMember()
  const [location, navigate] = useLocation()
  const here = `?callbackURL=${encodeURIComponent(location)}`
  const leaving = useRef<string | null>(null)
  // Runs after the dialog is closed, which unmounts this component.
  useEffect(
    () => () => {
      if (leaving.current) navigate(leaving.current)
    },
    [navigate],
  )
  function go(to: string) {
    leaving.current = to
    cancel()
  }
  const signInAgain = useAction(
    () => auth.revokeSession({ token: session.token }),
    () => {
      go(`/sign-in${here}`)
      auth.$notify('session')
    },
  )
  return (
    <>
      <p>{user.isAnonymous ? t.noneForGuest : t.none}</p>
      {signInAgain.error && <ErrorPanel error={signInAgain.error} />}
      <div className="flex flex-wrap-reverse justify-end gap-3 max-sm:*:grow">
        <Button onClick={cancel}>{t.cancel}</Button>
        {user.isAnonymous ? (
          <Button data-first look="primary" onClick={() => go(`/sign-up${here}`)}>
            {t.signUp}
          </Button>
        ) : (
          <Button data-first look="primary" busy={signInAgain.busy} onClick={signInAgain.run}>
            {t.signInAgain}
          </Button>
        )}
      </div>
    </>
  )
}
