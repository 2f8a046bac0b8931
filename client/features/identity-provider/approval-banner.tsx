import { useLocation } from 'wouter'
import { auth } from '../../lib/api.ts'
import { useQuery } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { approvalTexts } from './approvals.texts.ts'

const page = '/account/approvals'

/** A line about the newest request that waits, after it has arrived over the live channel. */
export default function ApprovalBanner() {
  const t = useTexts(approvalTexts)
  const [path] = useLocation()
  const approvals = useQuery(['approvals'], () => auth.approvals.list({}))
  const newest = approvals.data?.find(({ state }) => state === 'pending')
  if (!newest || path === page) return null
  return (
    <aside aria-label={t.title} className="border-b bg-accent-wash">
      <div
        role="status"
        className="mx-auto flex max-w-300 flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-3"
      >
        <p className="max-w-prose wrap-anywhere">{t.arrived(newest.client.name)}</p>
        <ButtonLink to={page}>{t.see}</ButtonLink>
      </div>
    </aside>
  )
}
