import { useQuery } from '@tanstack/react-query'
import { ShieldCheck, ShieldOff } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { auth, useMember } from '../../lib/api.ts'
import { unwrap } from '../../lib/call-error.ts'
import { hasPassword, queryClient, useAccounts } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { ConfirmDestroy } from '../../ui/confirm-destroy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Loaded, Skeleton } from '../../ui/state.tsx'
import { toast } from '../../ui/toasts.tsx'
import { BackupCodes } from './backup-codes.tsx'
import { PasswordForm } from './password-form.tsx'
import { twoFactorTexts } from './texts.ts'

const SetUp = lazy(() => import('./set-up.tsx'))

const refresh = () => queryClient.invalidateQueries({ queryKey: ['twoFactor'] })

export default function TwoFactor() {
  const t = useTexts(twoFactorTexts)
  const { user } = useMember()
  const [settingUp, setSettingUp] = useState(false)
  function done() {
    setSettingUp(false)
    void refresh()
    toast(t.turnedOn)
  }
  return (
    <Page title={t.title} intro={t.intro}>
      {settingUp ? (
        <Suspense fallback={<Skeleton lines={5} />}>
          <SetUp onDone={done} onCancel={() => setSettingUp(false)} />
        </Suspense>
      ) : user.twoFactorEnabled ? (
        <On replaceApp={() => setSettingUp(true)} />
      ) : (
        <Off setUp={() => setSettingUp(true)} />
      )}
    </Page>
  )
}

function Off({ setUp }: { setUp(): void }) {
  const t = useTexts(twoFactorTexts)
  const accounts = useAccounts()
  return (
    <Section>
      <p className="flex items-center gap-3">
        <ShieldOff aria-hidden size={20} className="flex-none text-soft" />
        {t.off}
      </p>
      <Loaded of={accounts} skeleton={<Skeleton lines={1} />}>
        {(list) =>
          hasPassword(list) ? (
            <Button look="primary" className="justify-self-start" onClick={setUp}>
              {t.setUp}
            </Button>
          ) : (
            <div className="grid justify-items-start gap-4">
              <p className="max-w-prose text-soft">{t.needsPassword}</p>
              <ButtonLink to="/account/password">{t.choosePassword}</ButtonLink>
            </div>
          )
        }
      </Loaded>
    </Section>
  )
}

function On({ replaceApp }: { replaceApp(): void }) {
  const t = useTexts(twoFactorTexts)
  const status = useQuery({ queryKey: ['twoFactor'], queryFn: () => unwrap(auth.twoFactor.status()) })
  return (
    <>
      <Section>
        <p className="flex items-center gap-3">
          <ShieldCheck aria-hidden size={20} className="flex-none text-success" />
          {t.on}
        </p>
      </Section>
      <Loaded
        of={status}
        skeleton={
          <Section>
            <Skeleton lines={4} />
          </Section>
        }
      >
        {({ backupCodesLeft, trustedDevices }) => (
          <>
            <Section title={t.backupTitle} intro={t.codesLeft(backupCodesLeft)}>
              <NewCodes />
            </Section>
            <Section title={t.devicesTitle} intro={t.devices(trustedDevices)}>
              {trustedDevices > 0 && <ForgetDevices />}
            </Section>
          </>
        )}
      </Loaded>
      <Section title={t.appTitle} intro={t.app}>
        <Button className="justify-self-start" onClick={replaceApp}>
          {t.replaceApp}
        </Button>
      </Section>
      <Section title={t.disableTitle} intro={t.disableWhat} danger>
        <Disable />
      </Section>
    </>
  )
}

function NewCodes() {
  const t = useTexts(twoFactorTexts)
  const [open, setOpen] = useState(false)
  const [codes, setCodes] = useState<string[] | null>(null)
  function close() {
    setOpen(false)
    setCodes(null)
    void refresh()
  }
  return (
    <>
      <Button className="justify-self-start" onClick={() => setOpen(true)}>
        {t.regenerate}
      </Button>
      <Dialog open={open} title={codes ? t.codesTitle : t.regenerateTitle} onClose={close}>
        <p className="text-soft">{codes ? t.codesIntro : t.regenerateWhat}</p>
        {codes ? (
          <BackupCodes codes={codes} onSaved={close} />
        ) : (
          <PasswordForm
            send={(input) => auth.twoFactor.generateBackupCodes(input)}
            done={({ backupCodes }) => setCodes(backupCodes)}
            onCancel={close}
          >
            {t.regenerate}
          </PasswordForm>
        )}
      </Dialog>
    </>
  )
}

function ForgetDevices() {
  const t = useTexts(twoFactorTexts)
  return (
    <ConfirmDestroy
      title={t.forgetTitle}
      action={t.forget}
      errors={t.errors}
      send={() => auth.twoFactor.forgetDevices({}, { method: 'POST' })}
      done={() => {
        void refresh()
        toast(t.forgotten)
      }}
      trigger={(open) => (
        <Button className="justify-self-start" onClick={open}>
          {t.forget}
        </Button>
      )}
    >
      {t.forgetWhat}
    </ConfirmDestroy>
  )
}

function Disable() {
  const t = useTexts(twoFactorTexts)
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button look="danger" className="justify-self-start" onClick={() => setOpen(true)}>
        {t.disable}
      </Button>
      <Dialog open={open} title={t.disable} onClose={() => setOpen(false)}>
        <p className="text-soft">{t.disableWhat}</p>
        <PasswordForm
          look="destroy"
          send={(input) => auth.twoFactor.disable(input)}
          done={() => {
            setOpen(false)
            toast(t.disabled)
          }}
          onCancel={() => setOpen(false)}
        >
          {t.disable}
        </PasswordForm>
      </Dialog>
    </>
  )
}
