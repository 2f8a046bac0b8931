import { useState } from 'react'
import { Link } from 'wouter'
import { auth, useConfig, useMember } from '../../lib/api.ts'
import { looksLikeEmail, useForm } from '../../lib/form.ts'
import { isPlaceholder } from '../../lib/placeholder.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { formClass, Page, Section } from '../../ui/page.tsx'
import { ResendButton } from '../../ui/resend-button.tsx'
import { Badge } from '../../ui/small.tsx'
import { Note } from '../../ui/state.tsx'
import { Submit } from '../../ui/submit.tsx'
import { toast } from '../../ui/toasts.tsx'
import { forgetPendingEmail, pendingEmail, rememberPendingEmail } from './pending-email.ts'
import { profileTexts } from './texts.ts'

export default function Email() {
  const t = useTexts(profileTexts)
  const { features } = useConfig()
  const { user } = useMember()
  const [pending, setPending] = useState(() => pendingEmail(user))
  const none = isPlaceholder(user.email)
  const toConfirm = !none && !user.emailVerified
  return (
    <Page title={t.emailTitle} intro={t.emailIntro}>
      <Section title={t.current}>
        {none ? (
          <p className="text-soft">{t.noAddress}</p>
        ) : (
          <p className="flex flex-wrap items-center gap-3">
            <span className="break-all">{user.email}</span>
            <Badge tone={user.emailVerified ? 'success' : 'neutral'}>
              {user.emailVerified ? t.confirmed : t.unconfirmed}
            </Badge>
          </p>
        )}
        {toConfirm && (
          <ResendButton
            ready
            wide={false}
            send={() => auth.sendVerificationEmail({ email: user.email, callbackURL: '/verify-email' })}
          >
            {t.sendLink}
          </ResendButton>
        )}
        {toConfirm && features.emailOtp && (
          <Link href="/verify-email/code" className="link justify-self-start">
            {t.byCode}
          </Link>
        )}
        {pending && pending !== user.email && (
          <Note live>
            <div className="grid justify-items-start gap-2">
              <p className="font-medium">{t.pendingTitle(pending)}</p>
              <p>{t.pending(user.email)}</p>
              <Button
                onClick={() => {
                  forgetPendingEmail(user.id)
                  setPending(null)
                }}
              >
                {t.pendingForget}
              </Button>
            </div>
          </Note>
        )}
      </Section>
      {features.changeEmail && <ChangeForm onPending={setPending} />}
    </Page>
  )
}

function ChangeForm({ onPending }: { onPending(email: string): void }) {
  const t = useTexts(profileTexts)
  const core = useTexts()
  const { user } = useMember()
  const form = useForm({
    fields: ['newEmail'],
    check: ({ newEmail }) => ({
      newEmail: !newEmail.trim()
        ? core.required.email
        : !looksLikeEmail(newEmail)
          ? core.invalidEmail
          : newEmail.trim().toLowerCase() === user.email && core.errors.EMAIL_IS_THE_SAME,
    }),
    send: ({ newEmail }) => auth.changeEmail({ newEmail: newEmail.trim(), callbackURL: '/verify-email?for=change' }),
    at: {
      EMAIL_IS_THE_SAME: 'newEmail',
      COULDNT_UPDATE_YOUR_EMAIL: 'newEmail',
      INVALID_EMAIL: 'newEmail',
    },
    done(_answer, { newEmail }) {
      const email = newEmail.trim().toLowerCase()
      form.reset()
      // An address that was never confirmed is replaced at once; a confirmed one must approve.
      if (user.emailVerified) {
        rememberPendingEmail(user.id, email)
        onPending(email)
      } else toast(t.changedAtOnce(email))
    },
  })
  return (
    <Section title={t.changeTitle}>
      <form {...form.props} className={formClass}>
        <Field {...form.field('newEmail')} label={t.newEmail} type="email" autoComplete="email" />
        <Submit form={form}>{t.change}</Submit>
      </form>
    </Section>
  )
}
