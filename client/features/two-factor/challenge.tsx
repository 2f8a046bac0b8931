import { KeyRound } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Link, Redirect } from 'wouter'
import { countdownInWords } from '../../../worker/kit/time.ts'
import { useAction } from '../../lib/action.ts'
import { useAfterSignIn } from '../../lib/after-sign-in.ts'
import { auth, useConfig } from '../../lib/api.ts'
import type { AnswerOf, SignInAnswer } from '../../lib/auth/endpoints.ts'
import { useLoad } from '../../lib/auth/use-view.ts'
import { useSecondsUntil } from '../../lib/clock.ts'
import { useContinuation } from '../../lib/continuation.ts'
import { deployment } from '../../lib/deployment.ts'
import { lastUsed } from '../../lib/last-used.ts'
import { useLifetime } from '../../lib/lifetime.ts'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { CodeField, RequestedCode } from '../../ui/code-step.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { Divider, Sheet } from '../../ui/page.tsx'
import { CountdownText, ErrorPanel, Skeleton } from '../../ui/state.tsx'
import { Unavailable } from '../../ui/unavailable.tsx'
import { giveSecondFactor } from '../passkey/sign-in.ts'
import { passkeyErrors } from '../passkey/texts.ts'
import { BackupCodeForm } from './forms.tsx'
import { challengeTexts } from './texts.ts'

type Challenge = AnswerOf<'/two-factor/challenge'>
type Method = Challenge['methods'][number]

/** The second factor of a sign-in. A cookie identifies the pending sign-in. */
export default function TwoFactorChallenge() {
  const session = auth.useSession()
  const { path } = useContinuation()
  const { data, error, isPending, refetch } = useLoad(() => auth.twoFactor.challenge())
  const [isOver, setOver] = useState(false)
  const gone = useCallback(() => setOver(true), [])
  if (isPending) return <Skeleton lines={5} />
  if (isOver || error?.status === 401) {
    // After the sign-in, a return to this page leads to the same target.
    if (session.data) return <Redirect to={path ?? '/account/profile'} replace />
    return session.isPending ? <Skeleton lines={5} /> : <Gone />
  }
  if (data) return <Question challenge={data} gone={gone} />
  return error && <Unavailable error={error} onRetry={() => void refetch()} />
}

function Gone() {
  const t = useTexts(challengeTexts)
  const { query } = useContinuation()
  return (
    <Sheet key="gone" title={t.goneTitle} intro={t.gone}>
      <ButtonLink to={`/sign-in${query}`} look="primary" wide>
        {t.backToSignIn}
      </ButtonLink>
    </Sheet>
  )
}

const keyOf = (id: string) => `${deployment.storage}challenge:${id}`

/** A code that this tab has requested for the sign-in, and that is still valid: a reload requests no other one. */
function wasSent(id: string, lifetime: number): boolean {
  try {
    return Date.now() < Number(sessionStorage.getItem(keyOf(id))) + lifetime * 1000
  } catch {
    return false
  }
}

function noteSent(id: string): void {
  try {
    sessionStorage.setItem(keyOf(id), String(Date.now()))
  } catch {
    // After a reload another code is requested.
  }
}

/** A failure leaves the button, whose answer says what is wrong. */
async function sendAtOnce(sent: () => void): Promise<void> {
  const { error } = await auth.twoFactor.sendOtp({})
  if (!error) sent()
}

/** Browsers without passkeys begin with another way, if there is one. */
const firstOf = (methods: Method[]): Method =>
  methods.find((method) => method !== 'passkey' || Boolean(globalThis.PublicKeyCredential)) ??
  methods[0] ??
  'backup-code'

function ByPasskey({
  wishes,
  done,
  refused,
}: {
  wishes: { trustDevice: boolean; callbackURL: string | undefined }
  done(answer: SignInAnswer): void
  refused(code: string | undefined): unknown
}) {
  const t = useTexts(challengeTexts)
  const errors = useTexts(passkeyErrors)
  const use = useAction(async () => {
    const result = await giveSecondFactor(wishes)
    refused(result.error?.code)
    return result
  }, done)
  return (
    <>
      {use.error && <ErrorPanel error={use.error} errors={errors} />}
      <Button look="primary" wide busy={use.busy} onClick={use.run} autoFocus>
        <KeyRound aria-hidden size={18} />
        {t.switchTo.passkey}
      </Button>
    </>
  )
}

