import { auth } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/endpoints.ts'
import { useForm } from '../../lib/form.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Field, FieldFrame } from '../../ui/field.tsx'
import { Submit } from '../../ui/submit.tsx'
import { resourceTexts } from './resources.texts.ts'

type Resource = AnswerOf<'/admin/list-resources'>['resources'][number]

interface ResourceFormProps {
  /** Null for a new one. */
  resource: Resource | null
  done(name: string): void
  cancel(): void
}

/** Lines with a scope and its words. */
const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

const partsOf = (text: string) => text.split(/[\s,]+/).filter((part) => part !== '')

/** The scope and its words; null for a line without words. */
function scopeOf(line: string): [string, string] | null {
  const [, name, words] = /^(\S+)\s+(.+)$/.exec(line) ?? []
  return name && words ? [name, words] : null
}

const isLifetime = (text: string) => /^\d{1,5}$/.test(text) && Number(text) >= 60 && Number(text) <= 86_400

/** Registers a resource, or changes one. Its identifier does not change. */
export function ResourceForm({ resource, done, cancel }: ResourceFormProps) {
  const t = useTexts(resourceTexts)
  const form = useForm({
    fields: ['name', 'identifier', 'scopes', 'accessTokenExpiresIn', 'introspectedBy'],
    check: ({ name, identifier, scopes, accessTokenExpiresIn }) => ({
      name: !name.trim() && t.nameNeeded,
      identifier: !resource && !identifier.trim() && t.identifierNeeded,
      scopes: linesOf(scopes)
        .filter((line) => scopeOf(line) === null)
        .map((line) => t.scopeInvalid(line))[0],
      accessTokenExpiresIn:
        accessTokenExpiresIn.trim() !== '' && !isLifetime(accessTokenExpiresIn.trim()) && t.secondsInvalid,
    }),
    send: ({ name, identifier, scopes, accessTokenExpiresIn, introspectedBy }) => {
      const properties = {
        name: name.trim(),
        scopes: Object.fromEntries(
          linesOf(scopes)
            .map(scopeOf)
            .filter((one) => one !== null),
        ),
        accessTokenExpiresIn: accessTokenExpiresIn.trim() === '' ? null : Number(accessTokenExpiresIn),
        introspectedBy: partsOf(introspectedBy),
      }
      return resource?.id
        ? auth.admin.updateResource({ id: resource.id, ...properties })
        : auth.admin.createResource({ identifier: identifier.trim(), ...properties })
    },
    at: {
      INVALID_RESOURCE_IDENTIFIER: 'identifier',
      RESOURCE_EXISTS: 'identifier',
      RESOURCE_SCOPE_EXISTS: 'scopes',
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
        <Field
          {...form.field('identifier')}
          label={t.identifier}
          hint={t.identifierHint}
          dir="ltr"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={500}
        />
      )}
      <FieldFrame {...form.field('scopes')} label={t.scopes} hint={t.scopesHint} optional>
        {(control) => (
          <textarea
            {...control}
            name="scopes"
            rows={4}
            dir="ltr"
            autoCapitalize="none"
            spellCheck={false}
            defaultValue={shown.map(([name, words]) => `${name} ${words}`).join('\n')}
            className="control"
          />
        )}
      </FieldFrame>
      <Field
        {...form.field('accessTokenExpiresIn')}
        label={t.seconds}
        hint={t.secondsHint}
        optional
        inputMode="numeric"
        autoComplete="off"
        defaultValue={resource?.ownLifetime ?? ''}
      />
      <Field
        {...form.field('introspectedBy')}
        label={t.introspectedBy}
        hint={t.introspectedByHint}
        optional
        dir="ltr"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        defaultValue={resource?.introspectedBy.join(', ') ?? ''}
      />
      <Submit form={form} onCancel={cancel}>
        {resource ? t.save : t.create}
      </Submit>
    </form>
  )
}
