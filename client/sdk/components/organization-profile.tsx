import navigation from '../../features/organization/navigation.ts'
import organization from '../../features/organization/screens.ts'
import { useConfig } from '../../lib/api.ts'
import { MemberFlow } from './member.tsx'

const screens = organization.filter(({ frame }) => frame === 'member')

export interface OrganizationProfileProps {
  /** The page that is shown first. @default 'settings' */
  page?: 'settings' | 'members' | 'invitations' | 'teams' | 'roles'
}

export default function OrganizationProfile({ page = 'settings' }: OrganizationProfileProps) {
  const { features } = useConfig()
  const tabs = navigation.filter(({ on }) => [on ?? []].flat().every((name) => features[name]))
  return <MemberFlow screens={screens} start={`/organization/${page}`} tabs={tabs} />
}
