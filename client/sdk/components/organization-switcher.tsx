import { lazy, Suspense } from 'react'
import { ForMember } from './member.tsx'
import { Within } from './runtime.tsx'

const Switcher = lazy(() => import('../../features/organization/switcher.tsx'))

export interface OrganizationSwitcherProps {
  /** The page that creates an organization. @default the hosted one */
  createAt?: string
}

export default function OrganizationSwitcher({ createAt }: OrganizationSwitcherProps) {
  return (
    // Below this path a choice opens no other screen.
    <Within start="/organization" ends={{ '/organizations/new': createAt }}>
      <ForMember>
        {() => (
          <Suspense>
            <Switcher />
          </Suspense>
        )}
      </ForMember>
    </Within>
  )
}
