import { lazy, Suspense } from 'react'
import { DeleteAccount } from '../features/profile/delete-account.tsx'
import { Details } from '../features/profile/details.tsx'
import { Email } from '../features/profile/email.tsx'
import { profileTexts } from '../features/profile/texts.ts'
import { useConfig } from '../lib/api.ts'
import { useTexts } from '../lib/texts/texts.ts'
import { Page } from '../ui/member-page.tsx'
import { Skeleton } from '../ui/state.tsx'

const FurtherFields = lazy(() => import('../features/profile/further-fields.tsx'))
const UsernameSection = lazy(() => import('../features/username/username-section.tsx'))
const Phone = lazy(() => import('../features/phone-number/phone.tsx'))

/** Who somebody is here: name, picture, username, address, number; at its end the way out. */
export default function Profile() {
  const t = useTexts(profileTexts)
  const { features, additionalFields } = useConfig()
  return (
    <Page title={t.title} intro={t.intro}>
      <Details />
      <Suspense fallback={<Skeleton />}>
        {additionalFields?.some(({ profile }) => profile) && <FurtherFields />}
        {features.username && <UsernameSection />}
        <Email />
        {features.phoneNumber && <Phone />}
        {features.deleteUser && <DeleteAccount />}
      </Suspense>
    </Page>
  )
}
