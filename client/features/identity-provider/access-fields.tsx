import { Checkbox } from '../../ui/field.tsx'

interface OfferedResource {
  resource: string
  /** Each scope with its words. */
  scopes: Record<string, string>
}

interface Choice {
  resource: string
  scope: string
  words: string
  field: string
}

export const accessChoices = (resources: readonly OfferedResource[]): Choice[] =>
  resources.flatMap(({ resource, scopes }) =>
    Object.entries(scopes).map(([scope, words]) => ({ resource, scope, words, field: `may ${resource} ${scope}` })),
  )

/** The chosen scopes by resource. */
export function chosenAccess(choices: readonly Choice[], values: Record<string, string>): Record<string, string[]> {
  const access: Record<string, string[]> = {}
  for (const { resource, scope, field } of choices) if (values[field]) (access[resource] ??= []).push(scope)
  return access
}

interface AccessFieldsProps {
  label: string
  choices: readonly Choice[]
  /** What is chosen already. */
  access?: Readonly<Record<string, readonly string[]>>
}

export const AccessFields = ({ label, choices, access = {} }: AccessFieldsProps) => (
  <fieldset className="grid gap-3">
    <legend className="mb-2 font-medium">{label}</legend>
    {choices.map(({ field, words, resource, scope }) => (
      <Checkbox
        key={field}
        name={field}
        label={words}
        hint={<span className="wrap-anywhere">{resource}</span>}
        defaultChecked={access[resource]?.includes(scope) ?? false}
      />
    ))}
  </fieldset>
)
