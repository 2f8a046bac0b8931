import { member } from '../../lib/screens.ts'
import { MemberFlow } from './member.tsx'

const screens = [member('/organizations/new', () => import('../../features/organization/create.tsx'), 'organization')]

export interface CreateOrganizationProps {
  /** The address to open when the organization exists; it is then the active one. @default the hosted list of members */
  createdTo?: string
}

export default function CreateOrganization({ createdTo }: CreateOrganizationProps) {
  return <MemberFlow screens={screens} start="/organizations/new" ends={{ '/organization/members': createdTo }} />
}
