import { Check } from 'lucide-react'
import { cx } from '../lib/cx.ts'

interface Choice<Value extends string> {
  value: Value
  label: string
  count?: number
}

interface ChipsProps<Value extends string> {
  /** What the chips filter, for screen readers. */
  label: string
  choices: Choice<Value>[]
  value: Value
  onChoose(value: Value): void
}

/** A filter of which one value is chosen. */
export function Chips<Value extends string>({ label, choices, value, onChoose }: ChipsProps<Value>) {
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="sr-only">{label}</legend>
      {choices.map((choice) => {
        const chosen = choice.value === value
        return (
          <button
            key={choice.value}
            type="button"
            aria-pressed={chosen}
            onClick={() => onChoose(choice.value)}
            className={cx(
              'inline-flex min-h-10 items-center gap-1.5 rounded-full border px-3.5 text-sm',
              chosen ? 'border-accent bg-accent-wash font-medium text-accent' : 'bg-surface hover:bg-sunken',
            )}
          >
            {chosen && <Check aria-hidden size={15} />}
            {choice.label}
            {choice.count !== undefined && (
              <span className={cx('tabular-nums', !chosen && 'text-soft')}>{choice.count}</span>
            )}
          </button>
        )
      })}
    </fieldset>
  )
}
