import { ofPages } from '../../pages/account-pages.ts'
import { PersonMenu } from '../../pages/person-menu.tsx'
import { ForMember } from './member.tsx'
import { Within } from './runtime.tsx'

export interface UserButtonProps {
  /** The address to open after the sign-out. @default this page */
  signedOutTo?: string
}

export default function UserButton({ signedOutTo }: UserButtonProps) {
  return (
    <Within start="/account" ends={{ '/sign-in': signedOutTo ?? '' }}>
      <ForMember>{({ user }) => <PersonMenu user={user} pages={ofPages} />}</ForMember>
    </Within>
  )
}
