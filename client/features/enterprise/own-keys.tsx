import { useAction } from '../../lib/action.ts'
import { auth } from '../../lib/api.ts'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDestroy } from '../../ui/confirm-destroy.tsx'
import { Badge } from '../../ui/small.tsx'
import { ErrorPanel, Note } from '../../ui/state.tsx'
import { toast } from '../../ui/toasts.tsx'
import { type Connection, useManager } from './manager.ts'
import { Copyable, Part } from './parts.tsx'
import { ssoTexts } from './texts.ts'

type Step = 'add' | 'switch' | 'remove'

/** For members: our certificates of a SAML connection, and their rotation. */
export function OwnKeys({ connection, organizationId }: { connection: Connection; organizationId: string }) {
  const t = useTexts(ssoTexts)
  const language = useLanguage()
  const { refresh } = useManager()
  const { id: connectionId, ownCertificates } = connection
  const send = (step: Step) => () => auth.sso.rotateKey({ organizationId, connectionId, step })
  const done = (text: string) => () => {
    toast(text)
    refresh()
  }
  const add = useAction(send('add'), done(t.keyAdded))
  const change = useAction(send('switch'), done(t.keySwitched))
  const error = add.error ?? change.error
  const day = (at: Date) => at.toLocaleDateString(language, { dateStyle: 'long' })
  const hasSecond = ownCertificates.length > 1
  return (
    <Part title={t.ownKey} intro={t.ownKeyIntro}>
      <ul className="grid grid-cols-1 gap-5">
        {ownCertificates.map(({ certificate, expiresAt }, at) => (
          <li key={certificate} className="grid grid-cols-1 gap-2">
            <Copyable label={t.ownKeyState(at + 1)} text={certificate} isLong />
            <p className="flex flex-wrap items-center gap-2 text-sm text-soft">
              <Badge tone={at === 0 ? 'success' : 'neutral'}>{at === 0 ? t.signing : t.notSigning}</Badge>
              {t.certificatesExpire(day(expiresAt))}
            </p>
          </li>
        ))}
      </ul>
      {hasSecond && <Note>{t.keyNext}</Note>}
      {error && <ErrorPanel error={error} errors={t.errors} />}
      <div className="flex flex-wrap gap-3">
        {hasSecond ? (
          <>
            <Button busy={change.busy} onClick={change.run}>
              {t.switchKey}
            </Button>
            <ConfirmDestroy
              title={t.removeKeyQuestion}
              action={t.removeKey}
              look="secondary"
              errors={t.errors}
              send={send('remove')}
              done={done(t.keyRemoved)}
            >
              {t.removeKeyWhat}
            </ConfirmDestroy>
          </>
        ) : (
          <Button busy={add.busy} onClick={add.run}>
            {t.addKey}
          </Button>
        )}
      </div>
    </Part>
  )
}
