import { useState } from 'react'
import { auth } from '../../lib/api.ts'
import { useForm } from '../../lib/form.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Submit } from '../../ui/submit.tsx'
import { ClientFields, linesOf, useCheck } from './client-form.tsx'
import { Credentials } from './credentials.tsx'
import { identityProviderTexts } from './texts.ts'

interface Registered {
  client_id: string
  client_secret?: string
  client_name: string
}

interface RegisterClientProps {
  open: boolean
  onClose(): void
  onRegistered(): void
}

/** Registers an application, and shows its secret once. */
export function RegisterClient({ open, onClose, onRegistered }: RegisterClientProps) {
  const t = useTexts(identityProviderTexts)
  const [made, setMade] = useState<Registered | null>(null)
  function close() {
    onClose()
    setMade(null)
  }
  return (
    <Dialog open={open} title={made ? t.registered(made.client_name) : t.register} keep={made !== null} onClose={close}>
      {made ? (
        <Credentials clientId={made.client_id} secret={made.client_secret} onDone={close} />
      ) : (
        <Form
          cancel={close}
          done={(answer) => {
            setMade(answer)
            onRegistered()
          }}
        />
      )}
    </Dialog>
  )
}

function Form({ done, cancel }: { done(answer: Registered): void; cancel(): void }) {
  const t = useTexts(identityProviderTexts)
  const form = useForm({
    fields: ['name', 'redirectURLs', 'kind'],
    check: useCheck(),
    send: ({ name, redirectURLs, kind }) =>
      auth.$fetch<Registered>('/oauth2/register', {
        client_name: name.trim(),
        redirect_uris: linesOf(redirectURLs),
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: kind === 'public' ? 'none' : 'client_secret_basic',
      }),
    // The protocol's errors have a code and a description of their own.
    refused: (error) => {
      error.message ??= String(error.error_description ?? '') || undefined
      return false
    },
    errors: t.errors,
    done,
  })
  return (
    <form {...form.props} className="grid gap-5">
      <ClientFields field={form.field} />
      <SelectField {...form.field('kind')} label={t.kind} defaultValue="confidential">
        <option value="confidential">{t.confidential}</option>
        <option value="public">{t.publicKind}</option>
      </SelectField>
      <Submit form={form} onCancel={cancel}>
        {t.registerAction}
      </Submit>
    </form>
  )
}
