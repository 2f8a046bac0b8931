import { type ChangeEvent, type ReactNode, useRef, useState } from 'react'
import { useForm } from '../../lib/form.ts'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox, Field } from '../../ui/field.tsx'
import { formClass } from '../../ui/page.tsx'
import { type Connection, type Metadata, type SamlValues, useManager } from './manager.ts'
import { certificatesIn, readMetadata } from './metadata.ts'
import { ssoTexts } from './texts.ts'
import { Address, StepEnd, TextArea, useSaved, Value } from './value-fields.tsx'

/** Where the values come from. Only its fields are shown. */
const sources = ['address', 'file', 'manual'] as const
type Source = (typeof sources)[number]

interface SamlFormProps {
  connection: Connection
  values: SamlValues
  onSaved(): void
  /** The buttons to other steps. */
  ways: ReactNode
}

export function SamlForm({ connection, values, onSaved, ways }: SamlFormProps) {
  const t = useTexts(ssoTexts)
  const { update, readMetadata: fetchMetadata } = useManager()
  const [source, setSource] = useState<Source>(values.metadataUrl || !values.entityId ? 'address' : 'manual')
  const [read, setRead] = useState<Metadata | null>(null)
  const by = (wanted: Source, problem: string | false) => source === wanted && problem
  const form = useForm({
    fields: [
      ...(['name', 'metadataUrl', 'metadata', 'entityId', 'ssoUrl', 'sloUrl'] as const),
      ...(['certificates', 'signsRequests', 'acceptsIdpInitiated'] as const),
    ],
    guard: true,
    check: ({ name, metadataUrl, metadata, entityId, ssoUrl, certificates }) => ({
      name: !name.trim() && t.nameNeeded,
      metadataUrl: by('address', !metadataUrl.trim() && t.needed),
      metadata: by('file', !read && (metadata.trim() ? t.metadataUnreadable : t.needed)),
      entityId: by('manual', !entityId.trim() && t.needed),
      ssoUrl: by('manual', !ssoUrl.trim() && t.needed),
      certificates: by('manual', !certificates.trim() && t.needed),
    }),
    async send({ name, metadataUrl, entityId, ssoUrl, sloUrl, certificates, signsRequests, acceptsIdpInitiated }) {
      const url = source === 'address' ? metadataUrl.trim() : null
      const fetched = url === null ? null : await fetchMetadata(url)
      if (fetched?.error) return fetched
      const { certificatesExpireAt: _of, ...before } = values
      const typed = {
        entityId: entityId.trim(),
        ssoUrl: ssoUrl.trim(),
        sloUrl: sloUrl.trim() || null,
        certificates: certificatesIn(certificates),
      }
      return update({
        connectionId: connection.id,
        name: name.trim(),
        config: {
          ...before,
          ...(fetched?.data ?? (source === 'file' ? read : null) ?? typed),
          metadataUrl: url,
          signsRequests: signsRequests === 'on',
          acceptsIdpInitiated: acceptsIdpInitiated === 'on',
        },
      })
    },
    at: {
      ...{ INVALID_SIGN_IN_URL: 'ssoUrl', INVALID_SIGN_OUT_URL: 'sloUrl' },
      ...{ INVALID_CERTIFICATE: 'certificates', INVALID_METADATA_URL: 'metadataUrl' },
    },
    errors: t.errors,
    done: useSaved(onSaved),
  })
  return (
    <form {...form.props} className={`${formClass} grid-cols-1`}>
      <Field {...form.field('name')} label={t.name} autoComplete="off" maxLength={64} defaultValue={connection.name} />
      <fieldset className="grid gap-2.5">
        <legend className="mb-1.5 font-medium">{t.source}</legend>
        {sources.map((one) => (
          <label key={one} className="flex items-start gap-2.5">
            <input
              type="radio"
              name="source"
              value={one}
              checked={source === one}
              onChange={() => setSource(one)}
              className="mt-0.5 size-5 flex-none"
            />
            {t.sources[one]}
          </label>
        ))}
      </fieldset>
      {source === 'address' && (
        <Address
          {...form.field('metadataUrl')}
          label={t.metadataUrl}
          hint={t.metadataUrlHint}
          defaultValue={values.metadataUrl ?? ''}
        />
      )}
      {source === 'file' && <MetadataText {...form.field('metadata')} onRead={setRead} />}
      {source === 'manual' ? (
        <>
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
        </>
      ) : (
        <Known values={read ?? values} />
      )}
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
      <StepEnd form={form} connection={connection} onNext={onSaved} ways={ways} />
    </form>
  )
}

/** What the metadata say, to compare. */
function Known({ values: { entityId, ssoUrl, sloUrl, certificates } }: { values: Metadata }) {
  const t = useTexts(ssoTexts)
  if (!entityId) return null
  const lines = [
    [t.entityId, entityId],
    [t.ssoUrl, ssoUrl],
    [t.sloUrl, sloUrl],
    [t.certificates, String(certificates.length)],
  ] as const
  return (
    <dl className="grid grid-cols-1 gap-2 rounded border bg-sunken p-4 text-sm">
      {lines.map(
        ([label, text]) =>
          text && (
            <div key={label}>
              <dt className="text-soft">{label}</dt>
              <dd dir="ltr" className="text-start wrap-anywhere">
                {text}
              </dd>
            </div>
          ),
      )}
    </dl>
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

interface MetadataTextProps {
  name: string
  error: string | undefined
  onRead(values: Metadata | null): void
}

/** Metadata that are pasted, or from a file. */
function MetadataText({ name, error, onRead }: MetadataTextProps) {
  const t = useTexts(ssoTexts)
  const file = useRef<HTMLInputElement>(null)
  const [outcome, setOutcome] = useState<'read' | 'unreadable' | null>(null)
  const take = (text: string) => {
    const values = text.trim() && text.length <= maxMetadata ? readMetadata(text) : null
    onRead(values)
    setOutcome(values ? 'read' : text.trim() ? 'unreadable' : null)
  }
  const takeFile = (event: ChangeEvent<HTMLInputElement>) => {
    const given = event.target.files?.[0]
    if (given && given.size <= maxMetadata) void given.text().then(take)
    else if (given) setOutcome('unreadable')
    event.target.value = ''
  }
  return (
    <div className="grid grid-cols-1 gap-3">
      <TextArea
        name={name}
        label={t.metadata}
        hint={t.metadataHint}
        error={outcome === 'unreadable' ? t.metadataUnreadable : error}
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
