import { member } from '../../lib/screens.ts'
import { ofPages } from '../../pages/account-pages.ts'
import { MemberFlow } from './member.tsx'

const screens = [
  member('/account/profile', () => import('../../pages/profile.tsx')),
  member('/account/security', () => import('../../pages/security.tsx')),
]

export interface UserProfileProps {
  /** The page that is shown first. @default 'profile' */
  page?: 'profile' | 'security'
  /** The address to open after the user has deleted the account. @default this page */
  deletedTo?: string
}

export default function UserProfile({ page = 'profile', deletedTo }: UserProfileProps) {
  return (
    <MemberFlow
      screens={screens}
      start={`/account/${page}`}
      tabs={ofPages}
      ends={{ '/goodbye?for=deletion': deletedTo ?? '' }}
    />
  )
}
