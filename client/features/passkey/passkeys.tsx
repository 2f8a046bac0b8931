import { KeyRound } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { auth, useConfig, useMember } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDestroy } from '../../ui/confirm-destroy.tsx'
import { Section } from '../../ui/page.tsx'
import { Badge } from '../../ui/small.tsx'
import { Loaded, Skeleton } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'
import { AddPasskey } from './add.tsx'
import { NameDialog } from './name-dialog.tsx'
import { signalAccepted, signalDetails, signalUnknown } from './password-managers.ts'
import type { Passkey } from './register.ts'
import { passkeyErrors, passkeyTexts } from './texts.ts'

/** The person's passkeys: a section of the page about security. */
export default function Passkeys() {
  const t = useTexts(passkeyTexts)
  const passkeys = auth.useListPasskeys()
  usePasswordManagers()
  return (
    <Section id="passkeys" title={t.title} intro={t.intro}>
      <Loaded of={passkeys} skeleton={<Skeleton lines={3} />}>
        {(list) =>
          list.length === 0 ? (
            <p className="text-soft">{t.empty}</p>
          ) : (
            <ul className="grid gap-5">
              {list.map((passkey) => (
                <li key={passkey.id} className="border-b pb-5 last:border-b-0 last:pb-0">
                  <PasskeyRow passkey={passkey} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <AddPasskey />
    </Section>
  )
}

/** Tells password managers, once a visit, which passkeys there are, and what their owner is called. */
function usePasswordManagers() {
  const { user } = useMember()
  const rpId = useConfig().passkey?.rpId
  const told = useRef(false)
  useEffect(() => {
    if (!rpId || told.current) return
    told.current = true
    void signalAccepted(rpId, user)
    void signalDetails(rpId, user)
  }, [rpId, user])
}

function PasskeyRow({ passkey }: { passkey: Passkey }) {
  const t = useTexts(passkeyTexts)
  const errors = useTexts(passkeyErrors)
  const rpId = useConfig().passkey?.rpId
  const [naming, setNaming] = useState(false)
  const { authenticator, lastUsedAt, createdAt, backedUp } = passkey
  const name = passkey.name ?? authenticator ?? t.unnamed
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <KeyRound aria-hidden size={22} className="flex-none text-soft" />
      <div className="min-w-0 flex-1 basis-48">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <span className="min-w-0 break-words">{name}</span>
          {backedUp && <Badge>{t.synced}</Badge>}
        </p>
        <p className="text-sm text-soft">
          {authenticator && authenticator !== name && <>{authenticator} · </>}
          {t.added} <Time date={createdAt} /> ·{' '}
          {lastUsedAt ? (
            <>
              {t.used} <Time date={lastUsedAt} />
            </>
          ) : (
            t.neverUsed
          )}
        </p>
      </div>
      <div className="flex flex-wrap gap-3">
        <Button aria-label={t.renameOne(name)} onClick={() => setNaming(true)}>
          {t.rename}
        </Button>
        <ConfirmDestroy
          title={t.removeQuestion(name)}
          action={t.remove}
          errors={errors}
          send={() => auth.passkey.deletePasskey({ id: passkey.id })}
          done={() => {
            if (rpId) void signalUnknown(rpId, passkey.credentialID)
            toast(t.removed(name))
          }}
          trigger={(open) => (
            <Button aria-label={t.removeOne(name)} onClick={open}>
              {t.remove}
            </Button>
          )}
        >
          {t.removeWhat}
        </ConfirmDestroy>
      </div>
      <NameDialog passkey={passkey} open={naming} title={t.renameTitle} onClose={() => setNaming(false)} />
    </div>
  )
}
