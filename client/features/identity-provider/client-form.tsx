import { useTexts } from '../../lib/texts/texts.ts'
import { Field, FieldFrame } from '../../ui/field.tsx'
import { identityProviderTexts } from './texts.ts'

interface Values {
  name: string
  redirectURLs: string
}

/** The addresses of a text with one a line. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

export function useCheck() {
  const t = useTexts(identityProviderTexts)
  return ({ name, redirectURLs }: Values) => ({
    name: !name.trim() && t.nameRequired,
    redirectURLs: linesOf(redirectURLs).length === 0 && t.redirectRequired,
  })
}

interface ClientFieldsProps {
  field(name: keyof Values): { name: string; error: string | undefined }
  name?: string
  redirectURLs?: readonly string[]
}

/** The name and the addresses of a client. */
export function ClientFields({ field, name, redirectURLs }: ClientFieldsProps) {
  const t = useTexts(identityProviderTexts)
  const { name: fieldName, error } = field('redirectURLs')
  return (
    <>
      <Field
        {...field('name')}
        label={t.name}
        hint={t.nameHint}
        defaultValue={name}
        maxLength={100}
        autoComplete="off"
      />
      <FieldFrame label={t.redirectURLs} hint={t.redirectHint} error={error}>
        {(control) => (
          <textarea
            {...control}
            name={fieldName}
            rows={3}
            defaultValue={redirectURLs?.join('\n')}
            autoCapitalize="none"
            spellCheck={false}
            className="control font-mono text-sm"
          />
        )}
      </FieldFrame>
    </>
  )
}
