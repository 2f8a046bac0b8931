import { Fragment, type ReactNode } from 'react'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { recordTexts } from './records.texts.ts'

interface FactsProps {
  date: Date
  /** Labels and what they name; without it a label is left out. */
  facts: [string, ReactNode][]
}

/** The exact time of a line, and its facts. */
export function Facts({ date, facts }: FactsProps) {
  const t = useTexts(recordTexts)
  const language = useLanguage()
  const time = (
    <time dateTime={date.toISOString()}>
      {date.toLocaleString(language, { dateStyle: 'long', timeStyle: 'medium' })}
    </time>
  )
  return (
    <dl className="grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[auto_1fr]">
      {[[t.time, time] as const, ...facts]
        .filter(([, value]) => value !== null && value !== undefined && value !== '')
        .map(([label, value]) => (
          <Fragment key={label}>
            <dt className="text-soft">{label}</dt>
            <dd className="mb-1 wrap-anywhere sm:mb-0">
              <bdi>{value}</bdi>
            </dd>
          </Fragment>
        ))}
    </dl>
  )
}
