import { UserPlus } from 'lucide-react'
import { useMember } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { DialogButton } from '../../ui/dialog.tsx'
import type { Current } from './current.tsx'
import { InviteForm } from './invite-form.tsx'
import { membersTexts } from './members.texts.ts'

export function InviteButton(current: Current) {
  const t = useTexts(membersTexts)
  const { emailVerified } = useMember().user
  if (!current.may({ invitation: ['create'] })) return null
  return (
    <DialogButton
      look="primary"
      label={
        <>
          <UserPlus aria-hidden size={17} />
          {t.invite}
        </>
      }
      title={t.inviteTitle}
    >
      {(close) => (emailVerified ? <InviteForm {...current} close={close} /> : <VerifyFirst />)}
    </DialogButton>
  )
}

function VerifyFirst() {
  const t = useTexts(membersTexts)
  return (
    <div className="grid gap-5">
      <p>{t.inviteUnverified}</p>
      <ButtonLink to="/account/profile#email" look="primary">
        {t.verifyFirst}
      </ButtonLink>
    </div>
  )
}
