import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { auth, useConfig } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/types.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/page.tsx'
import { CopyButton } from '../../ui/small.tsx'
import { BackupCodes } from './backup-codes.tsx'
import { CodeField } from './code-field.tsx'
import { PasswordForm } from './password-form.tsx'
import { twoFactorTexts } from './texts.ts'

const QrCode = lazy(() => import('./qr-code.tsx'))

type Enabled = AnswerOf<'/two-factor/enable'>

/** Password, picture and first code, backup codes. Nothing is in force before the first code. */
export default function SetUp({ onDone, onCancel }: { onDone(): void; onCancel(): void }) {
  const t = useTexts(twoFactorTexts)
  const core = useTexts()
  const { twoFactor } = useConfig()
  const [enabled, setEnabled] = useState<Enabled | null>(null)
  const [verified, setVerified] = useState(false)
  const step = !enabled ? 1 : verified ? 3 : 2
  const start = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (step === 3) start.current?.focus()
  }, [step])
  if (!enabled) {
    return (
      <Section title={t.confirmTitle} intro={t.steps(step, 3)}>
        <PasswordForm send={(input) => auth.twoFactor.enable(input)} done={setEnabled} onCancel={onCancel}>
          {core.continue}
        </PasswordForm>
      </Section>
    )
  }
  if (verified) {
    return (
      <div ref={start} tabIndex={-1}>
        <Section title={t.codesTitle} intro={`${t.steps(step, 3)}. ${t.codesIntro}`}>
          <BackupCodes codes={enabled.backupCodes} onSaved={onDone} />
        </Section>
      </div>
    )
  }
  const key = new URL(enabled.totpURI).searchParams.get('secret') ?? ''
  return (
    <Section title={t.scanTitle} intro={`${t.steps(step, 3)}. ${t.scanIntro}`}>
      <Suspense fallback={<div className="size-52 rounded border bg-sunken" />}>
        <QrCode text={enabled.totpURI} label={t.qr} />
      </Suspense>
      <div className="grid gap-2">
        <p className="font-medium">{t.byHand}</p>
        <p translate="no" className="max-w-md rounded bg-sunken px-3 py-2 font-mono break-words">
          {key.match(/.{1,4}/g)?.join(' ')}
        </p>
        <div>
          <CopyButton text={key}>{t.copyKey}</CopyButton>
        </div>
      </div>
      <CodeField
        label={t.codeLabel}
        digits={twoFactor?.totp?.digits}
        guess={(code) => auth.twoFactor.verifyTotp({ code })}
        done={() => setVerified(true)}
        errors={t.errors}
      />
      <Button className="justify-self-start" onClick={onCancel}>
        {core.cancel}
      </Button>
    </Section>
  )
}
