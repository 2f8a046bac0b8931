import { type BrokenRule, brokenRule } from '../../worker/kit/field-rules.ts'
import { inLanguage, typedValue } from '../lib/additional-fields.ts'
import type { AdditionalField } from '../lib/auth/endpoints.ts'
import { defineTexts, type Language, useLanguage, useTexts } from '../lib/texts/texts.ts'
import { Checkbox, Field, SelectField } from './field.tsx'

const texts = defineTexts('additionalFields', {
  choose: 'Choose…',
  kept: 'What you saved is not shown here. It stays unless you enter something else.',
  rules: {
    required: 'Fill in this field.',
    type: 'Enter a number.',
    minLength: 'Use at least {minLength} characters.',
    maxLength: 'Use at most {maxLength} characters.',
    pattern: 'This does not have the right form.',
    min: 'Must be {limit} or more.',
    max: 'Must be {limit} or less.',
    options: 'Choose one.',
  },
  date: 'Enter a date.',
  minDate: 'Must be {limit} or later.',
  maxDate: 'Must be {limit} or earlier.',
})

function shown({ type, min, max }: AdditionalField, limit: 'min' | 'max', language: Language): string {
  const value = limit === 'min' ? min : max
  if (type !== 'date') return Number(value).toLocaleString(language)
  return new Date(String(value)).toLocaleDateString(language, { dateStyle: 'medium', timeZone: 'UTC' })
}

/** Validates configured fields: returns the message for each invalid field by its name. */
export function useFieldCheck(
  fields: readonly AdditionalField[],
): (typed: Readonly<Record<string, string | undefined>>) => Record<string, string | undefined> {
  const t = useTexts(texts)
  const language = useLanguage()
  const messageFor = (field: AdditionalField, rule: BrokenRule['rule']) => {
    const isDate = field.type === 'date'
    switch (rule) {
      case 'type':
        return isDate ? t.date : t.rules.type
      case 'minLength':
        return t.rules.minLength(field.minLength ?? 0)
      case 'maxLength':
        return t.rules.maxLength(field.maxLength ?? 0)
      case 'min':
      case 'max': {
        const text = isDate ? t[`${rule}Date`] : t.rules[rule]
        return text(shown(field, rule, language))
      }
      default:
        return t.rules[rule]
    }
  }
  return (typed) =>
    Object.fromEntries(
      fields.map((field) => {
        const value = typedValue(field, typed[field.name] ?? '')
        const broken = value === null && !field.required ? null : brokenRule(field, value)
        return [field.name, broken ? messageFor(field, broken.rule) : undefined]
      }),
    )
}

interface FieldsProps {
  fields: readonly AdditionalField[]
  form: { field(name: string): { name: string; error: string | undefined } }
  values?: Readonly<Record<string, unknown>>
  /** Whether `values` belong to a user, who may have stored values that responses do not contain. */
  stored?: boolean
  autoFocus?: boolean
}

export function AdditionalFields({ fields, form, values = {}, stored = false, autoFocus = false }: FieldsProps) {
  return fields.map((field, index) => (
    <Control
      key={field.name}
      field={field}
      value={values[field.name]}
      isHidden={stored && !field.returned}
      autoFocus={autoFocus && index === 0}
      {...form.field(field.name)}
    />
  ))
}

interface ControlProps {
  field: AdditionalField
  value: unknown
  isHidden: boolean
  autoFocus: boolean
  name: string
  error: string | undefined
}

function Control({ field, value, isHidden, autoFocus, ...named }: ControlProps) {
  const t = useTexts(texts)
  const language = useLanguage()
  const { type, required, options, minLength, maxLength, min, max } = field
  const text = value === null || value === undefined ? '' : String(value)
  const label = inLanguage(field.label, language)
  const common = { ...named, autoFocus, label, optional: !required && !isHidden, hint: isHidden && t.kept }
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
    // Stored dates may have a time; the control accepts the day only.
    const day = (one: unknown) => (one === undefined ? undefined : String(one).slice(0, 10))
    return <Field {...common} type="date" min={day(min)} max={day(max)} defaultValue={text.slice(0, 10)} />
  }
  if (type === 'number') {
    return <Field {...common} type="number" step="any" min={min} max={max} inputMode="decimal" defaultValue={text} />
  }
  return <Field {...common} minLength={minLength} maxLength={maxLength} defaultValue={text} />
}
