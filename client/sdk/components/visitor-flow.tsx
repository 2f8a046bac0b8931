import { useEffect } from 'react'
import { useLocation } from 'wouter'
import emailOtp from '../../features/email-otp/screens.ts'
import emailVerification from '../../features/email-verification/screens.ts'
import magicLink from '../../features/magic-link/screens.ts'
import phoneNumber from '../../features/phone-number/screens.ts'
import social from '../../features/social/screens.ts'
import twoFactor from '../../features/two-factor/screens.ts'
import { auth } from '../../lib/api.ts'
import { useContinuation } from '../../lib/continuation.ts'
import { profileStep } from '../../lib/profile-step.ts'
import { type Screen, visitor } from '../../lib/screens.ts'
import { CurrentScreen, startAt, Within } from './runtime.tsx'
import { useShared } from './shared.ts'

/** The screens from the sign-in to the session. Those that a mailed link opens are hosted ones. */
const shared: Screen[] = [
  visitor('/forgot-password/code', () => import('../../pages/forgot-by-code.tsx'), 'emailOtp', 'phoneNumber'),
  visitor('/forgot-password', () => import('../../pages/forgot-password.tsx')),
  visitor('/welcome', () => import('../../pages/welcome.tsx')),
  ...emailOtp,
  ...emailVerification,
  ...magicLink,
  ...phoneNumber,
  ...social,
  ...twoFactor,
]

export interface VisitorFlowProps {
  /** The address to open after the sign-in: a path of this site, or an absolute one that the deployment trusts. @default this page */
  redirectTo?: string
}

/** @param first the screens that the component starts with, the initial one first */
export function VisitorFlow({ redirectTo, first }: VisitorFlowProps & { first: Screen[] }) {
  const screens = [...first, ...shared]
  const { data } = auth.useSession()
  const { slots } = useShared().settings.appearance ?? {}
  // A guest may sign in.
  if (data && !data.user.isAnonymous && !profileStep.isDue(data.user)) return null
  return (
    <Within start={startAt(first[0]!.path, redirectTo)} screens={screens}>
      <div className="card mx-auto grid w-full max-w-[27rem] grid-cols-1 rounded-lg border bg-surface px-5 py-6 shadow-raised empty:hidden sm:px-9 sm:pt-8 sm:pb-9">
        {slots?.top && <div className="slot mb-5">{slots.top}</div>}
        <Completed />
        <CurrentScreen screens={screens} />
        {slots?.bottom && <div className="slot mt-6">{slots.bottom}</div>}
      </div>
    </Within>
  )
}

/** A new user enters the name and the required fields before the component ends. */
function Completed() {
  const { data } = auth.useSession()
  const [path, navigate] = useLocation()
  const { query } = useContinuation()
  const isDue = data !== null && profileStep.isDue(data.user) && path !== '/welcome'
  useEffect(() => {
    if (isDue) navigate(`/welcome${query}`, { replace: true })
  }, [isDue, navigate, query])
  return null
}
