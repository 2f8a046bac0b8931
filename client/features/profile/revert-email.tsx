import { useState } from 'react'
import { useAction } from '../../lib/action.ts'
import { auth, useConfig } from '../../lib/api.ts'
import { defineTexts, useTexts } from '../../lib/texts/texts.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Sheet } from '../../ui/page.tsx'
import { ErrorPanel } from '../../ui/state.tsx'

const revertTexts = defineTexts('revertEmail', {
  title: 'Was this not you?',
  intro: 'The email address of your account was changed. If you did not change it, undo it here.',
  what: 'When you undo the change:',
  list: {
    address: 'your account has this email address again,',
    sessions: 'all sessions end, on every device,',
    password: 'you choose a new password.',
  },
  undo: 'Undo the change',
  keep: 'It was me: keep the new address',
  doneTitle: 'The change is undone',
  done: 'Your account has its previous email address again, and all sessions have ended.',
  doneWithPassword: 'Now choose a new password, so that only you can sign in.',
  newPassword: 'Choose a new password',
  deadTitle: 'This link no longer works',
  dead: 'It was used already or is older than 7 days. If you cannot sign in, reset your password.',
  reset: 'Reset your password',
})

interface Reverted {
  status: boolean
  /** The token for a new password; absent if passwords are off or it could not be stored. */
  resetToken?: string | null
}

/**
 * The target of the link in the notice to the old address (`?token=`). Opening it changes nothing, because mail
 * scanners open it too.
 */
export default function RevertEmail() {
  const t = useTexts(revertTexts)
  const { features } = useConfig()
  const [token] = useState(() => new URLSearchParams(location.search).get('token'))
  const [done, setDone] = useState<Reverted | null>(null)
  const undo = useAction(
    () => auth.$fetch<Reverted>('/change-email/revert', { token }),
    (answer) => {
      // All sessions have ended, also of this browser.
      auth.$notify('session')
      setDone(answer)
    },
  )
  const passwords = features.emailAndPassword
  if (done) return <Done {...done} />
  if (!token || undo.error?.code === 'INVALID_TOKEN' || undo.error?.code === 'TOKEN_EXPIRED') {
    return (
      <Sheet key="dead" title={t.deadTitle} intro={t.dead}>
        <ButtonLink to={passwords ? '/forgot-password' : '/sign-in'} look="primary" wide>
          {passwords ? t.reset : t.signIn}
        </ButtonLink>
      </Sheet>
    )
  }
  return (
    <Sheet key="ask" title={t.title} intro={t.intro}>
      <div>
        <p>{t.what}</p>
        <ul className="mt-2 list-disc ps-5 text-soft">
          {Object.values(t.list).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </div>
      {undo.error && <ErrorPanel error={undo.error} />}
      <div className="grid gap-3">
        <Button look="destroy" wide busy={undo.busy} onClick={undo.run}>
          {t.undo}
        </Button>
        <ButtonLink to="/" wide>
          {t.keep}
        </ButtonLink>
      </div>
    </Sheet>
  )
}

function Done({ resetToken }: Reverted) {
  const t = useTexts(revertTexts)
  const passwords = useConfig().features.emailAndPassword
  const to = resetToken ? `/reset-password?token=${encodeURIComponent(resetToken)}` : '/forgot-password'
  return (
    <Sheet key="done" title={t.doneTitle} intro={passwords ? `${t.done} ${t.doneWithPassword}` : t.done}>
      <ButtonLink to={passwords ? to : '/sign-in'} look="primary" wide>
        {passwords ? t.newPassword : t.signIn}
      </ButtonLink>
    </Sheet>
  )
}
