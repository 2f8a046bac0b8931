import { UnsavedChanges } from '../../app/unsaved-changes.tsx'
import { StepUp } from '../../features/step-up/host.tsx'
import { useConfig } from '../../lib/api.ts'

/** The dialogs of a signed-in user, once on the page. */
export default function MemberShell() {
  const { isPending } = useConfig()
  if (isPending) return null
  return (
    <>
      <StepUp />
      <UnsavedChanges />
    </>
  )
}
