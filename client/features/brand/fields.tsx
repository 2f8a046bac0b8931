import { ArrowUp } from 'lucide-react'
import type { Themed } from '../../../worker/kit/looks.ts'
import type { WayId } from '../../lib/auth/endpoints.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Field, FieldFrame, SelectField } from '../../ui/field.tsx'
import { insightsTexts } from '../insights/insights.texts.ts'
import { brandFormTexts, type FieldName } from './form.texts.ts'
import { at, isColour, isObject, type Part, type Value } from './options.ts'

type FieldOf<More = object> = Part & { name: FieldName } & More

const useLabel = (name: FieldName): string => useTexts(brandFormTexts).fields[name]

const textOf = (value: Value | undefined) => (typeof value === 'string' ? value : '')

/** An address, or with `words` a text. */
export function Text({ brand, set, name, example, words }: FieldOf<{ example: string; words?: boolean }>) {
  return (
    <Field
      dir={words ? 'auto' : 'ltr'}
      label={useLabel(name)}
      placeholder={example}
      value={textOf(at(brand, name))}
      onChange={({ target }) => set(name, target.value.trim() || null)}
      spellCheck={false}
      autoComplete="off"
    />
  )
}

/** In the usual order. */
const wayIds = Object.keys({
  social: true,
  'cloudflare-access': true,
  passkey: true,
  'magic-link': true,
  'email-otp': true,
  'phone-otp': true,
  anonymous: true,
} satisfies Record<WayId, true>) as WayId[]

/** The ways in their order; one that moves up is named in the configuration with those before it. */
export function Ways({ brand, set, name }: FieldOf) {
  const t = useTexts(brandFormTexts)
  const { methods } = useTexts(insightsTexts)
  const label = useLabel(name)
  const value = at(brand, name)
  const named = (Array.isArray(value) ? value : []) as WayId[]
  const order = [...new Set([...named, ...wayIds])]
  const wordOf = (way: WayId) => (way === 'social' ? t.social : methods[way])
  const moveUp = (index: number) => {
    const next = [...order.slice(0, index - 1), order[index]!, order[index - 1]!, ...order.slice(index + 1)]
    set(name, next.slice(0, Math.max(named.length, index)))
  }
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1.5 font-medium">{label}</legend>
      <ol className="grid rounded border">
        {order.map((way, index) => (
          <li key={way} className="flex min-h-10 items-center justify-between border-b ps-3 last:border-b-0">
            {wordOf(way)}
            {index > 0 && (
              <IconButton label={t.moveUp(wordOf(way) ?? way)} onClick={() => moveUp(index)}>
                <ArrowUp aria-hidden size={16} />
              </IconButton>
            )}
          </li>
        ))}
      </ol>
      {named.length > 0 && (
        <Button look="quiet" className="justify-self-start" onClick={() => set(name, [])}>
          {t.usualOrder}
        </Button>
      )}
    </fieldset>
  )
}

/** @param usual the value in place of none */
export function Choice({ brand, set, name, words, usual }: FieldOf<{ words: Record<string, string>; usual?: string }>) {
  const value = at(brand, name)
  return (
    <SelectField
      label={useLabel(name)}
      value={textOf(value) || usual}
      onChange={({ target }) => set(name, target.value === usual ? null : target.value)}
    >
      {Object.entries(words).map(([value, word]) => (
        <option key={value} value={value}>
          {word}
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
            dir={value ? 'ltr' : undefined}
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
