import { brokenRule, inLanguage, type Rule, typedValue } from '../lib/additional-fields.ts'
import type { AdditionalField } from '../lib/auth/endpoints.ts'
import { defineTexts, type Language, useLanguage, useTexts } from '../lib/texts/texts.ts'
import { Checkbox, Field, SelectField } from './field.tsx'

const texts = defineTexts(
  {
    choose: 'Choose…',
    kept: 'What you saved is not shown here. It stays unless you enter something else.',
    rules: {
      required: () => 'Fill in this field.',
      type: ({ type }: AdditionalField): string => (type === 'number' ? 'Enter a number.' : 'Enter a date.'),
      minLength: ({ minLength }: AdditionalField) => `Use at least ${minLength} characters.`,
      maxLength: ({ maxLength }: AdditionalField) => `Use at most ${maxLength} characters.`,
      pattern: () => 'This does not have the right form.',
      min: (field: AdditionalField) => `Must be ${shown(field, 'min', 'en')} or more.`,
      max: (field: AdditionalField) => `Must be ${shown(field, 'max', 'en')} or less.`,
      options: () => 'Choose one.',
    },
    minDate: (field: AdditionalField) => `Must be ${shown(field, 'min', 'en')} or later.`,
    maxDate: (field: AdditionalField) => `Must be ${shown(field, 'max', 'en')} or earlier.`,
  },
  {
    choose: 'Auswählen…',
    kept: 'Was du gespeichert hast, wird hier nicht angezeigt. Es bleibt, solange du nichts anderes eingibst.',
    rules: {
      required: () => 'Fülle dieses Feld aus.',
      type: ({ type }) => (type === 'number' ? 'Gib eine Zahl ein.' : 'Gib ein Datum ein.'),
      minLength: ({ minLength }) => `Verwende mindestens ${minLength} Zeichen.`,
      maxLength: ({ maxLength }) => `Verwende höchstens ${maxLength} Zeichen.`,
      pattern: () => 'Das hat nicht die richtige Form.',
      min: (field) => `Muss mindestens ${shown(field, 'min', 'de')} sein.`,
      max: (field) => `Darf höchstens ${shown(field, 'max', 'de')} sein.`,
      options: () => 'Wähle etwas aus.',
    },
    minDate: (field) => `Muss ${shown(field, 'min', 'de')} oder später sein.`,
    maxDate: (field) => `Muss ${shown(field, 'max', 'de')} oder früher sein.`,
  },
)

/** A limit as people write it. */
function shown({ type, min, max }: AdditionalField, limit: 'min' | 'max', language: Language): string {
  const value = limit === 'min' ? min : max
  if (type !== 'date') return Number(value).toLocaleString(language)
  return new Date(String(value)).toLocaleDateString(language, { dateStyle: 'medium', timeZone: 'UTC' })
}

/** What is wrong with what somebody typed into configured fields: a message by the name of each. */
export function useFieldCheck(
  fields: readonly AdditionalField[],
): (typed: Readonly<Record<string, string | undefined>>) => Record<string, string | undefined> {
  const t = useTexts(texts)
  const messageFor = (field: AdditionalField, rule: Rule) => {
    if (field.type === 'date' && rule === 'min') return t.minDate(field)
    if (field.type === 'date' && rule === 'max') return t.maxDate(field)
    return t.rules[rule](field)
  }
  return (typed) =>
    Object.fromEntries(
      fields.map((field) => {
        const rule = brokenRule(field, typedValue(field, typed[field.name] ?? ''))
        return [field.name, rule ? messageFor(field, rule) : undefined]
      }),
    )
}

interface FieldsProps {
  fields: readonly AdditionalField[]
  form: { field(name: string): { name: string; error: string | undefined } }
  /** What stands in them at first. */
  values?: Readonly<Record<string, unknown>>
  /** Whether `values` are those of somebody who may have saved some that are not told. */
  stored?: boolean
  autoFocus?: boolean
}

/** The controls of configured fields, each by its type, with its label in the language of the person. */
export function AdditionalFields({ fields, form, values = {}, stored = false, autoFocus = false }: FieldsProps) {
  return fields.map((field, index) => (
    <Control
      key={field.name}
      field={field}
      value={values[field.name]}
      isUntold={stored && !field.returned}
      autoFocus={autoFocus && index === 0}
      {...form.field(field.name)}
    />
  ))
}

interface ControlProps {
  field: AdditionalField
  value: unknown
  isUntold: boolean
  autoFocus: boolean
  name: string
  error: string | undefined
}

function Control({ field, value, isUntold, autoFocus, ...named }: ControlProps) {
  const t = useTexts(texts)
  const language = useLanguage()
  const { type, required, options, minLength, maxLength, min, max } = field
  const text = value === null || value === undefined ? '' : String(value)
  const label = inLanguage(field.label, language)
  const common = { ...named, autoFocus, label, optional: !required && !isUntold, hint: isUntold && t.kept }
  if (type === 'boolean') {
    return <Checkbox name={named.name} label={label} autoFocus={autoFocus} defaultChecked={value === true} />
  }
  if (options) {
    return (
      <SelectField {...common} defaultValue={text}>
        <option value="">{required ? t.choose : '—'}</option>
        {options.map((option) => {
          const { value: chosen, label: words } = typeof option === 'string' ? { value: option, label: option } : option
          return (
            <option key={chosen} value={chosen}>
              {inLanguage(words, language)}
            </option>
          )
        })}
      </SelectField>
    )
  }
  if (type === 'date') {
    // Stored ones may have a time; the control takes the day alone.
    const day = (one: unknown) => (one === undefined ? undefined : String(one).slice(0, 10))
    return <Field {...common} type="date" min={day(min)} max={day(max)} defaultValue={text.slice(0, 10)} />
  }
  if (type === 'number') {
    return <Field {...common} type="number" step="any" min={min} max={max} inputMode="decimal" defaultValue={text} />
  }
  return <Field {...common} minLength={minLength} maxLength={maxLength} defaultValue={text} />
}
