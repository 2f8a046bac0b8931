import { useState } from 'react'
import { useLocation } from 'wouter'
import { auth } from '../../lib/api.ts'
import { useContinuation } from '../../lib/continuation.ts'
import { useForm } from '../../lib/form.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { NewPasswordField, newPasswordErrors, useNewPasswordCheck } from '../../ui/new-password.tsx'
import { BackToSignIn, Sheet } from '../../ui/page.tsx'
import { Submit } from '../../ui/submit.tsx'
import { ToContinue } from '../../ui/to-continue.tsx'
import { toast } from '../../ui/toasts.tsx'
import { passwordTexts } from './texts.ts'

/** The target of the mailed link: `?token=`, or `?error=INVALID_TOKEN`. */
export default function ResetPassword() {
  const t = useTexts(passwordTexts)
  const check = useNewPasswordCheck()
  const [, navigate] = useLocation()
  const [token] = useState(() => new URLSearchParams(location.search).get('token'))
  const [dead, setDead] = useState(!token)
  const { query } = useContinuation()
  const form = useForm({
    fields: ['password'],
    check: ({ password }) => ({ password: check(password) }),
    send: ({ password }) => auth.resetPassword({ newPassword: password, token: token ?? '' }),
    refused(error) {
      if (error.code !== 'INVALID_TOKEN') return false
      setDead(true)
      return true
    },
    at: newPasswordErrors('password'),
    done() {
      // The reset has ended all sessions, also of this browser.
      auth.$notify('session')
      toast(t.resetDone)
      navigate(`/sign-in${query}`, { replace: true })
    },
  })
  if (dead) {
    return (
      <Sheet key="dead" title={t.deadTitle} intro={t.deadIntro}>
        <ButtonLink to={`/forgot-password${query}`} look="primary" wide>
          {t.deadAction}
        </ButtonLink>
        <BackToSignIn />
      </Sheet>
    )
  }
  return (
    <Sheet key="alive" title={t.resetTitle} intro={t.resetIntro}>
      <ToContinue />
      <form {...form.props} className="grid gap-5">
        <NewPasswordField {...form.field('password')} />
        <Submit form={form} wide>
          {t.resetSubmit}
        </Submit>
      </form>
    </Sheet>
  )
}
