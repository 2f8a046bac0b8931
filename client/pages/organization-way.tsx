import { Building2 } from 'lucide-react'
import { signInOrganizationTexts } from '../features/enterprise/sign-in.texts.ts'
import { useAction } from '../lib/action.ts'
import { auth } from '../lib/api.ts'
import { useContinuation } from '../lib/continuation.ts'
import { startedMethod } from '../lib/last-used.ts'
import type { FoundOrganization } from '../lib/organization-of.ts'
import { usePlace } from '../lib/place.ts'
import { useTexts } from '../lib/texts/texts.ts'
import { Button } from '../ui/button.tsx'
import { Divider } from '../ui/page.tsx'
import { ErrorPanel } from '../ui/state.tsx'
import { signInTexts } from './sign-in.texts.ts'

interface OrganizationWayProps {
  email: string
  organization: FoundOrganization
}

/** Single sign-on of the organization of an address: the only way, or the first one. */
export function OrganizationWay({ email, organization: { connection, required } }: OrganizationWayProps) {
  const t = useTexts(signInOrganizationTexts)
  const { orDivider } = useTexts(signInTexts)
  const { callbackURL = '/account/profile', query } = useContinuation()
  const back = usePlace().page?.() ?? `/sign-in${query}`
  const start = useAction(async () => {
    const result = await auth.signIn.sso({ email, callbackURL, errorCallbackURL: back })
    if (result.data) startedMethod.set('sso')
    return result
  })
  if (!connection) return null
  return (
    <>
      <div className="grid gap-3">
        <p role="status" className="text-center text-pretty text-soft">
          {required ? t.required : t.offered}
        </p>
        {start.error && <ErrorPanel error={start.error} />}
        <Button look="primary" wide autoFocus={required} busy={start.busy} onClick={start.run}>
          {!start.busy && <Building2 aria-hidden size={18} className="flex-none" />}
          <span className="min-w-0 wrap-anywhere">{t.continueWith(connection.organization)}</span>
        </Button>
      </div>
      {!required && <Divider>{orDivider}</Divider>}
    </>
  )
}
