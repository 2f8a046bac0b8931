import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useAction } from '../../lib/action.ts'
import { auth } from '../../lib/api.ts'
import { useForm } from '../../lib/form.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { formClass } from '../../ui/page.tsx'
import { ErrorPanel } from '../../ui/state.tsx'
import { Submit } from '../../ui/submit.tsx'
import { toast } from '../../ui/toasts.tsx'
import { type Passkey, register } from './register.ts'
import { passkeyErrors, passkeyTexts } from './texts.ts'

/** Creates a passkey, then asks for its name. */
export function AddPasskey({ id, onMade, onAdded }: { id?: string; onMade?(): void; onAdded?(): void }) {
  const t = useTexts(passkeyTexts)
  const errors = useTexts(passkeyErrors)
  const [made, setMade] = useState<Passkey | null>(null)
  const add = useAction(register, (passkey) => {
    setMade(passkey)
    onMade?.()
  })
  if (!globalThis.PublicKeyCredential) return <p className="text-soft">{t.unsupported}</p>
  return (
    <div className="grid justify-items-start gap-4">
      {add.error && <ErrorPanel error={add.error} errors={errors} />}
      <Button id={id} busy={add.busy} onClick={add.run}>
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

interface NameDialogProps {
  passkey: Passkey
  open: boolean
  title: string
  intro?: string
  /** The label of the button next to "Save", instead of "Cancel". */
  later?: string
  onClose(): void
}

export function NameDialog({ passkey, open, title, intro, later, onClose }: NameDialogProps) {
  return (
    <Dialog open={open} title={title} onClose={onClose}>
      {intro && <p className="text-soft">{intro}</p>}
      <NameForm passkey={passkey} later={later} onClose={onClose} />
    </Dialog>
  )
}

function NameForm({ passkey, later, onClose }: Pick<NameDialogProps, 'passkey' | 'later' | 'onClose'>) {
  const t = useTexts(passkeyTexts)
  const errors = useTexts(passkeyErrors)
  const form = useForm({
    fields: ['name'],
    check: ({ name }) => ({ name: !name.trim() && t.nameRequired }),
    send: ({ name }) => auth.passkey.updatePasskey({ id: passkey.id, name: name.trim() }),
    errors,
    done() {
      toast(t.saved)
      onClose()
    },
  })
  return (
    <form {...form.props} className={formClass}>
      <Field
        {...form.field('name')}
        label={t.name}
        defaultValue={passkey.name ?? passkey.authenticator ?? ''}
        maxLength={64}
        autoComplete="off"
        autoFocus
      />
      <Submit form={form} onCancel={onClose} cancel={later}>
        {t.save}
      </Submit>
    </form>
  )
}
