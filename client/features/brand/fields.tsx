import { useState } from 'react'
import type { Themed } from '../../../worker/kit/looks.ts'
import { Field, FieldFrame, SelectField } from '../../ui/field.tsx'
import { at, isColour, isObject, type Part, type Value } from './options.ts'

type FieldOf<More = object> = Part & { name: string; label: string } & More

const textOf = (value: Value | undefined) => (typeof value === 'string' ? value : '')

export function Text({ brand, set, name, label, example }: FieldOf<{ example: string }>) {
  return (
    <Field
      label={label}
      placeholder={example}
      value={textOf(at(brand, name))}
      onChange={({ target }) => set(name, target.value.trim() || null)}
      spellCheck={false}
      autoComplete="off"
    />
  )
}

/** A list in one field, separated by commas. */
export function List({ brand, set, name, label, example }: FieldOf<{ example: string }>) {
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

/** @param usual the value in place of none */
export function Choice({ brand, set, name, label, values, usual }: FieldOf<{ values: string[]; usual?: string }>) {
  const value = at(brand, name)
  return (
    <SelectField
      label={label}
      value={textOf(value) || usual}
      onChange={({ target }) => set(name, target.value === usual ? null : target.value)}
    >
      {values.map((value) => (
        <option key={value}>{value}</option>
      ))}
    </SelectField>
  )
}

export function Switch({ brand, set, name, label }: FieldOf) {
  return (
    <label className="flex min-h-10 items-center gap-2.5">
      <input
        type="checkbox"
        className="size-5"
        checked={at(brand, name) === true}
        onChange={({ target }) => set(name, target.checked)}
      />
      {label}
    </label>
  )
}

/** @param usual the colour of the look, in place of none */
export function Colour({
  brand,
  set,
  name,
  label,
  optional,
  usual = '',
}: FieldOf<{ optional?: boolean; usual?: string }>) {
  const given = at(brand, name)
  const value = typeof given === 'string' ? given : usual
  const isValid = isColour(value)
  return (
    <FieldFrame label={label} error={isValid || (optional && !value) ? undefined : 'A colour such as #2350c0'}>
      {(control) => (
        <div className="flex gap-2">
          <input
            type="color"
            aria-label={`${label}, chosen`}
            value={isValid ? value : '#ffffff'}
            onChange={({ target }) => set(name, target.value)}
            className="h-10 w-12 flex-none rounded border border-edge bg-surface p-1"
          />
          <input
            {...control}
            className="control"
            value={value}
            placeholder={optional ? 'none' : undefined}
            onChange={({ target }) => set(name, target.value.trim() || (optional ? null : ''))}
            spellCheck={false}
            autoComplete="off"
          />
        </div>
      )}
    </FieldFrame>
  )
}

/** One theme of a colour that is `{ light, dark }` or one for both. */
export function ThemedColour({
  brand,
  set,
  name,
  theme,
  label,
  usual,
}: FieldOf<{ theme: 'light' | 'dark'; usual: Themed }>) {
  const value = at(brand, name)
  const own = isObject(value) ? value : typeof value === 'string' ? { light: value, dark: value } : usual
  const both = { brand: { colour: own[theme] ?? '' }, name: 'colour', label, usual: usual[theme] }
  const change = (_: string, colour: Value) => set(name, { ...usual, ...own, [theme]: colour || usual[theme] })
  return <Colour {...both} set={change} />
}
