import { useLocation } from 'wouter'
import { useConfig, useMember } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { guestTexts } from './texts.ts'

export default function GuestBanner() {
  const t = useTexts(guestTexts)
  const { user } = useMember()
  const { features } = useConfig()
  const [path] = useLocation()
  if (user.emailVerified || user.phoneNumberVerified) return null
  const query = `?callbackURL=${encodeURIComponent(path)}`
  return (
    <aside aria-label={t.bannerLabel} className="border-b bg-accent-wash">
      <div className="mx-auto flex max-w-300 flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-3">
        <p className="max-w-prose">{t.banner}</p>
        <div className="flex flex-wrap gap-3">
          {features.signUp && <ButtonLink to={`/sign-up${query}`}>{t.signUp}</ButtonLink>}
          <ButtonLink to={`/sign-in${query}`}>{t.haveOne}</ButtonLink>
        </div>
      </div>
    </aside>
  )
}
