import { type ReactNode, useState } from 'react'
import { datadogSites } from '../../../worker/kit/datadog-sites.ts'
import { useForm } from '../../lib/form.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Checkbox, Field, SelectField } from '../../ui/field.tsx'
import { Submit } from '../../ui/submit.tsx'
import type { Created, StreamCalls } from './stream-calls.ts'
import { streamTexts } from './streams.texts.ts'

type Kind = Created['sink']['type']

const kinds: readonly Kind[] = ['http', 's3', 'splunk', 'datadog']

interface CreateStreamProps {
  send: StreamCalls['create']
  open: boolean
  created(stream: Created): void
  onClose(): void
}

export function CreateStream({ open, onClose, ...rest }: CreateStreamProps) {
  const t = useTexts(streamTexts)
  return (
    <Dialog open={open} title={t.createTitle} onClose={onClose}>
      <CreateForm {...rest} cancel={onClose} />
    </Dialog>
  )
}

type Values = Record<
  | 'name'
  | 'sink'
  | 'url'
  | 'endpoint'
  | 'bucket'
  | 'region'
  | 'prefix'
  | 'accessKeyId'
  | 'index'
  | 'site'
  | 'secret'
  | 'format'
  | 'all',
  string
>

/** The receiver that the form describes. */
function sinkOf(kind: Kind, given: Partial<Values>) {
  const text = (name: keyof Values) => given[name]?.trim() ?? ''
  switch (kind) {
    case 'http':
      return { type: kind, url: text('url') }
    case 's3':
      return {
        type: kind,
        endpoint: text('endpoint'),
        bucket: text('bucket'),
        region: text('region') || 'auto',
        prefix: text('prefix'),
        accessKeyId: text('accessKeyId'),
      }
    case 'splunk':
      return { type: kind, url: text('url'), ...(text('index') ? { index: text('index') } : {}) }
    case 'datadog':
      return { type: kind, site: datadogSites.find((site) => site === given.site) ?? datadogSites[0] }
  }
}

/** A text with an address, which keeps its direction and does not break at its hyphens. */
const WithAddress = ({ children }: { children: string }) =>
  children.split(/(https:\/\/[\w.-]*\w)/).map((part) =>
    part.startsWith('https:') ? (
      <bdi key={part} className="inline-block max-w-full wrap-anywhere">
        {part}
      </bdi>
    ) : (
      part
    ),
  )

const isWebAddress = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

function CreateForm({ send, created, cancel }: Omit<CreateStreamProps, 'open' | 'onClose'> & { cancel(): void }) {
  const t = useTexts(streamTexts)
  const [kind, setKind] = useState<Kind>('http')
  const address = kind === 's3' ? 'endpoint' : 'url'
  const form = useForm({
    fields: [
      ...(['name', 'sink', 'url', 'endpoint', 'bucket', 'region', 'prefix', 'accessKeyId', 'index', 'site'] as const),
      ...(['secret', 'format', 'all'] as const),
    ],
    check: (values) => ({
      [address]: kind !== 'datadog' && !isWebAddress((values[address] ?? '').trim()) && t.invalidUrl,
    }),
    send: (values) =>
      send({
        name: values.name.trim(),
        sink: sinkOf(kind, values),
        ...(values.secret ? { secret: values.secret.trim() } : {}),
        format: values.format === 'ocsf' ? 'ocsf' : 'record',
        from: values.all ? 'beginning' : 'now',
      }),
    at: { INVALID_AUDIT_STREAM_ADDRESS: address },
    errors: t.errors,
    done: created,
  })
  const text = (name: 'bucket' | 'accessKeyId', label: string, max: number) => (
    <Field
      {...form.field(name)}
      label={label}
      required
      maxLength={max}
      dir="ltr"
      autoComplete="off"
      spellCheck={false}
    />
  )
  const secret = (label: string) => (
    <Field
      {...form.field('secret')}
      label={label}
      type="password"
      dir="ltr"
      required
      maxLength={1024}
      autoComplete="off"
    />
  )
  const url = (label: string, hint: ReactNode) => (
    <Field
      {...form.field('url')}
      label={label}
      hint={hint}
      type="url"
      dir="ltr"
      autoComplete="off"
      required
      maxLength={2048}
    />
  )
  return (
    <form {...form.props} className="grid gap-5">
      <Field {...form.field('name')} label={t.name} required maxLength={64} autoComplete="off" />
      <SelectField
        {...form.field('sink')}
        label={t.sink}
        value={kind}
        onChange={({ target }) => setKind(kinds.find((one) => one === target.value)!)}
      >
        {kinds.map((one) => (
          <option key={one} value={one}>
            {t.sinks[one]}
          </option>
        ))}
      </SelectField>
      {kind === 'http' && url(t.url, t.urlHint)}
      {kind === 'splunk' && (
        <>
          {url(t.collector, <WithAddress>{t.collectorHint}</WithAddress>)}
          {secret(t.token)}
          <Field {...form.field('index')} label={t.index} optional maxLength={128} dir="ltr" autoComplete="off" />
        </>
      )}
      {kind === 's3' && (
        <>
          <Field
            {...form.field('endpoint')}
            label={t.endpoint}
            hint={<WithAddress>{t.endpointHint}</WithAddress>}
            type="url"
            dir="ltr"
            autoComplete="off"
            required
            maxLength={2048}
          />
          {text('bucket', t.bucket, 63)}
          <Field
            {...form.field('region')}
            label={t.region}
            hint={t.regionHint}
            maxLength={64}
            dir="ltr"
            autoComplete="off"
            defaultValue="auto"
          />
          <Field {...form.field('prefix')} label={t.prefix} optional maxLength={256} dir="ltr" autoComplete="off" />
          {text('accessKeyId', t.accessKeyId, 128)}
          {secret(t.secretAccessKey)}
        </>
      )}
      {kind === 'datadog' && (
        <>
          <SelectField {...form.field('site')} label={t.site}>
            {datadogSites.map((site) => (
              <option key={site} value={site}>
                {site}
              </option>
            ))}
          </SelectField>
          {secret(t.apiKey)}
        </>
      )}
      <SelectField {...form.field('format')} label={t.format}>
        <option value="record">{t.formats.record}</option>
        <option value="ocsf">{t.formats.ocsf}</option>
      </SelectField>
      <Checkbox name="all" label={t.all} />
      <Submit form={form} onCancel={cancel}>
        {t.create}
      </Submit>
    </form>
  )
}
