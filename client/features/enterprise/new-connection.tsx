import { useState } from 'react'
import { useLocation } from 'wouter'
import { useForm } from '../../lib/form.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { DialogButton } from '../../ui/dialog.tsx'
import { Field, SelectField } from '../../ui/field.tsx'
import { Submit } from '../../ui/submit.tsx'
import { useManager } from './manager.ts'
import { identityProviders, otherProvider, rememberProvider } from './providers.ts'
import { ssoTexts } from './texts.ts'

const protocolNames = { saml: 'SAML 2.0', oidc: 'OpenID Connect' } as const
type Protocol = keyof typeof protocolNames

export function NewConnection({ first }: { first: boolean }) {
  const t = useTexts(ssoTexts)
  return (
    <DialogButton id="new-connection" look={first ? 'primary' : 'secondary'} label={t.newConnection}>
      {(close) => <NewConnectionForm close={close} />}
    </DialogButton>
  )
}

function NewConnectionForm({ close }: { close(): void }) {
  const t = useTexts(ssoTexts)
  const { create, refresh, pathOf } = useManager()
  const [, navigate] = useLocation()
  const [provider, setProvider] = useState(identityProviders[0]!)
  // The order of the guides: the first protocol is the usual one of the provider.
  const protocols = (Object.keys(provider) as (keyof typeof provider)[]).filter(
    (key): key is Protocol => key === 'saml' || key === 'oidc',
  )
  const form = useForm({
    fields: ['name', 'type'],
    check: ({ name }) => ({ name: !name.trim() && t.nameNeeded }),
    send: ({ name, type }) => create({ name: name.trim(), type: type as Protocol }),
    errors: t.errors,
    done(connection) {
      rememberProvider(connection.id, provider.id)
      close()
      refresh()
      navigate(pathOf(connection.id))
    },
  })
  return (
    <form {...form.props} className="grid gap-5">
      <SelectField
        label={t.provider}
        value={provider.id}
        onChange={(event) =>
          setProvider(identityProviders.find(({ id }) => id === event.target.value) ?? otherProvider)
        }
      >
        {identityProviders.map(({ id, name }) => (
          <option key={id} value={id}>
            {name || t.otherProvider}
          </option>
        ))}
      </SelectField>
      <SelectField key={provider.id} {...form.field('type')} label={t.protocol}>
        {protocols.map((protocol) => (
          <option key={protocol} value={protocol}>
            {protocolNames[protocol]}
          </option>
        ))}
      </SelectField>
      <Field
        key={`${provider.id} name`}
        {...form.field('name')}
        label={t.name}
        autoComplete="off"
        maxLength={64}
        defaultValue={provider.name}
      />
      <Submit form={form} onCancel={close}>
        {t.createConnection}
      </Submit>
    </form>
  )
}
