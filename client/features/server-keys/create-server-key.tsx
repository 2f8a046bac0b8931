import { inWords } from '../../../worker/kit/time.ts'
import { auth } from '../../lib/api.ts'
import type { ServerKey } from '../../lib/auth/endpoints.ts'
import { useForm } from '../../lib/form.ts'
import { partsOf } from '../../lib/parts-of.ts'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { Checkbox, Field, SelectField } from '../../ui/field.tsx'
import { CreateDialog } from '../../ui/shown-once.tsx'
import { Submit } from '../../ui/submit.tsx'
import { useKeyRights } from './rights.ts'
import { serverKeyTexts } from './texts.ts'

type NewServerKey = ServerKey & { key: string }

interface CreateProps {
  open: boolean
  created(): void
  onClose(): void
}

/** Creates a key and shows it once. */
export function CreateServerKey({ open, created, onClose }: CreateProps) {
  const t = useTexts(serverKeyTexts)
  return (
    <CreateDialog
      open={open}
      title={t.createTitle}
      form={(done, cancel) => <CreateForm done={done} cancel={cancel} />}
      shownOf={({ key, permissions }: NewServerKey) => {
        const tryIt = { label: t.tryIt, text: commandFor(key), copy: t.copyCommand }
        return {
          title: t.newTitle,
          intro: t.once,
          values: [
            { label: t.key, text: key, copy: t.copyKey },
            ...(permissions.includes('users:read') ? [tryIt] : []),
          ],
          done: t.done,
        }
      }}
      created={created}
      onClose={onClose}
    />
  )
}

/** A command that tests a key. */
const commandFor = (key: string): string =>
  `curl -X POST ${location.origin}/api/server/list-users -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" -d '{"limit":1}'`

const day = 86_400
/** Days. */
const presets = [7, 30, 90, 365]

function CreateForm({ done, cancel }: { done(key: NewServerKey): void; cancel(): void }) {
  const t = useTexts(serverKeyTexts)
  const language = useLanguage()
  const { grantable } = useKeyRights()
  const fieldOf = (permission: string) => `may ${permission}`
  const [first = ''] = grantable
  const form = useForm({
    fields: ['name', 'expiresIn', 'addresses', ...grantable.map(fieldOf)],
    check: ({ name = '', addresses = '', ...values }) => ({
      name: !name.trim() && t.nameNeeded,
      addresses: partsOf(addresses)
        .filter((part) => !/^[\da-f.:]+(?:\/\d+)?$/i.test(part))
        .map((part) => t.addressInvalid(part))[0],
      [fieldOf(first)]: !grantable.some((permission) => values[fieldOf(permission)]) && t.permissionNeeded,
    }),
    send: ({ name = '', expiresIn, addresses = '', ...values }) =>
      auth.admin.createServerKey({
        name: name.trim(),
        permissions: grantable.filter((permission) => values[fieldOf(permission)]),
        ...(expiresIn ? { expiresIn: Number(expiresIn) } : {}),
        addresses: partsOf(addresses),
      }),
    errors: t.errors,
    done,
  })
  return (
    <form {...form.props} className="grid gap-5">
      <Field {...form.field('name')} label={t.name} hint={t.nameHint} autoComplete="off" maxLength={64} />
      <fieldset className="grid gap-3">
        <legend className="mb-1 font-medium">{t.permissions}</legend>
        <p className="text-soft">{t.permissionsHint}</p>
        <div className="grid gap-3 sm:grid-cols-2">
          {grantable.map((permission) => (
            <Checkbox key={permission} name={fieldOf(permission)} label={<code>{permission}</code>} />
          ))}
        </div>
        {form.field(fieldOf(first)).error && <p className="text-danger">{form.field(fieldOf(first)).error}</p>}
      </fieldset>
      <SelectField {...form.field('expiresIn')} label={t.expiry} defaultValue={90 * day}>
        {presets.map((days) => (
          <option key={days} value={days * day}>
            {t.after(inWords(days * day, language))}
          </option>
        ))}
        <option value="">{t.never}</option>
      </SelectField>
      <Field
        {...form.field('addresses')}
        label={t.addresses}
        hint={t.addressesHint}
        optional
        autoComplete="off"
        placeholder="203.0.113.0/24"
        dir="ltr"
      />
      <Submit form={form} onCancel={cancel}>
        {t.create}
      </Submit>
    </form>
  )
}
