import { Fragment } from 'react'
import { cx } from '../lib/cx.ts'

/** A text of a user in one line; the title has all of it. It may run in the other direction. */
export const Cut = ({ children, className }: { children: string; className?: string }) => (
  <bdi title={children} className={cx('block truncate', className)}>
    {children}
  </bdi>
)

/**
 * Texts in one line, each in its own direction and with its own ellipsis: a line that is cut as a whole loses the beginning of
 * a text that runs in the other direction. @param parts texts, or a label and its text
 */
export const CutParts = ({
  parts,
  className,
}: {
  parts: readonly (string | readonly [string, string])[]
  className?: string
}) => (
  <span className={cx('flex min-w-0', className)}>
    {parts.map((part, index) => {
      const [label, text] = typeof part === 'string' ? [null, part] : part
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one line
        <Fragment key={index}>
          {index > 0 && <span className="flex-none whitespace-pre"> · </span>}
          {label && <span className="flex-none whitespace-pre">{label}: </span>}
          {/* The first is whole if it leaves room for another; the others share what is left. */}
          <Cut className={cx(parts.length > 1 && index === 0 && 'max-w-[70%] flex-none')}>{text}</Cut>
        </Fragment>
      )
    })}
  </span>
)
