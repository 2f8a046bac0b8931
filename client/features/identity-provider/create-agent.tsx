import { inWords } from '../../../worker/kit/time.ts'
import { auth } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/endpoints.ts'
import { useForm } from '../../lib/form.ts'
import { useQuery } from '../../lib/queries.ts'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { Field, machineText, SelectField } from '../../ui/field.tsx'
import { CreateDialog } from '../../ui/shown-once.tsx'
import { Loaded } from '../../ui/state.tsx'
import { Submit } from '../../ui/submit.tsx'
import { AccessFields, accessChoices, chosenAccess } from './access-fields.tsx'
import { agentTexts } from './agents.texts.ts'
import { useCredentialFields } from './keys-field.tsx'
import { identityProviderTexts } from './texts.ts'

type Created = AnswerOf<'/agents/create'>
type Resource = AnswerOf<'/agents/resources'>['resources'][number]

const day = 86_400
/** Days. */
const lifetimes = [7, 30, 90, 365]

interface CreateAgentProps {
  open: boolean
  /** The owner, in place of the user. */
  organizationId?: string
  created(): void
  onClose(): void
}

/** Creates an agent and shows its secret once. */
export function CreateAgent({ open, organizationId, created, onClose }: CreateAgentProps) {
  const t = useTexts(agentTexts)
  return (
    <CreateDialog
      open={open}
      title={t.createTitle}
      form={(done, cancel) => <Choices organizationId={organizationId} done={done} cancel={cancel} />}
      shownOf={({ agent, clientSecret }: Created) => ({
        title: t.newTitle,
        intro: clientSecret === null ? t.noSecret : t.once,
        values: [
          { label: t.clientId, text: agent.clientId, copy: t.copyId },
          ...(clientSecret === null ? [] : [{ label: t.secret, text: clientSecret, copy: t.copySecret }]),
        ],
        done: t.done,
      })}
      created={created}
      onClose={onClose}
    />
  )
}

interface FormProps {
  organizationId: string | undefined
  done(created: Created): void
  cancel(): void
}

function Choices(props: FormProps) {
  const t = useTexts(agentTexts)
  const found = useQuery(['agentResources'], () => auth.agents.resources())
  return (
    <Loaded of={found}>
      {({ resources }) => {
        const usable = resources.filter(({ scopes }) => Object.keys(scopes).length > 0)
        return usable.length === 0 ? <p>{t.noResources}</p> : <CreateForm resources={usable} {...props} />
      }}
    </Loaded>
  )
}

function CreateForm({ resources, organizationId, done, cancel }: FormProps & { resources: Resource[] }) {
  const t = useTexts(agentTexts)
  const { errors } = useTexts(identityProviderTexts)
  const language = useLanguage()
  const choices = accessChoices(resources)
  const credential = useCredentialFields()
  const texts = ['name', 'purpose', 'days', 'callsPerDay', 'credential', 'keys', 'notificationEndpoint']
  const form = useForm({
    fields: [...texts, ...choices.map(({ field }) => field)],
    check: (values) => ({ keys: credential.problem(values) }),
    send: (values) => {
      const { name = '', purpose = '', days, callsPerDay, notificationEndpoint = '' } = values
      const access = chosenAccess(choices, values)
      const limits = { days: Number(days), callsPerDay: Number(callsPerDay) }
      return auth.agents.create({
        name: name.trim(),
        purpose: purpose.trim(),
        access,
        ...limits,
        ...(organizationId === undefined ? {} : { organizationId }),
        ...(notificationEndpoint.trim() ? { notificationEndpoint: notificationEndpoint.trim() } : {}),
        ...credential.given(values),
      })
    },
    at: {
      INVALID_AGENT_NAME: 'name',
      INVALID_AGENT_NOTIFICATION_ENDPOINT: 'notificationEndpoint',
      ...(credential.withKeys ? { INVALID_AGENT_KEYS: 'keys' } : {}),
    },
    errors,
    done,
  })
  return (
    <form {...form.props} className="grid gap-5">
      <Field {...form.field('name')} label={t.name} required maxLength={100} autoComplete="off" />
      <Field
        {...form.field('purpose')}
        label={t.purpose}
        hint={t.purposeHint}
        required
        maxLength={200}
        autoComplete="off"
      />
      <AccessFields label={t.may} choices={choices} />
      <Field
        {...form.field('callsPerDay')}
        label={t.callsPerDay}
        type="number"
        min={1}
        max={10_000}
        defaultValue={200}
        required
      />
      <SelectField {...form.field('days')} label={t.lifetime} defaultValue={30}>
        {lifetimes.map((days) => (
          <option key={days} value={days}>
            {t.after(inWords(days * day, language))}
          </option>
        ))}
      </SelectField>
      {credential.fields(form)}
      <Field
        {...form.field('notificationEndpoint')}
        {...machineText}
        label={t.notificationEndpoint}
        hint={t.notificationHint}
        optional
        maxLength={1000}
      />
      <Submit form={form} onCancel={cancel}>
        {t.create}
      </Submit>
    </form>
  )
}
