import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { useAction } from '../../lib/action.ts'
import { auth, useConfig, useMember } from '../../lib/api.ts'
import type { Result } from '../../lib/auth/types.ts'
import { unwrap } from '../../lib/call-error.ts'
import { looksLikeEmail, useForm } from '../../lib/form.ts'
import { isPlaceholder } from '../../lib/placeholder.ts'
import { queryClient } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Section } from '../../ui/page.tsx'
import { ResendButton } from '../../ui/resend-button.tsx'
import { Badge } from '../../ui/small.tsx'
import { ErrorPanel, Note } from '../../ui/state.tsx'
import { Submit } from '../../ui/submit.tsx'
import { toast } from '../../ui/toasts.tsx'
import { forgetPendingEmail, pendingEmail, rememberPendingEmail } from './pending-email.ts'
import { profileTexts } from './texts.ts'

/** The address: confirmed or not, a change that waits, and the way to change it. */
export function Email() {
  const t = useTexts(profileTexts)
  const { features } = useConfig()
  const { user } = useMember()
  const [changing, setChanging] = useState(false)
  const pending = usePending()
  const none = isPlaceholder(user.email)
  return (
    <Section id="email" title={t.emailTitle} intro={t.emailIntro}>
      <div className="flex flex-wrap items-center justify-between gap-3">
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
        {features.changeEmail && <Button onClick={() => setChanging(true)}>{none ? t.addEmail : t.changeEmail}</Button>}
      </div>
      {!none && !user.emailVerified && <Confirm email={user.email} byCode={features.emailOtp} />}
      {pending.email && pending.email !== user.email && <Pending {...pending} email={pending.email} />}
      <Dialog open={changing} title={none ? t.addEmail : t.changeEmail} onClose={() => setChanging(false)}>
        <ChangeForm
          close={() => setChanging(false)}
          done={(email) => {
            setChanging(false)
            // An address that was never confirmed is replaced at once; a confirmed one must approve.
            if (user.emailVerified) pending.remember(email)
            else toast(t.changedAtOnce(email))
          }}
        />
      </Dialog>
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

interface PendingChange {
  email: string | null
  remember(email: string): void
  cancel(): Promise<Result<unknown>>
  cancelled(): void
  /** The server knows the change and can take it back; otherwise this browser only remembers that there is one. */
  canCancel: boolean
}

/** A change of the address that waits for its link to be opened. */
function usePending(): PendingChange {
  const { user } = useMember()
  const { features } = useConfig()
  const canCancel = features.pendingEmail === true
  const [remembered, setRemembered] = useState(() => pendingEmail(user))
  const known = useQuery({
    queryKey: ['pendingEmail'],
    enabled: canCancel,
    queryFn: () => unwrap(auth.$fetch<{ newEmail: string } | null>('/change-email/pending')),
  })
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['pendingEmail'] })
  return {
    email: canCancel ? (known.data?.newEmail ?? null) : remembered,
    canCancel,
    remember(email) {
      if (canCancel) return void refresh()
      rememberPendingEmail(user.id, email)
      setRemembered(email)
    },
    cancel: async () =>
      canCancel ? auth.$fetch('/change-email/cancel', {}, { method: 'POST' }) : { data: { status: true }, error: null },
    cancelled() {
      if (canCancel) return void refresh()
      forgetPendingEmail(user.id)
      setRemembered(null)
    },
  }
}

function Pending({ email, canCancel, cancel, cancelled }: PendingChange & { email: string }) {
  const t = useTexts(profileTexts)
  const { user } = useMember()
  const take = useAction(cancel, () => {
    cancelled()
    if (canCancel) toast(t.pendingCancelled)
  })
  return (
    <Note live>
      <div className="grid justify-items-start gap-2">
        <p className="font-medium">{t.pendingTitle(email)}</p>
        <p>{t.pending(user.email)}</p>
        {take.error && <ErrorPanel error={take.error} />}
        <Button busy={take.busy} onClick={take.run}>
          {canCancel ? t.pendingCancel : t.pendingHide}
        </Button>
      </div>
    </Note>
  )
}

function ChangeForm({ close, done }: { close(): void; done(email: string): void }) {
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
    done: (_answer, { newEmail }) => done(newEmail.trim().toLowerCase()),
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
