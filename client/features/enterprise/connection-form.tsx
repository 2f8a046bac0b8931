import { type ReactNode, useState } from 'react'
import { useForm } from '../../lib/form.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Field, SelectField } from '../../ui/field.tsx'
import { formClass } from '../../ui/page.tsx'
import { type Connection, type OidcValues, useManager, valuesOf } from './manager.ts'
import { SamlForm } from './saml-form.tsx'
import { ssoTexts } from './texts.ts'
import { Address, StepEnd, useSaved, Value } from './value-fields.tsx'

interface FormProps {
  connection: Connection
  onSaved(): void
  /** The buttons to other steps. */
  ways: ReactNode
}

/** The values of the identity provider. */
export function ConnectionForm({ connection, onSaved, ways }: FormProps) {
  const values = valuesOf(connection)
  return values.type === 'oidc' ? (
    <OidcForm connection={connection} values={values} onSaved={onSaved} ways={ways} />
  ) : (
    <SamlForm connection={connection} values={values} onSaved={onSaved} ways={ways} />
  )
}

function OidcForm({ connection, values, onSaved, ways }: FormProps & { values: OidcValues }) {
  const t = useTexts(ssoTexts)
  const { update } = useManager()
  const [authentication, setAuthentication] = useState(values.authentication)
  const usesSecret = authentication !== 'private-key-jwt'
  const form = useForm({
    fields: ['name', 'issuer', 'clientId', 'clientSecret', 'scopes'],
    guard: true,
    check: ({ name, issuer, clientId, clientSecret }) => ({
      name: !name.trim() && t.nameNeeded,
      issuer: !issuer.trim() && t.needed,
      clientId: !clientId.trim() && t.needed,
      clientSecret: usesSecret && !connection.hasSecret && !clientSecret && t.needed,
    }),
    send: ({ name, issuer, clientId, clientSecret, scopes }) =>
      update({
        connectionId: connection.id,
        name: name.trim(),
        config: {
          type: 'oidc',
          issuer: issuer.trim(),
          clientId: clientId.trim(),
          authentication,
          scopes: scopes.split(/\s+/).filter((scope) => scope !== ''),
        },
        ...(usesSecret && clientSecret ? { clientSecret } : {}),
      }),
    at: { INVALID_ISSUER: 'issuer', CLIENT_SECRET_IS_REQUIRED: 'clientSecret' },
    errors: t.errors,
    done: useSaved(onSaved),
  })
  return (
    <form {...form.props} className={`${formClass} grid-cols-1`}>
      <Field {...form.field('name')} label={t.name} autoComplete="off" maxLength={64} defaultValue={connection.name} />
      <Address {...form.field('issuer')} label={t.issuer} maxLength={512} defaultValue={values.issuer} />
      <Value {...form.field('clientId')} label={t.clientId} maxLength={256} defaultValue={values.clientId} />
      <SelectField
        label={t.authentication}
        value={authentication}
        onChange={(event) => setAuthentication(event.target.value as OidcValues['authentication'])}
      >
        {Object.entries(t.authentications).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      {usesSecret && (
        <Value
          {...form.field('clientSecret')}
          label={t.clientSecret}
          hint={connection.hasSecret && t.keptSecret}
          type="password"
          maxLength={1024}
        />
      )}
      <Value
        {...form.field('scopes')}
        label={t.scopes}
        hint={t.scopesHint}
        optional
        defaultValue={values.scopes.join(' ')}
      />
      <StepEnd form={form} connection={connection} onNext={onSaved} ways={ways} />
    </form>
  )
}
