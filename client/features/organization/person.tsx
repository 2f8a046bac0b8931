import type { ReactNode } from 'react'
import { shownName } from '../../lib/phone.ts'
import { isPlaceholder } from '../../lib/placeholder.ts'
import { Avatar } from '../../ui/small.tsx'
import type { Member } from './current.tsx'

export const nameOf = ({ user }: Member): string => shownName(user.name) || user.email

/** A member in a table: picture, name and address. */
export function Person({ user, children }: { user: Member['user']; children?: ReactNode }) {
  return (
    <span className="flex min-w-0 items-center gap-3">
      <Avatar name={shownName(user.name) || user.email} image={user.image} />
      <span className="min-w-0 text-start sm:min-w-44">
        <span className="flex flex-wrap items-center gap-x-2">
          <span className="font-medium">{shownName(user.name)}</span>
          {children}
        </span>
        {!isPlaceholder(user.email) && <span className="block text-soft">{user.email}</span>}
      </span>
    </span>
  )
}
