import { useState } from 'react'
import type { Themed } from '../../../worker/kit/looks.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Field, FieldFrame, SelectField } from '../../ui/field.tsx'
import { brandFormTexts, type FieldName } from './form.texts.ts'
import { at, isColour, isObject, type Part, type Value } from './options.ts'

type FieldOf<More = object> = Part & { name: FieldName } & More

const useLabel = (name: FieldName): string => useTexts(brandFormTexts).fields[name]

const textOf = (value: Value | undefined) => (typeof value === 'string' ? value : '')

export function Text({ brand, set, name, example }: FieldOf<{ example: string }>) {
  return (
    <Field
      label={useLabel(name)}
      placeholder={example}
      value={textOf(at(brand, name))}
      onChange={({ target }) => set(name, target.value.trim() || null)}
      spellCheck={false}
      autoComplete="off"
    />
  )
}

/** A list in one field, separated by commas. */
export function List({ brand, set, name, example }: FieldOf<{ example: string }>) {
  const label = useLabel(name)
  const value = at(brand, name)
  const [text, setText] = useState(Array.isArray(value) ? value.join(', ') : '')
  return (
    <Field
      label={label}
      placeholder={example}
      value={text}
      onChange={({ target }) => {
        setText(target.value)
        set(name, target.value.split(/[\s,]+/).filter(Boolean))
      }}
      spellCheck={false}
      autoComplete="off"
    />
  )
}

/** @param usual the value in place of none; @param words for values of which the app has words */
export function Choice({
  brand,
  set,
  name,
  values,
  usual,
  words,
}: FieldOf<{ values: string[]; usual?: string; words?: Record<string, string> }>) {
  const value = at(brand, name)
  return (
    <SelectField
      label={useLabel(name)}
      value={textOf(value) || usual}
      onChange={({ target }) => set(name, target.value === usual ? null : target.value)}
    >
      {values.map((value) => (
        <option key={value} value={value}>
          {words?.[value] ?? value}
        </option>
      ))}
    </SelectField>
  )
}

export function Switch({ brand, set, name }: FieldOf) {
  return (
    <label className="flex min-h-10 items-center gap-2.5">
      <input
        type="checkbox"
        className="size-5"
        checked={at(brand, name) === true}
        onChange={({ target }) => set(name, target.checked)}
      />
      {useLabel(name)}
    </label>
  )
}

interface ColourProps {
  label: string
  given: Value | undefined
  optional?: boolean | undefined
  /** The colour of the look, in place of none. */
  usual?: string | undefined
  onChange(value: string | null): void
}

function ColourField({ label, given, optional, usual = '', onChange }: ColourProps) {
  const t = useTexts(brandFormTexts)
  const value = typeof given === 'string' ? given : usual
  const isValid = isColour(value)
  return (
    <FieldFrame label={label} error={isValid || (optional && !value) ? undefined : t.wrongColour}>
      {(control) => (
        <div className="flex gap-2">
          <input
            type="color"
            aria-label={t.chosen(label)}
            value={isValid ? value : '#ffffff'}
            onChange={({ target }) => onChange(target.value)}
            className="h-10 w-12 flex-none rounded border border-edge bg-surface p-1"
          />
          <input
            {...control}
            className="control"
            value={value}
            placeholder={optional ? t.noColour : undefined}
            onChange={({ target }) => onChange(target.value.trim() || (optional ? null : ''))}
            spellCheck={false}
            autoComplete="off"
          />
        </div>
      )}
    </FieldFrame>
  )
}

export function Colour({ brand, set, name, optional, usual }: FieldOf<{ optional?: boolean; usual?: string }>) {
  const label = useLabel(name)
  return (
    <ColourField
      label={label}
      given={at(brand, name)}
      optional={optional}
      usual={usual}
      onChange={(value) => set(name, value)}
    />
  )
}

/** One theme of a colour that is `{ light, dark }` or one for both. */
export function ThemedColour({ brand, set, name, theme, usual }: FieldOf<{ theme: 'light' | 'dark'; usual: Themed }>) {
  const t = useTexts(brandFormTexts)
  const value = at(brand, name)
  const own = isObject(value) ? value : typeof value === 'string' ? { light: value, dark: value } : usual
  return (
    <ColourField
      label={t.inTheme[theme](t.fields[name])}
      given={own[theme] ?? ''}
      usual={usual[theme]}
      onChange={(colour) => set(name, { ...usual, ...own, [theme]: colour || usual[theme] })}
    />
  )
}
