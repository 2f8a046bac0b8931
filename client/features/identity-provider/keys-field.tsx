import { useState } from 'react'
import type { Form } from '../../lib/form.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { MachineArea, SelectField } from '../../ui/field.tsx'
import { agentTexts } from './agents.texts.ts'

type Keys = { jwksUri: string } | { jwks: { keys: Record<string, unknown>[] } }

/** The keys of a request: the address of a key set, or the set; null for any other text. */
export function readKeys(text: string): Keys | null {
  const given = text.trim()
  if (given.startsWith('https://')) return { jwksUri: given }
  try {
    const jwks = JSON.parse(given)
    return Array.isArray(jwks?.keys) && jwks.keys.length > 0 ? { jwks } : null
  } catch {
    return null
  }
}

/** The fields `credential` and `keys` of a form: a secret, or public keys in its place. */
export function useCredentialFields() {
  const t = useTexts(agentTexts)
  const [withKeys, setWithKeys] = useState(false)
  return {
    withKeys,
    problem: ({ credential, keys }: Record<string, string>) =>
      credential === 'keys' && readKeys(keys ?? '') === null && t.invalidKeys,
    given: ({ credential, keys }: Record<string, string>) => (credential === 'keys' ? readKeys(keys ?? '') : {}),
    fields: (form: Form<string>) => (
      <>
        <SelectField
          {...form.field('credential')}
          label={t.credential}
          onChange={({ target }) => setWithKeys(target.value === 'keys')}
        >
          <option value="secret">{t.withSecret}</option>
          <option value="keys">{t.withKeys}</option>
        </SelectField>
        {withKeys && <KeysField form={form} />}
      </>
    ),
  }
}

export function KeysField({ form, optional }: { form: Form<string>; optional?: boolean }) {
  const t = useTexts(agentTexts)
  return (
    <MachineArea {...form.field('keys')} label={t.keys} hint={t.keysHint} rows={5} {...(optional && { optional })} />
  )
}
