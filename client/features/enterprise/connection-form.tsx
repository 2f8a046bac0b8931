import { type ChangeEvent, type ComponentProps, useRef, useState } from 'react'
import { useAction } from '../../lib/action.ts'
import { useForm } from '../../lib/form.ts'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox, Field, FieldFrame, type FieldFrameProps, SelectField } from '../../ui/field.tsx'
import { formClass } from '../../ui/page.tsx'
import { Save } from '../../ui/save.tsx'
import { ErrorPanel } from '../../ui/state.tsx'
import { toast } from '../../ui/toasts.tsx'
import { type Connection, type OidcValues, type SamlValues, useManager, valuesOf } from './manager.ts'
import { certificatesIn, readMetadata } from './metadata.ts'
import { ssoTexts } from './texts.ts'

/** The values of the identity provider. */
export function ConnectionForm({ connection }: { connection: Connection }) {
  const values = valuesOf(connection)
  return values.type === 'oidc' ? (
    <OidcForm connection={connection} values={values} />
  ) : (
    <SamlForm connection={connection} values={values} />
  )
}

function useSaved(): () => void {
  const t = useTexts(ssoTexts)
  const { refresh } = useManager()
  return () => {
    toast(t.saved)
    refresh()
  }
}

type ValueProps = ComponentProps<typeof Field>

/** A field for a value of the identity provider. */
const Value = (props: ValueProps) => <Field dir="ltr" autoComplete="off" {...props} />

const Address = (props: ValueProps) => <Value type="url" maxLength={2048} placeholder="https://" {...props} />

