import { cx } from '../lib/cx.ts'

/** A text of a user in one line; the title has all of it. It may run in the other direction. */
export const Cut = ({ children, className }: { children: string; className?: string }) => (
  <bdi title={children} className={cx('block truncate', className)}>
    {children}
  </bdi>
)
