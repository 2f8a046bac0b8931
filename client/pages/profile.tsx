import { lazy, Suspense } from 'react'
import { DeleteAccount } from '../features/profile/delete-account.tsx'
import { Details } from '../features/profile/details.tsx'
import { Email } from '../features/profile/email.tsx'
import { profileTexts } from '../features/profile/texts.ts'
import { useConfig } from '../lib/api.ts'
import { useTexts } from '../lib/texts/texts.ts'
import { Page } from '../ui/member-page.tsx'
import { OwnSession } from '../ui/own-session.tsx'
import { Skeleton } from '../ui/state.tsx'

const FurtherFields = lazy(() => import('../features/profile/further-fields.tsx'))
const UsernameSection = lazy(() => import('../features/username/username-section.tsx'))
const Phone = lazy(() => import('../features/phone-number/phone.tsx'))

/** Name, picture, username, address and number; at the end the deletion of the account. */
export default function Profile() {
  const t = useTexts(profileTexts)
  const { features, additionalFields } = useConfig()
  return (
    <Page title={t.title} intro={t.intro}>
      <OwnSession>
        <Details />
        <Suspense fallback={<Skeleton />}>
          {additionalFields?.some(({ profile }) => profile) && <FurtherFields />}
          {features.username && <UsernameSection />}
          <Email />
          {features.phoneNumber && <Phone />}
          {features.deleteUser && <DeleteAccount />}
        </Suspense>
      </OwnSession>
    </Page>
  )
}
