import { useState } from 'react'
import { useAction } from '../../lib/action.ts'
import { auth, useConfig, useMember } from '../../lib/api.ts'
import { useLifetime } from '../../lib/lifetime.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { CodeStep } from '../../ui/code-step.tsx'
import { ConfirmDestroy } from '../../ui/confirm-destroy.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Badge } from '../../ui/small.tsx'
import { ErrorPanel } from '../../ui/state.tsx'
import { toast } from '../../ui/toasts.tsx'
import { NumberForm, sendCode } from './number-form.tsx'
import { phoneTexts } from './texts.ts'

/** The signed-in person's number: add, confirm, change, remove. */
export default function Phone() {
  const t = useTexts(phoneTexts)
  const { user } = useMember()
  const [pending, setPending] = useState<string | null>(null)
  const number = user.phoneNumber
  return (
    <Page title={t.phoneTitle} intro={t.phoneIntro}>
      <Section title={t.yours}>
        {number ? <Current number={number} onSent={setPending} /> : <p className="text-soft">{t.none}</p>}
      </Section>
      {pending ? (
        <EnterCode number={pending} close={() => setPending(null)} />
      ) : (
        <Section title={number ? t.change : t.add}>
          <NumberForm label={number ? t.newNumber : t.number} onSent={setPending} />
        </Section>
      )}
    </Page>
  )
}

function Current({ number, onSent }: { number: string; onSent(number: string): void }) {
  const t = useTexts(phoneTexts)
  const { phoneNumberVerified } = useMember().user
  const send = useAction(
    () => sendCode(number),
    () => onSent(number),
  )
  return (
    <>
      <p className="flex flex-wrap items-center gap-3">
        <span className="tabular-nums">{number}</span>
        <Badge tone={phoneNumberVerified ? 'success' : 'neutral'}>
          {phoneNumberVerified ? t.confirmed : t.unconfirmed}
        </Badge>
      </p>
      {send.error && <ErrorPanel error={send.error} errors={t.errors} />}
      <div className="flex flex-wrap gap-3">
        {!phoneNumberVerified && (
          <Button busy={send.busy} onClick={send.run}>
            {t.confirm}
          </Button>
        )}
        <ConfirmDestroy
          title={t.removeTitle(number)}
          action={t.remove}
          errors={t.errors}
          trigger={(open) => <Button onClick={open}>{t.remove}</Button>}
          send={() => auth.updateUser({ phoneNumber: null })}
          done={() => toast(t.removed)}
        >
          {t.removeText}
        </ConfirmDestroy>
      </div>
    </>
  )
}

function EnterCode({ number, close }: { number: string; close(): void }) {
  const t = useTexts(phoneTexts)
  const lifetime = useLifetime('phoneCode')
  const { phoneCode } = useConfig()
  return (
    <Section title={t.codeTitle} intro={t.sentTo(number, lifetime)}>
      <div className="max-w-md">
        <CodeStep
          digits={phoneCode?.digits}
          guess={(code) => auth.phoneNumber.verify({ phoneNumber: number, code, updatePhoneNumber: true })}
          done={() => {
            toast(t.saved(number))
            close()
          }}
          resend={() => sendCode(number)}
          errors={t.errors}
        >
          <Button look="quiet" onClick={close}>
            {t.cancel}
          </Button>
        </CodeStep>
      </div>
    </Section>
  )
}
