import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { auth, useConfig } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/endpoints.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { CodeField } from '../../ui/code-step.tsx'
import { CopyButton } from '../../ui/small.tsx'
import { BackupCodes } from './backup-codes.tsx'
import { PasswordForm } from './forms.tsx'
import { twoFactorTexts } from './texts.ts'

const QrCode = lazy(() => import('./qr-code.tsx'))

type Enabled = AnswerOf<'/two-factor/enable'>

/** Set-up in three steps: password, first code, backup codes. The second factor is off before the first code. */
export default function SetUp({ onDone, onCancel }: { onDone(): void; onCancel(): void }) {
  const t = useTexts(twoFactorTexts)
  const [enabled, setEnabled] = useState<Enabled | null>(null)
  const [verified, setVerified] = useState(false)
  const step = !enabled ? 1 : verified ? 3 : 2
  const start = useRef<HTMLDivElement>(null)
  const stepBefore = useRef(step)
  // The first step focuses its field, the others their heading.
  useEffect(() => {
    if (step === 3 && stepBefore.current !== step) start.current?.querySelector('h3')?.focus()
    stepBefore.current = step
  }, [step])
  return (
    <div ref={start} className="grid gap-5 border-t pt-5">
      <div className="grid gap-1">
        <p className="text-sm text-soft">{t.steps(step, 3)}</p>
        <h3 tabIndex={-1} className="font-medium outline-none">
          {step === 1 ? t.confirmTitle : step === 2 ? t.scanTitle : t.codesTitle}
        </h3>
      </div>
      {!enabled ? (
        <PasswordForm send={(input) => auth.twoFactor.enable(input)} done={setEnabled} onCancel={onCancel} autoFocus>
          {t.continue}
        </PasswordForm>
      ) : verified ? (
        <>
          <p className="max-w-prose text-soft">{t.codesIntro}</p>
          <BackupCodes codes={enabled.backupCodes} onSaved={onDone} />
        </>
      ) : (
        <Scan totpURI={enabled.totpURI} onVerified={() => setVerified(true)} onCancel={onCancel} />
      )}
    </div>
  )
}

interface ScanProps {
  totpURI: string
  onVerified(): void
  onCancel(): void
}

function Scan({ totpURI, onVerified, onCancel }: ScanProps) {
  const t = useTexts(twoFactorTexts)
  const { twoFactor } = useConfig()
  const key = new URL(totpURI).searchParams.get('secret') ?? ''
  return (
    <>
      <p className="max-w-prose text-soft">{t.scanIntro}</p>
      <Suspense fallback={<div className="size-52 rounded border bg-sunken" />}>
        <QrCode text={totpURI} label={t.qr} />
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
      <div className="max-w-md">
        <CodeField
          label={t.codeLabel}
          digits={twoFactor?.totp?.digits}
          guess={(code) => auth.twoFactor.verifyTotp({ code })}
          done={onVerified}
          errors={t.errors}
        />
      </div>
      <Button className="justify-self-start" onClick={onCancel}>
        {t.cancel}
      </Button>
    </>
  )
}
