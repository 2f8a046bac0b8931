import { lazy, Suspense, useState } from 'react'
import { auth, useConfig } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/endpoints.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { CodeField } from '../../ui/code-step.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { CopyButton } from '../../ui/small.tsx'
import { BackupCodes } from './backup-codes.tsx'
import { OwnPasswordForm } from './forms.tsx'
import { twoFactorTexts } from './texts.ts'

const QrCode = lazy(() => import('./qr-code.tsx'))

type Enabled = AnswerOf<'/two-factor/enable'>

/** Set-up in a dialog of three steps: password, first code, backup codes. The second factor is off before the first code. */
export default function SetUp({ onDone, onCancel }: { onDone(): void; onCancel(): void }) {
  const t = useTexts(twoFactorTexts)
  const [enabled, setEnabled] = useState<Enabled | null>(null)
  const [verified, setVerified] = useState(false)
  const step = !enabled ? 1 : verified ? 3 : 2
  const title = step === 1 ? t.confirmTitle : step === 2 ? t.scanTitle : t.codesTitle
  return (
    <Dialog open title={title} keep={verified} onClose={onCancel}>
      <p className="-mt-3 text-sm text-soft">{t.steps(step, 3)}</p>
      {!enabled ? (
        <OwnPasswordForm send={(input) => auth.twoFactor.enable(input)} done={setEnabled} onCancel={onCancel} autoFocus>
          {t.continue}
        </OwnPasswordForm>
      ) : verified ? (
        <>
          <p className="max-w-prose text-soft">{t.codesIntro}</p>
          <BackupCodes codes={enabled.backupCodes} onSaved={onDone} />
        </>
      ) : (
        <Scan totpURI={enabled.totpURI} onVerified={() => setVerified(true)} onCancel={onCancel} />
      )}
    </Dialog>
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
