import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useAction } from '../../lib/action.ts'
import { auth, useMember } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorPanel } from '../../ui/state.tsx'
import { toast } from '../../ui/toasts.tsx'
import { NameDialog } from './name-dialog.tsx'
import { type Passkey, register } from './register.ts'
import { passkeyErrors, passkeyTexts } from './texts.ts'

/** Makes a passkey, then asks for its name. */
export function AddPasskey({ onMade, onAdded }: { onMade?(): void; onAdded?(): void }) {
  const t = useTexts(passkeyTexts)
  const errors = useTexts(passkeyErrors)
  const [made, setMade] = useState<Passkey | null>(null)
  const add = useAction(register, (passkey) => {
    toast(t.addedToast)
    setMade(passkey)
    onMade?.()
  })
  if (!globalThis.PublicKeyCredential) return <p className="text-soft">{t.unsupported}</p>
  return (
    <div className="grid justify-items-start gap-4">
      {add.error && <ErrorPanel error={add.error} errors={errors} />}
      {add.error?.code === 'SESSION_IS_NOT_FRESH' && <SignInAgain />}
      <Button busy={add.busy} onClick={add.run}>
        <Plus aria-hidden size={17} />
        {t.add}
      </Button>
      {made && (
        <NameDialog
          passkey={made}
          open
          title={t.nameTitle}
          intro={t.nameIntro}
          later={t.later}
          onClose={() => {
            setMade(null)
            onAdded?.()
          }}
        />
      )}
    </div>
  )
}

/** A session that is some days old adds no way in: it ends, and the person comes back to this screen with a new one. */
function SignInAgain() {
  const t = useTexts(passkeyTexts)
  const { session } = useMember()
  const [location, navigate] = useLocation()
  const leave = useAction(
    () => auth.revokeSession({ token: session.token }),
    () => {
      navigate(`/sign-in?callbackURL=${encodeURIComponent(location)}`)
      auth.$notify('session')
    },
  )
  return (
    <Button look="primary" busy={leave.busy} onClick={leave.run}>
      {t.signInAgain}
    </Button>
  )
}
