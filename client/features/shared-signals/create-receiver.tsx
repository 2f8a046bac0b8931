import { useState } from 'react'
import { auth } from '../../lib/api.ts'
import type { SignalReceiver } from '../../lib/auth/endpoints.ts'
import { useForm } from '../../lib/form.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Checkbox, Field, SelectField } from '../../ui/field.tsx'
import { CreateDialog } from '../../ui/shown-once.tsx'
import { Submit } from '../../ui/submit.tsx'
import { receiverTexts } from './texts.ts'

type NewReceiver = SignalReceiver & { token: string }

interface CreateProps {
  open: boolean
  created(): void
  onClose(): void
}

/** Registers a receiver and shows its token once. */
export function CreateReceiver({ open, created, onClose }: CreateProps) {
  const t = useTexts(receiverTexts)
  const configuration = `${location.origin}/.well-known/ssf-configuration`
  return (
    <CreateDialog
      open={open}
      title={t.createTitle}
      form={(done, cancel) => <CreateForm done={done} cancel={cancel} />}
      shownOf={({ token }: NewReceiver) => ({
        title: t.newTitle,
        intro: t.once,
        values: [
          { label: t.token, text: token, copy: t.copyToken },
          { label: t.configuration, text: configuration, copy: t.copyConfiguration },
        ],
        done: t.done,
      })}
      created={created}
      onClose={onClose}
    />
  )
}

const types = ['session-revoked', 'credential-change', 'account-disabled'] as const

function CreateForm({ done, cancel }: { done(receiver: NewReceiver): void; cancel(): void }) {
  const t = useTexts(receiverTexts)
  const [isPush, setPush] = useState(false)
  const form = useForm({
    fields: ['name', 'audience', 'url', 'authorization', ...types],
    check: ({ name = '', audience = '', url = '', ...values }) => ({
      name: !name.trim() && t.nameNeeded,
      audience: !audience.trim() && t.audienceNeeded,
      [types[0]]: !types.some((type) => values[type]) && t.wantedNeeded,
      url: isPush && !url.trim() && t.addressNeeded,
    }),
    send: ({ name = '', audience = '', url = '', authorization = '', ...values }) =>
      auth.admin.createSignalReceiver({
        name: name.trim(),
        audience: audience.trim(),
        events: types.filter((type) => values[type]),
        ...(isPush ? { url: url.trim() } : {}),
        ...(isPush && authorization.trim() ? { authorization: authorization.trim() } : {}),
      }),
    at: { INVALID_SIGNAL_ADDRESS: 'url' },
    errors: t.errors,
    done,
  })
  return (
    <form {...form.props} className="grid gap-5">
      <Field {...form.field('name')} label={t.name} hint={t.nameHint} autoComplete="off" maxLength={64} />
      <Field {...form.field('audience')} label={t.audience} hint={t.audienceHint} autoComplete="off" maxLength={512} />
      <fieldset className="grid gap-3">
        <legend className="mb-1 font-medium">{t.wanted}</legend>
        {types.map((type) => (
          <Checkbox key={type} name={type} label={t.events[type]} defaultChecked />
        ))}
        {form.field(types[0]).error && <p className="text-danger">{form.field(types[0]).error}</p>}
      </fieldset>
      <SelectField
        name="delivery"
        label={t.delivery}
        defaultValue="poll"
        onChange={({ currentTarget }) => setPush(currentTarget.value === 'push')}
      >
        <option value="poll">{t.byPoll}</option>
        <option value="push">{t.byPush}</option>
      </SelectField>
      {isPush && (
        <>
          <Field
            {...form.field('url')}
            label={t.address}
            type="url"
            autoComplete="off"
            maxLength={2048}
            placeholder="https://signals.acme.example.com/events"
          />
          <Field
            {...form.field('authorization')}
            label={t.authorization}
            hint={t.authorizationHint}
            optional
            autoComplete="off"
            maxLength={2048}
          />
        </>
      )}
      <Submit form={form} onCancel={cancel}>
        {t.create}
      </Submit>
    </form>
  )
}
