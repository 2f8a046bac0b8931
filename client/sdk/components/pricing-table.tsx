import { Plans } from '../../features/billing/plans.tsx'
import { ForMember } from './member.tsx'
import { Within } from './runtime.tsx'

export default function PricingTable() {
  return (
    <ForMember>
      {() => (
        <Within start="/account/billing">
          <Plans />
        </Within>
      )}
    </ForMember>
  )
}