function OidcForm({ connection, values }: { connection: Connection; values: OidcValues }) {
  const t = useTexts(ssoTexts)
  const { update } = useManager()
  const [authentication, setAuthentication] = useState(values.authentication)
  const usesSecret = authentication !== 'private-key-jwt'
  const form = useForm({
    fields: ['name', 'issuer', 'clientId', 'clientSecret', 'scopes'],
    guard: true,
    check: ({ name, issuer, clientId, clientSecret }) => ({
      name: !name.trim() && t.nameNeeded,
      issuer: !issuer.trim() && t.needed,
      clientId: !clientId.trim() && t.needed,
      clientSecret: usesSecret && !connection.hasSecret && !clientSecret && t.needed,
    }),
    send: ({ name, issuer, clientId, clientSecret, scopes }) =>
      update({
        connectionId: connection.id,
        name: name.trim(),
        config: {
          type: 'oidc',
          issuer: issuer.trim(),
          clientId: clientId.trim(),
          authentication,
          scopes: scopes.split(/\s+/).filter((scope) => scope !== ''),
        },
        ...(usesSecret && clientSecret ? { clientSecret } : {}),
      }),
    at: { INVALID_ISSUER: 'issuer', CLIENT_SECRET_IS_REQUIRED: 'clientSecret' },
    errors: t.errors,
    done: useSaved(),
  })
  return (
    <form {...form.props} className={`${formClass} grid-cols-1`}>
      <Field {...form.field('name')} label={t.name} autoComplete="off" maxLength={64} defaultValue={connection.name} />
      <Address {...form.field('issuer')} label={t.issuer} maxLength={512} defaultValue={values.issuer} />
      <Value {...form.field('clientId')} label={t.clientId} maxLength={256} defaultValue={values.clientId} />
      <SelectField
        label={t.authentication}
        value={authentication}
        onChange={(event) => setAuthentication(event.target.value as OidcValues['authentication'])}
      >
        {Object.entries(t.authentications).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      {usesSecret && (
        <Value
          {...form.field('clientSecret')}
          label={t.clientSecret}
          hint={connection.hasSecret && t.keptSecret}
          type="password"
          maxLength={1024}
        />
      )}
      <Value
        {...form.field('scopes')}
        label={t.scopes}
        hint={t.scopesHint}
        optional
        defaultValue={values.scopes.join(' ')}
      />
      <Save form={form}>{t.save}</Save>
    </form>
  )
}

function SamlForm({ connection, values }: { connection: Connection; values: SamlValues }) {
  const t = useTexts(ssoTexts)
  const { update } = useManager()
  const form = useForm({
    fields: [
      ...(['name', 'metadataUrl', 'entityId', 'ssoUrl', 'sloUrl'] as const),
      ...(['certificates', 'signsRequests', 'acceptsIdpInitiated'] as const),
    ],
    guard: true,
    check: ({ name, entityId, ssoUrl, certificates }) => ({
      name: !name.trim() && t.nameNeeded,
      entityId: !entityId.trim() && t.needed,
      ssoUrl: !ssoUrl.trim() && t.needed,
      certificates: !certificates.trim() && t.needed,
    }),
    send: ({ name, metadataUrl, entityId, ssoUrl, sloUrl, certificates, signsRequests, acceptsIdpInitiated }) =>
      update({
        connectionId: connection.id,
        name: name.trim(),
        config: {
          ...values,
          entityId: entityId.trim(),
          ssoUrl: ssoUrl.trim(),
          sloUrl: sloUrl.trim() || null,
          certificates: certificatesIn(certificates),
          metadataUrl: metadataUrl.trim() || null,
          signsRequests: signsRequests === 'on',
          acceptsIdpInitiated: acceptsIdpInitiated === 'on',
        },
      }),
    at: {
      ...{ INVALID_SIGN_IN_URL: 'ssoUrl', INVALID_SIGN_OUT_URL: 'sloUrl' },
      ...{ INVALID_CERTIFICATE: 'certificates', INVALID_METADATA_URL: 'metadataUrl' },
    },
    errors: t.errors,
    done: useSaved(),
  })
  const enter = (name: string, text: string) => {
    const control = form.props.ref.current?.elements.namedItem(name) as HTMLInputElement | null
    if (!control) return
    control.value = text
    control.dispatchEvent(new Event('input', { bubbles: true }))
  }
  return (
    <form {...form.props} className={`${formClass} grid-cols-1`}>
      <Field {...form.field('name')} label={t.name} autoComplete="off" maxLength={64} defaultValue={connection.name} />
      <Metadata
        address={{ ...form.field('metadataUrl'), defaultValue: values.metadataUrl ?? '' }}
        onRead={(read) => {
          enter('entityId', read.entityId)
          enter('ssoUrl', read.ssoUrl)
          enter('sloUrl', read.sloUrl ?? '')
          enter('certificates', read.certificates.join('\n\n'))
        }}
      />
      <Value {...form.field('entityId')} label={t.entityId} maxLength={1024} defaultValue={values.entityId} />
      <Address {...form.field('ssoUrl')} label={t.ssoUrl} defaultValue={values.ssoUrl} />
      <TextArea
        {...form.field('certificates')}
        label={t.certificates}
        hint={<CertificateHint values={values} />}
        defaultValue={values.certificates.join('\n\n')}
      />
      <Address
        {...form.field('sloUrl')}
        label={t.sloUrl}
        hint={t.sloUrlHint}
        optional
        defaultValue={values.sloUrl ?? ''}
      />
      <Checkbox
        name="signsRequests"
        label={t.signsRequests}
        hint={t.signsRequestsHint}
        defaultChecked={values.signsRequests}
      />
      <Checkbox
        name="acceptsIdpInitiated"
        label={t.acceptsIdpInitiated}
        hint={t.acceptsIdpInitiatedHint}
        defaultChecked={values.acceptsIdpInitiated}
      />
      <Save form={form}>{t.save}</Save>
    </form>
  )
}

function CertificateHint({ values: { certificatesExpireAt } }: { values: SamlValues }) {
  const t = useTexts(ssoTexts)
  const language = useLanguage()
  if (!certificatesExpireAt) return t.certificatesHint
  const date = new Date(certificatesExpireAt)
  const day = date.toLocaleDateString(language, { dateStyle: 'long' })
  return `${date.getTime() < Date.now() ? t.certificatesExpired(day) : t.certificatesExpire(day)} ${t.certificatesHint}`
}

const maxMetadata = 512 * 1024

interface MetadataProps {
  /** The field of the address of the metadata. */
  address: { name: string; error: string | undefined; defaultValue: string }
  onRead(values: NonNullable<ReturnType<typeof readMetadata>>): void
}

/** Fills the form from metadata: at an address, pasted, or from a file. */
function Metadata({ address, onRead }: MetadataProps) {
  const t = useTexts(ssoTexts)
  const { readMetadata: fetchMetadata } = useManager()
  const file = useRef<HTMLInputElement>(null)
  const [url, setUrl] = useState(address.defaultValue)
  const fetching = useAction(
    () => fetchMetadata(url.trim()),
    (values) => {
      onRead(values)
      setOutcome('read')
    },
  )
  const [outcome, setOutcome] = useState<'read' | 'unreadable' | null>(null)
  const take = (text: string) => {
    const values = text.trim() && text.length <= maxMetadata ? readMetadata(text) : null
    if (values) onRead(values)
    setOutcome(values ? 'read' : text.trim() ? 'unreadable' : null)
  }
  const takeFile = (event: ChangeEvent<HTMLInputElement>) => {
    const given = event.target.files?.[0]
    if (given && given.size <= maxMetadata) void given.text().then(take)
    else if (given) setOutcome('unreadable')
    event.target.value = ''
  }
  return (
    <div className="grid grid-cols-1 gap-3 rounded border border-dashed p-4">
      <Address
        {...address}
        label={t.metadataUrl}
        hint={t.metadataUrlHint}
        optional
        onChange={(event) => setUrl(event.target.value)}
      />
      {fetching.error && <ErrorPanel error={fetching.error} errors={t.errors} />}
      <div>
        <Button disabled={!url.trim()} busy={fetching.busy} onClick={fetching.run}>
          {t.readMetadata}
        </Button>
      </div>
      <TextArea
        name="metadata"
        label={t.metadata}
        optional
        hint={t.metadataHint}
        error={outcome === 'unreadable' ? t.metadataUnreadable : undefined}
        onChange={(event) => take(event.target.value)}
      />
      <input
        ref={file}
        type="file"
        hidden
        accept=".xml,text/xml,application/xml,application/samlmetadata+xml"
        onChange={takeFile}
      />
      <div>
        <Button onClick={() => file.current?.click()}>{t.metadataFile}</Button>
      </div>
      <p role="status" className="text-success empty:hidden">
        {outcome === 'read' && t.metadataRead}
      </p>
    </div>
  )
}

type TextAreaProps = FieldFrameProps & {
  name: string
  defaultValue?: string
  onChange?(event: ChangeEvent<HTMLTextAreaElement>): void
}

function TextArea({ label, hint, error, optional, ...area }: TextAreaProps) {
  return (
    <FieldFrame {...{ label, hint, error, optional }}>
      {(control) => (
        <textarea
          {...area}
          {...control}
          rows={4}
          dir="ltr"
          spellCheck={false}
          autoComplete="off"
          className="control py-2 font-mono text-sm"
        />
      )}
    </FieldFrame>
  )
}
