import { useState } from 'react'
import { inWords } from '../../../worker/kit/time.ts'
import { auth } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/endpoints.ts'
import { useForm } from '../../lib/form.ts'
import { useQuery } from '../../lib/queries.ts'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { Checkbox, Field, FieldFrame, SelectField } from '../../ui/field.tsx'
import { CreateDialog } from '../../ui/shown-once.tsx'
import { Loaded } from '../../ui/state.tsx'
import { Submit } from '../../ui/submit.tsx'
import { agentTexts } from './agents.texts.ts'
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
  const choices = resources.flatMap(({ resource, scopes }) =>
    Object.entries(scopes).map(([scope, words]) => ({ resource, scope, words, field: `may ${resource} ${scope}` })),
  )
  const [withKeys, setWithKeys] = useState(false)
  const form = useForm({
    fields: ['name', 'purpose', 'days', 'callsPerDay', 'credential', 'keys', ...choices.map(({ field }) => field)],
    check: ({ credential, keys = '' }) => ({
      keys: credential === 'keys' && readKeys(keys) === null && t.invalidKeys,
    }),
    send: ({ name = '', purpose = '', days, callsPerDay, credential, keys = '', ...values }) => {
      const access: Record<string, string[]> = {}
      for (const { resource, scope, field } of choices) if (values[field]) (access[resource] ??= []).push(scope)
      const limits = { days: Number(days), callsPerDay: Number(callsPerDay) }
      return auth.agents.create({
        name: name.trim(),
        purpose: purpose.trim(),
        access,
        ...limits,
        ...(organizationId === undefined ? {} : { organizationId }),
        ...(credential === 'keys' ? readKeys(keys) : {}),
      })
    },
    at: { INVALID_AGENT_NAME: 'name', ...(withKeys ? { INVALID_AGENT_KEYS: 'keys' } : {}) },
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
      <fieldset className="grid gap-3">
        <legend className="mb-2 font-medium">{t.may}</legend>
        {choices.map(({ field, words, resource }) => (
          <Checkbox key={field} name={field} label={words} hint={resource} />
        ))}
      </fieldset>
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
      <SelectField
        {...form.field('credential')}
        label={t.credential}
        onChange={({ target }) => setWithKeys(target.value === 'keys')}
      >
        <option value="secret">{t.withSecret}</option>
        <option value="keys">{t.withKeys}</option>
      </SelectField>
      {withKeys && (
        <FieldFrame {...form.field('keys')} label={t.keys} hint={t.keysHint}>
          {(control) => <textarea {...control} name="keys" rows={5} dir="ltr" spellCheck={false} className="control" />}
        </FieldFrame>
      )}
      <Submit form={form} onCancel={cancel}>
        {t.create}
      </Submit>
    </form>
  )
}

/** The keys of a request: the address of a key set, or the set; null for any other text. */
function readKeys(text: string): { jwksUri: string } | { jwks: { keys: Record<string, unknown>[] } } | null {
  const given = text.trim()
  if (given.startsWith('https://')) return { jwksUri: given }
  try {
    const jwks = JSON.parse(given)
    return Array.isArray(jwks?.keys) && jwks.keys.length > 0 ? { jwks } : null
  } catch {
    return null
  }
}
