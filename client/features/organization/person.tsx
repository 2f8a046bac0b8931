import type { ReactNode } from 'react'
import { cx } from '../../lib/cx.ts'
import { shownName } from '../../lib/phone.ts'
import { isPlaceholder } from '../../lib/placeholder.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Cut } from '../../ui/cut.tsx'
import { Avatar } from '../../ui/small.tsx'
import type { Member } from './current.tsx'
import { organizationTexts } from './texts.ts'

export const nameOf = ({ user }: Member): string => shownName(user.name) || user.email

interface PersonProps {
  user: Member['user']
  /** On a narrow screen before the address: what a column says on a wide one. */
  below?: string
  children?: ReactNode
}

/** A member in a table: picture, name and address. */
export function Person({ user, below, children }: PersonProps) {
  const t = useTexts(organizationTexts)
  const shown = shownName(user.name)
  // The account of a user without a name is named after the number.
  const isNumber = shown !== user.name
  const address = isPlaceholder(user.email) ? (isNumber ? shown : '') : user.email
  return (
    <span className="flex min-w-0 items-center gap-3">
      <Avatar name={isNumber ? '' : shown || user.email} image={user.image} />
      <span className="min-w-0 text-start">
        <span className="flex items-center gap-x-2">
          <Cut className="font-medium">{isNumber ? t.noName : shown}</Cut>
          {children}
        </span>
        {below && (
          <span className="flex text-soft sm:hidden">
            <span className="max-w-1/2 flex-none truncate">{below}</span>
            {address && (
              <>
                <span className="flex-none whitespace-pre"> · </span>
                <Cut>{address}</Cut>
              </>
            )}
          </span>
        )}
        {address && <Cut className={cx('text-soft', below && 'max-sm:hidden')}>{address}</Cut>}
      </span>
    </span>
  )
}
