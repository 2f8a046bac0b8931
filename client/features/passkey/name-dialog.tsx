import { auth } from '../../lib/api.ts'
import { useForm } from '../../lib/form.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { formClass } from '../../ui/page.tsx'
import { Submit } from '../../ui/submit.tsx'
import { toast } from '../../ui/toasts.tsx'
import type { Passkey } from './register.ts'
import { passkeyErrors, passkeyTexts } from './texts.ts'

interface NameDialogProps {
  passkey: Passkey
  open: boolean
  title: string
  intro?: string
  /** On the button beside "Save", instead of "Cancel". */
  later?: string
  onClose(): void
}

/** Asks what a passkey is to be called. */
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
  const core = useTexts()
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
        {core.save}
      </Submit>
    </form>
  )
}
