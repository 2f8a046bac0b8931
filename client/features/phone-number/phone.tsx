import { useState } from 'react'
import { useAction } from '../../lib/action.ts'
import { useAddressed } from '../../lib/address.ts'
import { auth, useConfig, useMember } from '../../lib/api.ts'
import { useLifetime } from '../../lib/lifetime.ts'
import { readablePhone } from '../../lib/phone.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { CodeStep } from '../../ui/code-step.tsx'
import { ConfirmDestroy } from '../../ui/confirm-destroy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Section } from '../../ui/section.tsx'
import { Badge } from '../../ui/small.tsx'
import { ErrorPanel } from '../../ui/state.tsx'
import { toast } from '../../ui/toasts.tsx'
import { NumberForm, sendCode } from './number-form.tsx'
import { phoneTexts } from './texts.ts'

export default function Phone() {
  const t = useTexts(phoneTexts)
  const { user } = useMember()
  const [asking, setAsking] = useAddressed('change-phone')
  const [pending, setPending] = useState<string | null>(null)
  const number = user.phoneNumber
  const title = number ? t.change : t.add
  function close() {
    setAsking(false)
    setPending(null)
  }
  return (
    <Section id="phone" title={t.number} intro={t.phoneIntro}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        {number ? (
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="font-medium tabular-nums">{readablePhone(number)}</span>
            <Badge tone={user.phoneNumberVerified ? 'success' : 'warning'}>
              {user.phoneNumberVerified ? t.confirmed : t.unconfirmed}
            </Badge>
          </p>
        ) : (
          <p className="text-soft">{t.none}</p>
        )}
        <div className="flex flex-wrap gap-3">
          {number && !user.phoneNumberVerified && <ConfirmNumber number={number} onSent={setPending} />}
          <Button onClick={() => setAsking(true)}>{title}</Button>
          {number && <RemoveNumber number={number} />}
        </div>
      </div>
      <Dialog open={asking || pending !== null} title={pending ? t.enterCode : title} onClose={close}>
        {pending ? (
          <EnterCode number={pending} close={close} />
        ) : (
          <NumberForm label={number ? t.newNumber : t.number} onSent={setPending} onCancel={close} />
        )}
      </Dialog>
    </Section>
  )
}

function ConfirmNumber({ number, onSent }: { number: string; onSent(number: string): void }) {
  const t = useTexts(phoneTexts)
  const send = useAction(
    () => sendCode(number),
    () => onSent(number),
  )
  return (
    <>
      <Button busy={send.busy} onClick={send.run}>
        {t.confirm}
      </Button>
      {send.error && <ErrorPanel error={send.error} errors={t.errors} />}
    </>
  )
}

function RemoveNumber({ number }: { number: string }) {
  const t = useTexts(phoneTexts)
  return (
    <ConfirmDestroy
      title={t.removeTitle(readablePhone(number))}
      action={t.remove}
      errors={t.errors}
      look="secondary"
      send={() => auth.updateUser({ phoneNumber: null })}
      done={() => toast(t.removed)}
    >
      {t.removeText}
    </ConfirmDestroy>
  )
}

function EnterCode({ number, close }: { number: string; close(): void }) {
  const t = useTexts(phoneTexts)
  const lifetime = useLifetime('phoneCode')
  const { phoneCode } = useConfig()
  return (
    <>
      <p>{t.sentTo(readablePhone(number), lifetime)}</p>
      <CodeStep
        digits={phoneCode?.digits}
        guess={(code) => auth.phoneNumber.verify({ phoneNumber: number, code, updatePhoneNumber: true })}
        done={() => {
          toast(t.saved(readablePhone(number)))
          close()
        }}
        resend={() => sendCode(number)}
        errors={t.errors}
      />
    </>
  )
}
