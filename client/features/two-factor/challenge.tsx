import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Link, Redirect } from 'wouter'
import { foreignCallback, useAfterSignIn } from '../../lib/after-sign-in.ts'
import { auth, useConfig } from '../../lib/api.ts'
import type { AnswerOf, AuthError } from '../../lib/auth/types.ts'
import { useSecondsUntil } from '../../lib/clock.ts'
import { continuation } from '../../lib/continuation.ts'
import { useForm } from '../../lib/form.ts'
import { lastUsed } from '../../lib/last-used.ts'
import { useLifetime } from '../../lib/lifetime.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { spentCode } from '../../ui/code-step.tsx'
import { Checkbox, Field } from '../../ui/field.tsx'
import { Divider, Sheet } from '../../ui/page.tsx'
import { ResendButton } from '../../ui/resend-button.tsx'
import { ErrorPanel, Skeleton } from '../../ui/state.tsx'
import { Submit } from '../../ui/submit.tsx'
import { CodeField } from './code-field.tsx'
import { challengeTexts } from './texts.ts'

type Challenge = AnswerOf<'/two-factor/challenge'>
type Method = Challenge['methods'][number]

/** Between the password and the account. Which sign-in waits, the browser's cookie says. */
export default function TwoFactorChallenge() {
  const session = auth.useSession()
  const [state, setState] = useState<'asking' | 'gone' | Challenge | { error: AuthError }>('asking')
  useEffect(() => {
    if (state !== 'asking') return
    let here = true
    void auth.twoFactor.challenge().then(({ data, error }) => {
      if (here) setState(data ?? (error.status === 401 ? 'gone' : { error }))
    })
    return () => {
      here = false
    }
  }, [state])
  if (state === 'asking') return <Skeleton lines={5} />
  if (state === 'gone') {
    // Whoever comes back to this page after the sign-in goes on to where it led.
    if (session.data) return <Redirect to={continuation().path ?? '/account/profile'} replace />
    return session.isPending ? <Skeleton lines={5} /> : <Gone />
  }
  if ('error' in state) return <ErrorPanel error={state.error} onRetry={() => setState('asking')} />
  return <Question challenge={state} gone={() => setState('gone')} />
}

function Gone() {
  const t = useTexts(challengeTexts)
  return (
    <Sheet key="gone" title={t.goneTitle} intro={t.gone}>
      <ButtonLink to={`/sign-in${continuation().query}`} look="primary" wide>
        {t.back}
      </ButtonLink>
    </Sheet>
  )
}

function Question({ challenge, gone }: { challenge: Challenge; gone(): void }) {
  const t = useTexts(challengeTexts)
  const lifetime = useLifetime('secondFactorCode')
  const { twoFactor } = useConfig()
  const [method, setMethod] = useState<Method>(challenge.methods[0] ?? 'backup-code')
  const [trustDevice, setTrust] = useState(false)
  const [mailed, setMailed] = useState(false)
  const [until] = useState(() => Date.now() + challenge.expiresIn * 1000)
  const left = useSecondsUntil(until)
  useEffect(() => {
    if (left === 0) gone()
  }, [left, gone])
  const signedIn = useAfterSignIn(lastUsed.get() ?? 'password')
  const refused = (code: string | undefined) => code === 'INVALID_TWO_FACTOR_COOKIE' && gone()
  const common = { trustDevice, done: signedIn, refused }
  const days = Math.round((twoFactor?.trustDeviceMaxAge ?? 2_592_000) / 86_400)
  const field = useRef<HTMLDivElement>(null)
  // A field of the new method takes the focus itself; where there is none yet, its button does.
  function change(next: Method) {
    flushSync(() => setMethod(next))
    if (next === 'otp') field.current?.querySelector('button')?.focus()
  }
  const others = challenge.methods.filter((each) => each !== method)
  return (
    <Sheet
      title={t.title}
      intro={
        method !== 'otp' ? t.intro[method] : mailed ? t.sentTo(challenge.email, lifetime) : t.intro.otp(challenge.email)
      }
    >
      <div ref={field} className="grid gap-5">
        {/* Before the code, which sends itself as soon as it is complete. */}
        <Checkbox
          label={t.trust(days)}
          hint={t.trustHint}
          checked={trustDevice}
          onChange={(event) => setTrust(event.target.checked)}
        />
        {method === 'totp' && <AppCode {...common} />}
        {method === 'otp' && <MailedCode {...common} sent={mailed} onSent={() => setMailed(true)} />}
        {method === 'backup-code' && <BackupCode {...common} />}
      </div>
      {others.length > 0 && (
        <>
          <Divider>{t.otherWay}</Divider>
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
        <Link href={`/sign-in${continuation().query}`} className="link">
          {t.back}
        </Link>
      </div>
    </Sheet>
  )
}

interface WayProps {
  trustDevice: boolean
  done(answer: AnswerOf<'/two-factor/verify-totp'>): void
  refused(code: string | undefined): void
}

function AppCode({ trustDevice, done, refused }: WayProps) {
  const t = useTexts(challengeTexts)
  const { twoFactor } = useConfig()
  return (
    <CodeField
      label={t.code}
      digits={twoFactor?.totp?.digits}
      guess={(code) => auth.twoFactor.verifyTotp({ code, trustDevice, callbackURL: foreignCallback() })}
      done={done}
      refused={refused}
      errors={t.errors}
    />
  )
}

function MailedCode({ trustDevice, done, refused, sent, onSent }: WayProps & { sent: boolean; onSent(): void }) {
  const t = useTexts(challengeTexts)
  const { twoFactor } = useConfig()
  const [round, setRound] = useState(0)
  return (
    <>
      {sent && (
        <CodeField
          label={t.code}
          digits={twoFactor?.otp?.digits}
          guess={(code) => auth.twoFactor.verifyOtp({ code, trustDevice, callbackURL: foreignCallback() })}
          done={done}
          refused={(code) => {
            if (spentCode.has(code ?? '')) setRound(round + 1)
            refused(code)
          }}
          errors={t.mailedErrors}
        />
      )}
      <ResendButton
        key={round}
        ready
        look={sent ? 'secondary' : 'primary'}
        sent={t.sent}
        send={async () => {
          const answer = await auth.twoFactor.sendOtp({ trustDevice })
          if (answer.error) refused(answer.error.code)
          else onSent()
          return answer
        }}
      >
        {sent ? t.sendAgain : t.send}
      </ResendButton>
    </>
  )
}

function BackupCode({ trustDevice, done, refused }: WayProps) {
  const t = useTexts(challengeTexts)
  const core = useTexts()
  const form = useForm({
    fields: ['code'],
    check: ({ code }) => ({ code: !code.trim() && core.required.code }),
    send: ({ code }) =>
      auth.twoFactor.verifyBackupCode({ code: code.trim(), trustDevice, callbackURL: foreignCallback() }),
    at: { INVALID_BACKUP_CODE: 'code' },
    errors: t.errors,
    refused(error) {
      refused(error.code)
      return error.code === 'INVALID_TWO_FACTOR_COOKIE'
    },
    done,
  })
  return (
    <form {...form.props} className="grid gap-5">
      <Field
        {...form.field('code')}
        label={t.backupCode}
        autoFocus
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="xxxxx-xxxxx"
      />
      <Submit form={form} wide>
        {t.submit}
      </Submit>
    </form>
  )
}
