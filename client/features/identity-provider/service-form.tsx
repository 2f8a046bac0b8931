import { inWords } from '../../../worker/kit/time.ts'
import { auth } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/endpoints.ts'
import { useForm } from '../../lib/form.ts'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { Checkbox, Field, SelectField } from '../../ui/field.tsx'
import { CreateDialog, type Shown } from '../../ui/shown-once.tsx'
import { Submit } from '../../ui/submit.tsx'
import { AccessFields, accessChoices, chosenAccess } from './access-fields.tsx'
import { agentTexts } from './agents.texts.ts'
import { KeysField, readKeys, useCredentialFields } from './keys-field.tsx'
import type { Resource } from './resource-form.tsx'
import { resourceTexts } from './resources.texts.ts'
import { serviceTexts } from './services.texts.ts'

export type Service = AnswerOf<'/admin/list-resources'>['services'][number]
type Created = AnswerOf<'/admin/create-service'>

const day = 86_400
/** Days. */
const lifetimes = [30, 90, 365]

/** What is shown once of a service. */
export function useShownSecret() {
  const a = useTexts(agentTexts)
  const t = useTexts(serviceTexts)
  return (service: Service, clientSecret: string | null): Shown => ({
    title: service.name,
    intro: clientSecret === null ? t.noSecret : a.once,
    values: [
      { label: a.clientId, text: service.clientId, copy: a.copyId },
      ...(clientSecret === null ? [] : [{ label: a.secret, text: clientSecret, copy: a.copySecret }]),
    ],
    done: a.done,
  })
}

interface CreateServiceProps {
  open: boolean
  resources: Resource[]
  created(): void
  onClose(): void
}

/** Registers a service and shows its secret once. */
export function CreateService({ open, resources, created, onClose }: CreateServiceProps) {
  const t = useTexts(serviceTexts)
  const shown = useShownSecret()
  return (
    <CreateDialog
      open={open}
      title={t.createTitle}
      form={(done: (created: Created) => void, cancel) => (
        <ServiceForm service={null} resources={resources} created={done} cancel={cancel} />
      )}
      shownOf={({ service, clientSecret }: Created) => shown(service, clientSecret)}
      created={created}
      onClose={onClose}
    />
  )
}

interface ServiceFormProps {
  /** Null for a new one. */
  service: Service | null
  resources: Resource[]
  created?(created: Created): void
  saved?(service: Service): void
  cancel(): void
}

/** Registers a service, or changes one. */
export function ServiceForm({ service, resources, created, saved, cancel }: ServiceFormProps) {
  const t = useTexts(serviceTexts)
  const a = useTexts(agentTexts)
  const r = useTexts(resourceTexts)
  const language = useLanguage()
  const credential = useCredentialFields()
  const choices = accessChoices(
    resources
      .filter(({ organization }) => organization === null)
      .map(({ identifier, scopes }) => ({ resource: identifier, scopes })),
  )
  const texts = ['name', 'days', 'perMinute', 'requireDPoP', 'credential', 'keys']
  const form = useForm<string, Created | Service>({
    fields: [...texts, ...choices.map(({ field }) => field)],
    check: (values) => ({
      name: !values.name?.trim() && r.nameNeeded,
      perMinute: !/^[1-9]\d{0,4}$/.test(values.perMinute ?? '') && t.limitInvalid,
      keys: service
        ? Boolean(values.keys?.trim()) && readKeys(values.keys!) === null && a.invalidKeys
        : credential.problem(values),
    }),
    send: (values) => {
      const properties = {
        name: (values.name ?? '').trim(),
        access: chosenAccess(choices, values),
        limit: { max: Number(values.perMinute), window: 60 },
        requireDPoP: values.requireDPoP === 'on',
      }
      const days = values.days === 'never' ? null : Number(values.days)
      if (!service) return auth.admin.createService({ ...properties, days, ...credential.given(values) })
      return auth.admin.updateService({
        clientId: service.clientId,
        ...properties,
        ...(values.days === '' ? {} : { days }),
        ...(values.keys?.trim() ? readKeys(values.keys) : {}),
      })
    },
    at: service || credential.withKeys ? { INVALID_SERVICE_KEYS: 'keys' } : {},
    errors: t.errors,
    done: (answer) => ('service' in answer ? created?.(answer) : saved?.(answer)),
  })
  if (choices.length === 0) return <p>{t.noResources}</p>
  const perMinute = service && service.limit.window === 60 ? service.limit.max : 60
  return (
    <form {...form.props} className="grid gap-5">
      <Field
        {...form.field('name')}
        label={r.name}
        hint={t.nameHint}
        defaultValue={service?.name ?? ''}
        autoComplete="off"
        maxLength={100}
      />
      <AccessFields label={a.may} choices={choices} access={service?.access ?? {}} />
      <Field
        {...form.field('perMinute')}
        label={t.limit}
        inputMode="numeric"
        autoComplete="off"
        defaultValue={perMinute}
      />
      <SelectField {...form.field('days')} label={a.lifetime} defaultValue={service ? '' : 'never'}>
        {service && <option value="">{t.asBefore}</option>}
        {lifetimes.map((days) => (
          <option key={days} value={days}>
            {a.after(inWords(days * day, language))}
          </option>
        ))}
        <option value="never">{t.never}</option>
      </SelectField>
      {!service && credential.fields(form)}
      {service?.credential === 'key' && <KeysField form={form} optional />}
      <Checkbox name="requireDPoP" label={t.requireProof} defaultChecked={service?.requireDPoP ?? false} />
      <Submit form={form} onCancel={cancel}>
        {service ? r.save : t.create}
      </Submit>
    </form>
  )
}
