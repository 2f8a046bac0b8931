import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { useConfig } from '../../lib/api.ts'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { FieldFrame, type FieldFrameProps } from '../../ui/field.tsx'
import { callingCodeOf, countriesIn, defaultCountry } from './countries.ts'
import { phoneTexts } from './texts.ts'

interface PhoneFieldProps extends FieldFrameProps {
  name: string
  defaultValue?: string
  onChange?(text: string): void
}

/** A number, and the country in which it is written. Its form has two fields: `name` and 'country' (`toE164`). */
export function PhoneField({ name, defaultValue, onChange, ...frame }: PhoneFieldProps) {
  const t = useTexts(phoneTexts)
  const language = useLanguage()
  const { phoneCountry } = useConfig()
  const [country, setCountry] = useState(() => defaultCountry(phoneCountry))
  return (
    <FieldFrame {...frame}>
      {(control) => (
        <div className="flex gap-2">
          {/* The select covers the short form of its value. */}
          <div className="control relative flex w-auto! flex-none items-center gap-1.5 has-focus-visible:outline-2 has-focus-visible:outline-accent">
            <span aria-hidden className="tabular-nums">
              {country} +{callingCodeOf(country)}
            </span>
            <ChevronDown aria-hidden size={16} className="text-soft" />
            <select
              name="country"
              aria-label={t.country}
              value={country}
              onChange={(event) => setCountry(event.target.value)}
              className="absolute inset-0 w-full opacity-0"
            >
              {countriesIn(language).map((one) => (
                <option key={one.country} value={one.country}>
                  {one.name} (+{one.code})
                </option>
              ))}
            </select>
          </div>
          <input
            {...control}
            name={name}
            type="tel"
            autoComplete="tel"
            defaultValue={defaultValue}
            onChange={(event) => onChange?.(event.target.value)}
            className="control min-w-0"
          />
        </div>
      )}
    </FieldFrame>
  )
}
