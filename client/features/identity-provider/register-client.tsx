import { useState } from 'react'
import { auth } from '../../lib/api.ts'
import type { AuthError } from '../../lib/auth/types.ts'
import { useForm } from '../../lib/form.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, FieldFrame, SelectField } from '../../ui/field.tsx'
import { CopyButton } from '../../ui/small.tsx'
import { Note } from '../../ui/state.tsx'
import { Submit } from '../../ui/submit.tsx'
import { identityProviderTexts } from './texts.ts'

interface Values {
  name: string
  redirectURLs: string
}

/** Splits a text into addresses, one per line. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/** Errors of OAuth have a code of their own, and a description for developers. */
export const refusals = {
  refused(error: AuthError): boolean {
    error.code ??= String(error.error ?? '')
    return false
  },
  at: { invalid_redirect_uri: 'redirectURLs', invalid_client_metadata: 'name' },
} as const

export function useCheck() {
  const t = useTexts(identityProviderTexts)
  return ({ name, redirectURLs }: Values) => ({
    name: !name.trim() && t.nameRequired,
    redirectURLs: linesOf(redirectURLs).length === 0 && t.redirectRequired,
  })
}

interface ClientFieldsProps {
  field(name: keyof Values): { name: string; error: string | undefined }
  name?: string
  redirectURLs?: readonly string[]
}

export function ClientFields({ field, name, redirectURLs }: ClientFieldsProps) {
  const t = useTexts(identityProviderTexts)
  const { name: fieldName, error } = field('redirectURLs')
  return (
    <>
      <Field
        {...field('name')}
        label={t.name}
        hint={t.nameHint}
        defaultValue={name}
        maxLength={100}
        autoComplete="off"
      />
      <FieldFrame label={t.redirectURLs} hint={t.redirectHint} error={error}>
        {(control) => (
          <textarea
            {...control}
            name={fieldName}
            rows={3}
            defaultValue={redirectURLs?.join('\n')}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            className="control font-mono text-sm"
          />
        )}
      </FieldFrame>
    </>
  )
}

const isWebAddress = (uri: string): boolean => /^https?:/i.test(uri)

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

export function RegisterClient({ open, onClose, onRegistered }: RegisterClientProps) {
  const t = useTexts(identityProviderTexts)
  const [made, setMade] = useState<Registered | null>(null)
  function close() {
    onClose()
    setMade(null)
  }
  return (
    <Dialog
      open={open}
      title={made ? t.registered(made.client_name) : t.register}
      keep={made?.client_secret !== undefined}
      onClose={close}
    >
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
        // Only native clients have redirect URIs with private-use schemes (RFC 8252, section 7.1).
        ...(linesOf(redirectURLs).every(isWebAddress) ? {} : { application_type: 'native' }),
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: kind === 'public' ? 'none' : 'client_secret_basic',
      }),
    ...refusals,
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

export function Credentials({ clientId, secret, onDone }: { clientId: string; secret?: string; onDone(): void }) {
  const t = useTexts(identityProviderTexts)
  return (
    <div className="grid gap-5">
      <Value label={t.clientId} value={clientId} copy={t.copyId} />
      {secret && (
        <>
          <Value label={t.secret} value={secret} copy={t.copySecret} />
          <Note>{t.secretOnce}</Note>
        </>
      )}
      <Button data-saved look="primary" className="sm:justify-self-end" onClick={onDone}>
        {secret ? t.keptIt : t.done}
      </Button>
    </div>
  )
}

function Value({ label, value, copy }: { label: string; value: string; copy: string }) {
  return (
    <div className="grid gap-1.5">
      <p className="font-medium">{label}</p>
      <div className="flex flex-wrap items-center gap-3">
        <code className="rounded bg-sunken px-2 py-1 font-mono text-sm break-all">{value}</code>
        <CopyButton text={value}>{copy}</CopyButton>
      </div>
    </div>
  )
}
