import type { ReactNode } from 'react'

/** Labels and their values, one a line. */
export function FactList({ facts }: { facts: readonly (readonly [label: string, value: ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2">
      {facts.map(([label, value]) => (
        <div key={label} className="contents">
          <dt className="text-soft">{label}</dt>
          <dd className="min-w-0 wrap-anywhere *:whitespace-normal">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
