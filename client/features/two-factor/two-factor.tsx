import { ShieldCheck, ShieldOff } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useAddressed } from '../../lib/address.ts'
import { auth, useMember } from '../../lib/api.ts'
import { isPlaceholder } from '../../lib/placeholder.ts'
import { hasPassword, refreshQueries, useAccounts, useQuery } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { ConfirmDestroy } from '../../ui/confirm-destroy.tsx'
import { Dialog, DialogButton } from '../../ui/dialog.tsx'
import { OwnSession } from '../../ui/own-session.tsx'
import { Section } from '../../ui/section.tsx'
import { Loaded, Skeleton } from '../../ui/state.tsx'
import { toast } from '../../ui/toasts.tsx'
import { BackupCodes } from './backup-codes.tsx'
import { OwnPasswordForm } from './forms.tsx'
import { twoFactorTexts } from './texts.ts'

const SetUp = lazy(() => import('./set-up.tsx'))

const refresh = () => refreshQueries('twoFactor')

/** The section of the security page. */
export default function TwoFactor() {
  const t = useTexts(twoFactorTexts)
  const { user } = useMember()
  const [settingUp, setSettingUp] = useAddressed('set-up-two-factor')
  function done() {
    setSettingUp(false)
    void refresh()
    toast(t.on)
  }
  return (
    <Section id="two-factor" title={t.title} intro={t.intro}>
      <OwnSession>
        {user.twoFactorEnabled ? (
          <On replaceApp={() => setSettingUp(true)} />
        ) : (
          <Off setUp={() => setSettingUp(true)} />
        )}
        {settingUp && (
          <Suspense>
            <SetUp onDone={done} onCancel={() => setSettingUp(false)} />
          </Suspense>
        )}
      </OwnSession>
    </Section>
  )
}

function Off({ setUp }: { setUp(): void }) {
  const t = useTexts(twoFactorTexts)
  const { user } = useMember()
  const { data: accounts, isPending } = useAccounts()
  if (isPending) return <Skeleton lines={1} />
  // The section above shows the error.
  if (!accounts) return null
  const isWithoutPassword = !hasPassword(accounts)
  // A guest, or a user with a number alone.
  const noAddress = isWithoutPassword && isPlaceholder(user.email)
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="flex max-w-prose gap-3">
        <ShieldOff aria-hidden size={20} className="mt-0.5 flex-none text-soft" />
        <span>
          {t.off} {noAddress ? t.needsAddress : isWithoutPassword && t.withoutPassword}
        </span>
      </p>
      {noAddress ? (
        <ButtonLink to="/account/profile#email">{t.addAddress}</ButtonLink>
      ) : (
        <Button onClick={setUp}>{t.setUp}</Button>
      )}
    </div>
  )
}

function On({ replaceApp }: { replaceApp(): void }) {
  const t = useTexts(twoFactorTexts)
  const status = useQuery(['twoFactor'], () => auth.twoFactor.status())
  return (
    <>
      <p className="flex items-center gap-3">
        <ShieldCheck aria-hidden size={20} className="flex-none text-success" />
        {t.on}
      </p>
      <div className="grid gap-4">
        <Line title={t.appTitle} text={t.app}>
          <Button onClick={replaceApp}>{t.replaceApp}</Button>
        </Line>
        <Loaded of={status} skeleton={<Skeleton lines={4} />}>
          {({ backupCodesLeft, trustedDevices }) => (
            <>
              <Line title={t.backupTitle} text={t.codesLeft(backupCodesLeft)} low={backupCodesLeft < 3}>
                <NewCodes />
              </Line>
              <Line title={t.devicesTitle} text={t.devices(trustedDevices)}>
                {trustedDevices > 0 && <ForgetDevices />}
              </Line>
            </>
          )}
        </Loaded>
        <Line title={t.disableTitle} text={t.disableWhat}>
          <Disable />
        </Line>
      </div>
    </>
  )
}

interface LineProps {
  title: string
  text: string
  low?: boolean
  children: ReactNode
}

function Line({ title, text, low, children }: LineProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 border-t pt-4">
      <div className="min-w-0 flex-1 basis-60">
        <h3 className="font-medium">{title}</h3>
        <p className={low ? 'text-sm text-warning' : 'text-sm text-soft'}>{text}</p>
      </div>
      {children}
    </div>
  )
}

function NewCodes() {
  const t = useTexts(twoFactorTexts)
  const [open, setOpen] = useAddressed('backup-codes')
  const [codes, setCodes] = useState<string[] | null>(null)
  function close() {
    setOpen(false)
    setCodes(null)
    void refresh()
  }
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t.regenerate}</Button>
      <Dialog open={open} title={codes ? t.codesTitle : t.regenerateTitle} keep={codes !== null} onClose={close}>
        <p>{codes ? t.codesIntro : t.regenerateWhat}</p>
        {codes ? (
          <BackupCodes codes={codes} onSaved={close} />
        ) : (
          <OwnPasswordForm
            send={(input) => auth.twoFactor.generateBackupCodes(input)}
            done={({ backupCodes }) => setCodes(backupCodes)}
            onCancel={close}
          >
            {t.regenerate}
          </OwnPasswordForm>
        )}
      </Dialog>
    </>
  )
}

function ForgetDevices() {
  const t = useTexts(twoFactorTexts)
  return (
    <ConfirmDestroy
      id="forget-devices"
      title={t.forgetTitle}
      action={t.forget}
      errors={t.errors}
      send={() => auth.twoFactor.forgetDevices({}, { method: 'POST' })}
      done={() => {
        void refresh()
        toast(t.forgotten)
      }}
      look="secondary"
    >
      {t.forgetWhat}
    </ConfirmDestroy>
  )
}

function Disable() {
  const t = useTexts(twoFactorTexts)
  return (
    <DialogButton id="disable-two-factor" label={t.disableTitle} title={t.disable} look="danger">
      {(close) => (
        <>
          <p>{t.disableWhat}</p>
          <OwnPasswordForm
            look="destroy"
            send={(input) => auth.twoFactor.disable(input)}
            done={() => {
              close()
              toast(t.off)
            }}
            onCancel={close}
          >
            {t.disable}
          </OwnPasswordForm>
        </>
      )}
    </DialogButton>
  )
}
