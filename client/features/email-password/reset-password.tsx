import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { auth, useConfig } from '../../lib/api.ts'
import { continuation } from '../../lib/continuation.ts'
import { useForm } from '../../lib/form.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Sheet } from '../../ui/page.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { Submit } from '../../ui/submit.tsx'
import { toast } from '../../ui/toasts.tsx'
import { passwordTexts } from './texts.ts'

/** The link of the mail ends here with `?token=`, or with `?error=INVALID_TOKEN` when it was dead on arrival. */
export default function ResetPassword() {
  const t = useTexts(passwordTexts)
  const core = useTexts()
  const { passwordLength } = useConfig()
  const [, navigate] = useLocation()
  const [token] = useState(() => new URLSearchParams(location.search).get('token'))
  const [dead, setDead] = useState(!token)
  const { query } = continuation()
  const form = useForm({
    fields: ['password'],
    check: ({ password }) => ({
      password: !password
        ? core.required.newPassword
        : password.length < passwordLength.min
          ? core.passwordTooShort(passwordLength.min)
          : password.length > passwordLength.max && core.passwordTooLong(passwordLength.max),
    }),
    send: ({ password }) => auth.resetPassword({ newPassword: password, token: token ?? '' }),
    refused(error) {
      if (error.code !== 'INVALID_TOKEN') return false
      setDead(true)
      return true
    },
    at: { PASSWORD_TOO_SHORT: 'password', PASSWORD_TOO_LONG: 'password', PASSWORD_COMPROMISED: 'password' },
    done() {
      // The session of this browser has ended with all the others.
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
        <Link href={`/sign-in${query}`} className="link justify-self-center">
          {core.backToSignIn}
        </Link>
      </Sheet>
    )
  }
  return (
    <Sheet key="alive" title={t.resetTitle} intro={t.resetIntro}>
      <form {...form.props} className="grid gap-5">
        <PasswordField
          {...form.field('password')}
          kind="new"
          label={t.newPassword}
          hint={core.strength.short(passwordLength.min)}
          strength={passwordLength}
        />
        <Submit form={form} wide>
          {t.resetSubmit}
        </Submit>
      </form>
    </Sheet>
  )
}
