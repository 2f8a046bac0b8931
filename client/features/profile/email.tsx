import { Link } from 'wouter'
import { useAction } from '../../lib/action.ts'
import { auth, useConfig, useMember } from '../../lib/api.ts'
import { emailProblem, useForm } from '../../lib/form.ts'
import { isPlaceholder } from '../../lib/placeholder.ts'
import { refreshQueries, useQuery } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { DialogButton } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { ResendButton } from '../../ui/resend-button.tsx'
import { Section } from '../../ui/section.tsx'
import { Badge } from '../../ui/small.tsx'
import { ErrorPanel, Note } from '../../ui/state.tsx'
import { Submit } from '../../ui/submit.tsx'
import { toast } from '../../ui/toasts.tsx'
import { profileTexts } from './texts.ts'

export function Email() {
  const t = useTexts(profileTexts)
  const { features } = useConfig()
  const { user } = useMember()
  const pending = useQuery(['pendingEmail'], () => auth.changeEmail.pending()).data?.newEmail
  const none = isPlaceholder(user.email)
  return (
    <Section
      id="email"
      title={t.emailTitle}
      intro={t.emailIntro}
      action={
        features.changeEmail && (
          <DialogButton id="change-email" label={none ? t.addEmail : t.changeEmail}>
            {(close) => <ChangeForm close={close} />}
          </DialogButton>
        )
      }
    >
      {none ? (
        <p className="text-soft">{t.noAddress}</p>
      ) : (
        <p className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-medium break-all">{user.email}</span>
          <Badge tone={user.emailVerified ? 'success' : 'warning'}>
            {user.emailVerified ? t.confirmed : t.unconfirmed}
          </Badge>
        </p>
      )}
      {!none && !user.emailVerified && <Confirm email={user.email} byCode={features.emailOtp} />}
      {pending && pending !== user.email && <Pending email={pending} />}
    </Section>
  )
}

function Confirm({ email, byCode }: { email: string; byCode: boolean | undefined }) {
  const t = useTexts(profileTexts)
  return (
    <div className="grid justify-items-start gap-3">
      <ResendButton
        ready
        wide={false}
        send={() => auth.sendVerificationEmail({ email, callbackURL: '/verify-email?for=confirm' })}
      >
        {t.sendLink}
      </ResendButton>
      {byCode && (
        <Link href="/verify-email/code" className="link">
          {t.byCode}
        </Link>
      )}
    </div>
  )
}

const refresh = () => refreshQueries('pendingEmail')

function Pending({ email }: { email: string }) {
  const t = useTexts(profileTexts)
  const { user } = useMember()
  const cancel = useAction(
    () => auth.changeEmail.cancel(),
    () => {
      refresh()
      toast(t.pendingCancelled)
    },
  )
  return (
    <Note live>
      <div className="grid justify-items-start gap-2">
        <p className="font-medium">{t.pendingTitle(email)}</p>
        <p>{t.pending(user.email)}</p>
        {cancel.error && <ErrorPanel error={cancel.error} />}
        <Button busy={cancel.busy} onClick={cancel.run}>
          {t.pendingCancel}
        </Button>
      </div>
    </Note>
  )
}

function ChangeForm({ close }: { close(): void }) {
  const t = useTexts(profileTexts)
  const core = useTexts()
  const { user } = useMember()
  const form = useForm({
    fields: ['newEmail'],
    check: ({ newEmail }) => ({
      newEmail:
        emailProblem(newEmail, core) || (newEmail.trim().toLowerCase() === user.email && core.errors.EMAIL_IS_THE_SAME),
    }),
    send: ({ newEmail }) => auth.changeEmail({ newEmail: newEmail.trim(), callbackURL: '/verify-email?for=change' }),
    at: {
      EMAIL_IS_THE_SAME: 'newEmail',
      COULDNT_UPDATE_YOUR_EMAIL: 'newEmail',
      DISPOSABLE_EMAIL: 'newEmail',
      INVALID_EMAIL: 'newEmail',
    },
    done(_answer, { newEmail }) {
      close()
      // An unconfirmed address is replaced immediately; a confirmed address must approve the change.
      if (user.emailVerified) refresh()
      else toast(t.changedAtOnce(newEmail.trim().toLowerCase()))
    },
  })
  return (
    <form {...form.props} className="grid gap-5">
      {user.emailVerified && <p>{t.changeWhat(user.email)}</p>}
      <Field {...form.field('newEmail')} label={t.newEmail} type="email" autoComplete="email" />
      <Submit form={form} onCancel={close}>
        {isPlaceholder(user.email) ? t.addEmail : t.changeEmail}
      </Submit>
    </form>
  )
}
