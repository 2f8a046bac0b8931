import type { ReactNode } from 'react'

const whole = /(E-Mail|\S+@\S+)/

/** A sentence in which "E-Mail" and addresses break at no hyphen; an address wider than its line breaks anywhere. */
export function Words({ children }: { children: ReactNode }) {
  if (typeof children !== 'string') return children
  return children.split(whole).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text
      <span key={index} className={part.includes('@') ? 'inline-block max-w-full' : 'whitespace-nowrap'}>
        {part}
      </span>
    ),
  )
}
