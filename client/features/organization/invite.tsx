import { UserPlus } from 'lucide-react'
import { useTexts } from '../../lib/texts/texts.ts'
import { DialogButton } from '../../ui/dialog.tsx'
import type { Current } from './current.tsx'
import { InviteForm } from './invite-form.tsx'
import { membersTexts } from './members.texts.ts'

export function InviteButton(current: Current) {
  const t = useTexts(membersTexts)
  if (!current.may({ invitation: ['create'] })) return null
  return (
    <DialogButton
      id="invite"
      look="primary"
      label={
        <>
          <UserPlus aria-hidden size={17} />
          {t.invite}
        </>
      }
      title={t.inviteTitle}
    >
      {(close) => <InviteForm {...current} close={close} />}
    </DialogButton>
  )
}
