import { inWords } from '../../../worker/kit/time.ts'
import { auth, useConfig } from '../../lib/api.ts'
import type { ApiKey } from '../../lib/auth/endpoints.ts'
import { hosted } from '../../lib/deployment.ts'
import { useForm } from '../../lib/form.ts'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { Checkbox, Field, SelectField } from '../../ui/field.tsx'
import { CreateDialog } from '../../ui/shown-once.tsx'
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

/** Creates a key and shows it once. */
export function CreateKey({ open, organizationId, created, onClose }: CreateProps) {
  const t = useTexts(apiKeyTexts)
  const { header } = useConfig().apiKey ?? unlimited
  return (
    <CreateDialog
      open={open}
      title={t.createTitle}
      form={(done, cancel) => <CreateForm organizationId={organizationId} done={done} cancel={cancel} />}
      shownOf={({ key, access, userId }: NewApiKey) => {
        const command = `curl -H "${header}: ${key}" ${hosted('/api/auth/get-session')}`
        const tryIt = { label: t.tryIt, text: command, copy: t.copyCommand }
        return {
          title: t.newTitle,
          intro: t.once,
          values: [
            { label: t.key, text: key, copy: t.copyKey },
            ...(userId !== null && access !== 'verify-only' ? [tryIt] : []),
          ],
          done: t.done,
        }
      }}
      created={created}
      onClose={onClose}
    />
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
