import { useState } from 'react'
import { type Declarations, declarationProblem, type ElementName, type Elements } from '../../../worker/kit/elements.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { FieldFrame, SelectField } from '../../ui/field.tsx'
import { brandFormTexts } from './form.texts.ts'

interface ElementStylesProps {
  names: readonly ElementName[]
  value: Elements
  onChange(value: Elements): void
}

const camel = (name: string) =>
  name.startsWith('--') ? name : name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** `border-radius: 999px; color: red` as an object. */
const parsed = (text: string): Declarations =>
  Object.fromEntries(
    text.split(';').flatMap((one) => {
      const [name = '', ...value] = one.split(':')
      return name.trim() && value.length > 0 ? [[camel(name.trim()), value.join(':').trim()]] : []
    }),
  )

const written = (declarations: Declarations = {}): string =>
  Object.entries(declarations)
    .map(([name, value]) =>
      typeof value === 'string'
        ? `${name.startsWith('--') ? name : name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}: ${value};`
        : '',
    )
    .filter(Boolean)
    .join('\n')

/** CSS declarations of one element after another. */
export function ElementStyles({ names, value, onChange }: ElementStylesProps) {
  const t = useTexts(brandFormTexts)
  const [element, setElement] = useState<ElementName>('button-primary')
  return (
    <>
      <SelectField label={t.element} value={element} onChange={({ target }) => setElement(target.value as ElementName)}>
        {names.map((name) => (
          <option key={name} value={name}>
            {value[name] ? t.changed(t.elements[name]) : t.elements[name]}
          </option>
        ))}
      </SelectField>
      <DeclarationsField
        key={element}
        value={value[element]}
        onChange={(declarations) => {
          const { [element]: _, ...others } = value
          onChange(Object.keys(declarations).length > 0 ? { ...others, [element]: declarations } : others)
        }}
      />
    </>
  )
}

interface DeclarationsFieldProps {
  value: Declarations | undefined
  onChange(value: Declarations): void
}

function DeclarationsField({ value, onChange }: DeclarationsFieldProps) {
  const t = useTexts(brandFormTexts)
  const [text, setText] = useState(written(value))
  const problem = declarationProblem(parsed(text))
  return (
    <FieldFrame label={t.declarations} error={problem === null ? undefined : t.notAllowed(problem)}>
      {(control) => (
        <textarea
          {...control}
          rows={4}
          dir="ltr"
          className="control font-mono text-sm"
          placeholder="border-radius: 999px;"
          value={text}
          onChange={({ target }) => {
            setText(target.value)
            const next = parsed(target.value)
            if (declarationProblem(next) === null) onChange(next)
          }}
          spellCheck={false}
        />
      )}
    </FieldFrame>
  )
}
