import { useState } from 'react'
import { inWords } from '../../../worker/kit/time.ts'
import { auth, useConfig } from '../../lib/api.ts'
import type { ApiKey } from '../../lib/auth/endpoints.ts'
import { hosted } from '../../lib/deployment.ts'
import { useForm } from '../../lib/form.ts'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Checkbox, Field, SelectField } from '../../ui/field.tsx'
import { CopyButton } from '../../ui/small.tsx'
import { Submit } from '../../ui/submit.tsx'
import { apiKeyTexts } from './texts.ts'

type NewApiKey = ApiKey & { key: string }

interface CreateProps {
  open: boolean
  /** The owner is this organization, or else the user. */
  organizationId: string | undefined
  created(): void
  onClose(): void
}

/** Creates a key and shows it once. The dialog is outside the list, because a refresh of the list would remove it. */
export function CreateKey({ open, organizationId, created, onClose }: CreateProps) {
  const t = useTexts(apiKeyTexts)
  const [key, setKey] = useState<NewApiKey | null>(null)
  const close = () => {
    setKey(null)
    onClose()
  }
  const done = (shown: NewApiKey) => {
    setKey(shown)
    created()
  }
  return (
    <Dialog open={open} title={key ? t.newTitle : t.createTitle} keep={key !== null} onClose={close}>
      {key ? (
        <NewKey of={key} saved={close} />
      ) : (
        <CreateForm organizationId={organizationId} done={done} cancel={close} />
      )}
    </Dialog>
  )
}

type KeyAccess = ApiKey['access']
const accessLevels: KeyAccess[] = ['full', 'read-only', 'verify-only']

const day = 86_400
/** Days. */
const presets = [7, 30, 90, 365]

interface CreateFormProps {
  organizationId: string | undefined
  done(key: NewApiKey): void
  cancel(): void
}

function CreateForm({ organizationId, done, cancel }: CreateFormProps) {
  const t = useTexts(apiKeyTexts)
  const language = useLanguage()
  const { minExpiresIn, maxExpiresIn, customExpiry, defaultAccess, defaultExpiresIn, maximumNameLength, permissions } =
    useConfig().apiKey ?? unlimited
  const choices = Object.entries(permissions).flatMap(([resource, actions]) =>
    actions.map((action) => ({ resource, action, field: `may ${resource} ${action}` })),
  )
  const form = useForm({
    fields: ['name', 'expiresIn', 'access', ...choices.map(({ field }) => field)],
    check: ({ name = '' }) => ({
      name: name.trim().length > maximumNameLength && t.passwordTooLong(maximumNameLength),
    }),
    send: ({ name = '', expiresIn, access, ...values }) => {
      const chosen: Record<string, string[]> = {}
      for (const { resource, action, field } of choices) if (values[field]) (chosen[resource] ??= []).push(action)
      return auth.apiKey.create({
        ...(name.trim() ? { name: name.trim() } : {}),
        ...(expiresIn ? { expiresIn: Number(expiresIn) } : {}),
        ...(organizationId ? { organizationId } : { access: access as KeyAccess }),
        ...(Object.keys(chosen).length > 0 ? { permissions: chosen } : {}),
      })
    },
    at: { THE_NAME_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL: 'name' },
    errors: t.errors,
    done,
  })
  return (
    <form {...form.props} className="grid gap-5">
      <Field {...form.field('name')} label={t.name} hint={t.nameHint} optional autoComplete="off" />
      {customExpiry && (
        <SelectField {...form.field('expiresIn')} label={t.expiry} defaultValue={30 * day}>
          {presets
            .filter((days) => days >= minExpiresIn && days <= maxExpiresIn)
            .map((days) => (
              <option key={days} value={days * day}>
                {t.after(inWords(days * day, language))}
              </option>
            ))}
          {/* Without a choice, the server's default applies. */}
          {defaultExpiresIn === null ? (
            <option value="">{t.never}</option>
          ) : (
            <option value="">{t.usualExpiry(inWords(defaultExpiresIn, language))}</option>
          )}
        </SelectField>
      )}
      {/* A key of an organization creates no sessions. */}
      {organizationId === undefined && (
        <SelectField
          {...form.field('access')}
          label={t.access}
          hint={t.accessHint}
          defaultValue={defaultAccess ?? (choices.length > 0 ? 'read-only' : 'full')}
        >
          {accessLevels.map((level) => (
            <option key={level} value={level}>
              {t.accessLevels[level]}
            </option>
          ))}
        </SelectField>
      )}
      {choices.length > 0 && (
        <fieldset className="grid gap-3">
          <legend className="mb-2 font-medium">{t.mayDo}</legend>
          {choices.map(({ resource, action, field }) => (
            <Checkbox key={field} name={field} label={`${resource}: ${action}`} />
          ))}
        </fieldset>
      )}
      <Submit form={form} onCancel={cancel}>
        {t.create}
      </Submit>
    </form>
  )
}

/** Shows the key, once, and a command that tests it. */
function NewKey({ of: { key: shown, access, userId }, saved }: { of: NewApiKey; saved(): void }) {
  const t = useTexts(apiKeyTexts)
  const { header } = useConfig().apiKey ?? unlimited
  const command = `curl -H "${header}: ${shown}" ${hosted('/api/auth/get-session')}`
  return (
    <div className="grid gap-5">
      <p>{t.once}</p>
      <Shown label={t.key} text={shown} copy={t.copyKey} />
      {userId !== null && access !== 'verify-only' && <Shown label={t.tryIt} text={command} copy={t.copyCommand} />}
      <Button data-saved look="primary" className="sm:justify-self-end" onClick={saved}>
        {t.done}
      </Button>
    </div>
  )
}

function Shown({ label, text, copy }: { label: string; text: string; copy: string }) {
  return (
    <div className="grid gap-2">
      <p className="font-medium">{label}</p>
      <code className="block rounded border bg-sunken p-3 text-sm break-all select-all">{text}</code>
      <div>
        <CopyButton text={text}>{copy}</CopyButton>
      </div>
    </div>
  )
}

/** Until the configuration has loaded. */
const unlimited = {
  header: 'x-api-key',
  minExpiresIn: 1,
  maxExpiresIn: 365,
  customExpiry: true,
  defaultAccess: null,
  defaultExpiresIn: null,
  maximumNameLength: 32,
  permissions: {} as Record<string, string[]>,
}