function Question({ challenge, gone }: { challenge: Challenge; gone(): void }) {
  const t = useTexts(challengeTexts)
  const { foreign, query } = useContinuation()
  const lifetime = useLifetime('secondFactorCode')
  const { twoFactor, brand, lifetimes } = useConfig()
  const [method, setMethod] = useState<Method>(() => firstOf(challenge.methods))
  const [trustDevice, setTrust] = useState(false)
  const [mailed, setMailed] = useState(() => wasSent(challenge.id, lifetimes.secondFactorCode ?? 0))
  const sent = useCallback(() => {
    noteSent(challenge.id)
    setMailed(true)
  }, [challenge.id])
  const [until] = useState(() => Date.now() + challenge.expiresIn * 1000)
  const left = useSecondsUntil(until)
  useEffect(() => {
    if (left === 0) gone()
  }, [left, gone])
  // Without a second factor there is one way, so that nothing has to be chosen: the code is on its way.
  const isMailedAtOnce = challenge.newPlace && challenge.methods.join() === 'otp'
  useEffect(() => {
    if (isMailedAtOnce && !mailed) void sendAtOnce(sent)
  }, [isMailedAtOnce, mailed, sent])
  const isEnrolled = challenge.methods.includes('backup-code')
  const signedIn = useAfterSignIn(lastUsed.get() ?? 'password')
  const refused = (code: string | undefined) => code === 'INVALID_TWO_FACTOR_COOKIE' && gone()
  const common = { done: signedIn, refused }
  const proof = (code: string) => ({ code, trustDevice, callbackURL: foreign })
  const days = Math.round((twoFactor?.trustDeviceMaxAge ?? 2_592_000) / 86_400)
  const field = useRef<HTMLDivElement>(null)
  // The field of the new method takes the focus, or its button.
  function change(next: Method) {
    flushSync(() => setMethod(next))
    if (next === 'otp' || next === 'passkey') field.current?.querySelector('button')?.focus()
  }
  const others = challenge.methods.filter((each) => each !== method)
  const language = useLanguage()
  // A block that outlives this sign-in: waiting does not help.
  const blocked = (seconds: number) =>
    seconds > left
      ? (others.length > 0 ? t.startAgainOr : t.startAgain)(countdownInWords(seconds, language))
      : undefined
  return (
    <Sheet
      title={challenge.newPlace ? t.newPlaceTitle : t.title}
      intro={
        method !== 'otp'
          ? t.intro[method]
          : mailed
            ? (challenge.newPlace ? t.newPlaceSent : t.codeSentTo)(challenge.email, lifetime)
            : (challenge.newPlace ? t.newPlace : t.intro.otp)(challenge.email)
      }
    >
      <CountdownText value={blocked}>
        <div ref={field} className="grid gap-5">
          {/* Before the code, which is sent when it is complete. A passkey or a code by mail alone leads to no trust. */}
          {isEnrolled && (
            <Checkbox
              label={t.trust(days)}
              hint={t.trustHint}
              checked={trustDevice}
              onChange={(event) => setTrust(event.target.checked)}
            />
          )}
          {method === 'passkey' && (
            <ByPasskey wishes={{ trustDevice, callbackURL: foreign }} done={signedIn} refused={refused} />
          )}
          {method === 'totp' && (
            <CodeField
              {...common}
              digits={twoFactor?.totp?.digits}
              guess={(code) => auth.twoFactor.verifyTotp(proof(code))}
              errors={t.errors}
            />
          )}
          {method === 'otp' && (
            <RequestedCode
              {...common}
              digits={twoFactor?.otp?.digits}
              guess={(code) => auth.twoFactor.verifyOtp(proof(code))}
              errors={t.mailedErrors}
              send={() => auth.twoFactor.sendOtp({ trustDevice })}
              sent={mailed}
              onSent={sent}
              action={t.send}
            />
          )}
          {method === 'backup-code' && (
            <BackupCodeForm
              done={signedIn}
              send={(code) => auth.twoFactor.verifyBackupCode(proof(code))}
              errors={t.errors}
              refused={({ code }) => {
                refused(code)
                return code === 'INVALID_TWO_FACTOR_COOKIE'
              }}
              autoFocus
            >
              {t.continue}
            </BackupCodeForm>
          )}
        </div>
      </CountdownText>
      {others.length > 0 && (
        <>
          <Divider>{t.or}</Divider>
          <div className="grid gap-3">
            {others.map((other) => (
              <Button key={other} wide onClick={() => change(other)}>
                {t.switchTo[other]}
              </Button>
            ))}
          </div>
        </>
      )}
      <div className="grid justify-items-center gap-2 text-center text-soft">
        <p role="timer" aria-live="off" className="tabular-nums">
          {t.timeLeft(`${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`)}
        </p>
        <Link href={`/sign-in${query}`} className="link">
          {t.backToSignIn}
        </Link>
        {brand.support && (
          <p>
            {t.lostAll}{' '}
            <a className="link" href={brand.support}>
              {t.contactSupport}
            </a>
          </p>
        )}
      </div>
    </Sheet>
  )
}
