import { useState } from 'react'
import { inWords } from '../../../worker/kit/time.ts'
import { auth } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/endpoints.ts'
import { useForm } from '../../lib/form.ts'
import { partsOf } from '../../lib/parts-of.ts'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { Checkbox, Field, MachineArea, machineText, SelectField } from '../../ui/field.tsx'
import { Submit } from '../../ui/submit.tsx'
import { resourceTexts } from './resources.texts.ts'

export type Resource = AnswerOf<'/admin/list-resources'>['resources'][number]

interface ResourceFormProps {
  /** Null for a new one. */
  resource: Resource | null
  /** Whose it is; null: the deployment's. */
  organizationId: string | null
  done(name: string): void
  cancel(): void
}

/** The claims that JWTs can have about a user, by the scope that permits them. */
const claims = [
  ...['name', 'given_name', 'family_name', 'picture', 'preferred_username', 'updated_at'],
  ...['email', 'email_verified', 'roles', 'permissions', 'organizations', 'groups'],
]
const claimField = (claim: string) => `claim ${claim}`

/** Lines with a scope and its words. */
const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** The scope and its words; null for a line without words. */
function scopeOf(line: string): [string, string] | null {
  const end = line.search(/\s/)
  return end < 0 ? null : [line.slice(0, end), line.slice(end).trim()]
}

/** In seconds. */
const lifetimes = [60, 300, 600, 900, 1800, 3600, 14_400, 28_800, 86_400]

/** The server puts the identifier in front of the scopes of an organization; the form shows the rest. */
const shortName = ({ organization, identifier }: Resource, scope: string) =>
  organization ? scope.slice(identifier.length + 1) : scope

/** Registers a resource, or changes one. Its identifier does not change. */
export function ResourceForm({ resource, organizationId, done, cancel }: ResourceFormProps) {
  const t = useTexts(resourceTexts)
  const language = useLanguage()
  const [format, setFormat] = useState(resource?.tokenFormat ?? 'opaque')
  const maxLifetime = format === 'jwt' ? 3600 : 86_400
  const own = resource?.ownLifetime
  const offered = [...new Set([...lifetimes, ...(own ? [own] : [])])]
    .filter((seconds) => seconds <= maxLifetime)
    .sort((one, other) => one - other)
  const texts = ['name', 'identifier', 'scopes', 'accessTokenExpiresIn', 'introspectedBy']
  const form = useForm({
    fields: [...texts, ...claims.map(claimField)],
    check: ({ name = '', identifier = '', scopes = '' }) => ({
      name: !name.trim() && t.nameNeeded,
      identifier: !resource && !identifier.trim() && t.identifierNeeded,
      scopes: linesOf(scopes)
        .filter((line) => scopeOf(line) === null)
        .map((line) => t.scopeInvalid(line))[0],
    }),
    send: ({ name = '', identifier = '', scopes = '', accessTokenExpiresIn = '', introspectedBy = '', ...values }) => {
      const properties = {
        name: name.trim(),
        scopes: Object.fromEntries(
          linesOf(scopes)
            .map(scopeOf)
            .filter((one) => one !== null),
        ),
        accessTokenExpiresIn: accessTokenExpiresIn === '' ? null : Number(accessTokenExpiresIn),
        introspectedBy: partsOf(introspectedBy),
        claims: claims.filter((claim) => values[claimField(claim)]),
      }
      const creation = { identifier: identifier.trim(), tokenFormat: format, ...properties }
      if (organizationId !== null) {
        return resource?.id
          ? auth.organization.updateResource({ organizationId, id: resource.id, ...properties })
          : auth.organization.createResource({ organizationId, ...creation })
      }
      return resource?.id
        ? auth.admin.updateResource({ id: resource.id, ...properties })
        : auth.admin.createResource(creation)
    },
    at: {
      INVALID_RESOURCE_IDENTIFIER: 'identifier',
      RESOURCE_DOMAIN_NOT_VERIFIED: 'identifier',
      RESOURCE_EXISTS: 'identifier',
      RESOURCE_SCOPE_EXISTS: 'scopes',
      INVALID_RESOURCE_LIFETIME: 'accessTokenExpiresIn',
    },
    errors: t.errors,
    done: ({ name }) => done(name),
  })
  const shown = Object.entries(resource?.scopes ?? {})
  return (
    <form {...form.props} className="grid gap-5">
      <Field
        {...form.field('name')}
        label={t.name}
        defaultValue={resource?.name ?? ''}
        autoComplete="off"
        maxLength={100}
      />
      {!resource && (
        <>
          <Field
            {...form.field('identifier')}
            {...machineText}
            label={t.identifier}
            hint={organizationId === null ? t.identifierHint : t.ownIdentifierHint}
            maxLength={organizationId === null ? 500 : 200}
          />
          <SelectField
            name="tokenFormat"
            label={t.tokens}
            hint={t.formatHints[format]}
            defaultValue={format}
            onChange={({ target }) => setFormat(target.value === 'jwt' ? 'jwt' : 'opaque')}
          >
            <option value="opaque">{t.formats.opaque}</option>
            <option value="jwt">{t.formats.jwt}</option>
          </SelectField>
        </>
      )}
      <MachineArea
        {...form.field('scopes')}
        label={t.scopes}
        hint={organizationId === null ? t.scopesHint : t.ownScopesHint}
        optional
        rows={4}
        defaultValue={shown.map(([name, words]) => `${shortName(resource!, name)} ${words}`).join('\n')}
      />
      <SelectField
        {...form.field('accessTokenExpiresIn')}
        label={t.tokenLifetime}
        defaultValue={resource?.ownLifetime ?? ''}
        // Another format has another maximum.
        key={format}
      >
        <option value="">{t.usualLifetime}</option>
        {offered.map((seconds) => (
          <option key={seconds} value={seconds}>
            {inWords(seconds, language)}
          </option>
        ))}
      </SelectField>
      {format === 'jwt' && (
        <fieldset className="grid gap-3">
          <legend className="mb-1 font-medium">{t.claims}</legend>
          <p className="text-soft">{t.claimsHint}</p>
          <div className="grid gap-3 sm:grid-cols-2">
            {claims.map((claim) => (
              <Checkbox
                key={claim}
                name={claimField(claim)}
                label={<code dir="ltr">{claim}</code>}
                defaultChecked={resource?.claims.includes(claim) ?? false}
              />
            ))}
          </div>
        </fieldset>
      )}
      <Field
        {...form.field('introspectedBy')}
        {...machineText}
        label={t.introspectedBy}
        hint={t.introspectedByHint}
        optional
        defaultValue={resource?.introspectedBy.join(', ') ?? ''}
      />
      <Submit form={form} onCancel={cancel}>
        {resource ? t.save : t.create}
      </Submit>
    </form>
  )
}
