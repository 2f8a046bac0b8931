import { Pencil, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { auth, useConfig, useMember } from '../../lib/api.ts'
import { usePasskeys } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDestroy } from '../../ui/confirm-destroy.tsx'
import { OwnSession, useNotMine } from '../../ui/own-session.tsx'
import { Section } from '../../ui/section.tsx'
import { Badge } from '../../ui/small.tsx'
import { Loaded, Skeleton } from '../../ui/state.tsx'
import { Since, Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'
import { AddPasskey, NameDialog } from './add.tsx'
import { quietPoint } from './ceremony.ts'
import { PasskeyGlyph } from './glyph.tsx'
import { signalAccepted, signalDetails, signalUnknown } from './password-managers.ts'
import type { Passkey } from './register.ts'
import { passkeyErrors, passkeyTexts } from './texts.ts'

/** The section of the security page. */
export default function Passkeys() {
  const t = useTexts(passkeyTexts)
  const passkeys = usePasskeys()
  const notMine = useNotMine()
  const asksSecond = useConfig().passkey?.secondFactor === true
  usePasswordManagers(passkeys.data)
  return (
    <Section
      id="passkeys"
      title={t.title}
      intro={asksSecond ? `${t.intro} ${t.second}` : t.intro}
      action={
        <fieldset disabled={notMine !== null} className="contents">
          <AddPasskey id="add-passkey" />
        </fieldset>
      }
    >
      <OwnSession>
        <Loaded of={passkeys} skeleton={<Skeleton lines={3} />} empty={t.empty}>
          {(list) => (
            <ul className="grid grid-cols-1 gap-5">
              {list.map((passkey) => (
                <li key={passkey.id} className="border-b pb-5 last:border-b-0 last:pb-0">
                  <PasskeyRow passkey={passkey} />
                </li>
              ))}
            </ul>
          )}
        </Loaded>
      </OwnSession>
    </Section>
  )
}

/**
 * Reports the user's passkeys and names to password managers, once per visit: the first list, unless a ceremony may have created
 * a passkey since it was requested.
 */
function usePasswordManagers(list: Passkey[] | null) {
  const { user } = useMember()
  const rpId = useConfig().passkey?.rpId
  const [before] = useState(quietPoint)
  const reported = useRef(false)
  useEffect(() => {
    if (!rpId || !list || reported.current) return
    reported.current = true
    if (before !== null && before === quietPoint()) {
      const ids = list.map(({ credentialID }) => credentialID)
      void signalAccepted(rpId, user, ids)
    }
    void signalDetails(rpId, user)
  }, [rpId, user, list, before])
}

/** Where the passkey is: keys that cannot be copied are lost with their device. */
function copiesOf({ backedUp, deviceType, family }: Passkey): 'backedUp' | 'notYet' | 'key' | 'device' {
  if (backedUp) return 'backedUp'
  if (deviceType === 'multiDevice') return 'notYet'
  return family === 'security-key' ? 'key' : 'device'
}

function PasskeyRow({ passkey }: { passkey: Passkey }) {
  const t = useTexts(passkeyTexts)
  const errors = useTexts(passkeyErrors)
  const rpId = useConfig().passkey?.rpId
  const [naming, setNaming] = useState(false)
  const { authenticator, lastUsedAt, createdAt, family } = passkey
  const name = passkey.name ?? authenticator ?? t.unnamed
  const copies = copiesOf(passkey)
  return (
    <div className="flex items-center gap-3 sm:gap-4">
      <PasskeyGlyph family={family} />
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2 font-medium sm:flex-wrap">
          <bdi title={name} className="min-w-0 break-words max-sm:truncate">
            {name}
          </bdi>
          {/* A phone has room for what may be lost. */}
          <span className={copies === 'backedUp' ? 'flex max-sm:hidden' : 'flex'}>
            <Badge>{t.copies[copies]}</Badge>
          </span>
        </p>
        {/* A row has two lines on a phone. */}
        <div className="text-sm text-soft sm:hidden">
          {lastUsedAt ? <Since what={t.lastUsed} date={lastUsedAt} /> : <p className="truncate">{t.neverUsed}</p>}
        </div>
        <p className="text-sm text-soft max-sm:hidden">
          {authenticator && authenticator !== name && <>{authenticator} · </>}
          {t.added} <Time date={createdAt} /> ·{' '}
          {lastUsedAt ? (
            <>
              {t.lastUsed} <Time date={lastUsedAt} />
            </>
          ) : (
            t.neverUsed
          )}
        </p>
      </div>
      <div className="flex gap-2 sm:gap-3">
        <Button aria-label={t.renameOne(name)} className="max-sm:px-2.5" onClick={() => setNaming(true)}>
          <Pencil aria-hidden size={16} className="sm:hidden" />
          <span className="max-sm:hidden">{t.rename}</span>
        </Button>
        <ConfirmDestroy
          title={t.removeQuestion(name)}
          action={t.delete}
          errors={errors}
          send={() => auth.passkey.deletePasskey({ id: passkey.id })}
          done={() => {
            if (rpId) void signalUnknown(rpId, passkey.credentialID)
            toast(t.removed(name))
          }}
          trigger={(ask) => (
            <Button aria-label={t.removeOne(name)} className="max-sm:px-2.5" onClick={ask}>
              <Trash2 aria-hidden size={16} className="sm:hidden" />
              <span className="max-sm:hidden">{t.delete}</span>
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
