import { cx } from '../lib/cx.ts'

interface CutProps {
  children: string
  className?: string
  /** Words of the app, in its direction, also if they begin with a name. */
  words?: boolean
}

/** A text of a user in one line; the title has all of it. It may run in the other direction. */
export function Cut({ children, className, words }: CutProps) {
  const Element = words ? 'span' : 'bdi'
  return (
    <Element title={children} className={cx('block truncate', className)}>
      {children}
    </Element>
  )
}

/**
 * Texts in one line, each in its own direction and with its own ellipsis: a line that is cut as a whole loses the beginning of
 * a text that runs in the other direction. A text without room for a few letters is left out with its separator: it is in a second
 * line, which is not shown. @param parts texts, or a label and its text
 */
export const CutParts = ({
  parts,
  className,
}: {
  parts: readonly (string | readonly [string, string])[]
  className?: string
}) => (
  <span className={cx('flex h-lh min-w-0 flex-wrap overflow-hidden', className)}>
    {parts.map((part, index) => {
      const [label, text] = typeof part === 'string' ? [null, part] : part
      return (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one line
          key={index}
          className={cx(
            'flex min-w-0',
            // The first is whole if it leaves room for another, and where that would have no room; the others share what is left.
            index > 0
              ? 'max-w-max flex-[1_1_3.5rem]'
              : cx('flex-none', parts.length > 1 ? 'max-w-[max(70%,min(100%,(3.5rem-30%)*999))]' : 'max-w-full'),
          )}
        >
          {index > 0 && <span className="flex-none whitespace-pre"> · </span>}
          {label && <span className="flex-none whitespace-pre">{label}: </span>}
          <Cut>{text}</Cut>
        </span>
      )
    })}
  </span>
)
