import { useState } from 'react'
import { useLocation } from 'wouter'
import { splitRoles } from '../../../worker/kit/permissions.ts'
import { useAction } from '../../lib/action.ts'
import { auth, useConfig } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/endpoints.ts'
import type { AuthError, Result } from '../../lib/auth/types.ts'
import { useLoad } from '../../lib/auth/use-view.ts'
import { cx } from '../../lib/cx.ts'
import { inList } from '../../lib/in-list.ts'
import { defineTexts, useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Sheet, Words } from '../../ui/page.tsx'
import { ErrorPanel, Skeleton } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'
import { useOtherAccount } from '../multi-session/other-account.ts'
import { otherAccountTexts } from './other-account.texts.ts'
import { organizationTexts } from './texts.ts'

const acceptTexts = defineTexts('acceptInvitation', {
  acceptTitle: 'Join {organization}',
  acceptIntro: '{inviter} invited you to {organization}.',
  acceptFor: 'For',
  acceptAs: 'As',
  accept: 'Accept',
  decline: 'Decline',
  accepted: 'Welcome to {organization}.',
  signedOutTitle: 'You are invited',
  signedOutIntro:
    'Use the address that the invitation was sent to: create an account with it, or sign in, to see who invited you.',
  otherTitle: 'This invitation is for another account',
  ended: {
    expired: { title: 'This invitation has expired', intro: 'Ask the person who invited you to send it again.' },
    canceled: {
      title: 'This invitation has been withdrawn',
      intro: 'If you did not expect this, ask the person who invited you.',
    },
    rejected: {
      title: 'You have declined this invitation',
      intro: 'Ask for a new one if you have changed your mind.',
    },
    accepted: { title: 'You are already a member', intro: 'You have already accepted this invitation.' },
    unknown: {
      title: 'We could not find this invitation',
      intro: 'The link may be incomplete. Open it from the email again, or ask for a new one.',
    },
    inviterLeft: {
      title: 'This invitation is no longer valid',
      intro: 'The person who invited you has left the organization. Ask someone else there for a new invitation.',
    },
  },
  toOrganization: 'Open the organization',
  verifyFirst: 'Confirm your email address',
})

type Invitation = AnswerOf<'/organization/get-invitation'>
type Preview = AnswerOf<'/organization/invitation-preview'>
type Ending = 'expired' | 'canceled' | 'rejected' | 'accepted' | 'unknown' | 'inviterLeft'

/** The target of an invitation link. The server shows the state of an invitation only to its recipient. */
export default function AcceptInvitation() {
  const session = auth.useSession()
  const id = new URLSearchParams(location.search).get('id') ?? ''
  if (id === '') return <Ended as="unknown" />
  if (session.data) return <SignedIn key={session.data.user.id + id} id={id} email={session.data.user.email} />
  if (session.isPending || session.isRefetching) return <Skeleton lines={5} />
  if (session.error) return <Failed error={session.error} onRetry={() => void session.refetch()} />
  return <SignedOut key={id} id={id} />
}

function Failed({ error, onRetry }: { error: AuthError; onRetry(): void }) {
  const t = useTexts(organizationTexts)
  return (
    <Sheet title={t.somethingWrong}>
      <ErrorPanel error={error} errors={t.errors} onRetry={onRetry} />
    </Sheet>
  )
}

const inviterOf = ({ inviterName, inviterEmail }: Preview): string => inviterName || inviterEmail

const here = () => `?callbackURL=${encodeURIComponent(location.pathname + location.search)}`

/** The mailed id is a secret: everyone who has it may read the invitation. Only the invited address can accept it. */
function SignedOut({ id }: { id: string }) {
  const t = useTexts(acceptTexts)
  const { features } = useConfig()
  const details = useLoad(() => auth.organization.invitationPreview({ query: { id } }))
  if (details.isPending) return <Skeleton lines={5} />
  const ended = details.error && endingOf(details.error)
  if (ended) return <Ended as={ended} />
  const known = details.data
  return (
    <Sheet
      title={known ? t.acceptTitle(known.organizationName) : t.signedOutTitle}
      intro={known ? t.acceptIntro(inviterOf(known), known.organizationName) : t.signedOutIntro}
    >
      {known && <Facts {...known} />}
      <div className="grid gap-3">
        {features.signUp && (
          <ButtonLink to={`/sign-up${here()}`} look="primary" wide state={known && { invited: known.email }}>
            {t.signUp}
          </ButtonLink>
        )}
        <ButtonLink to={`/sign-in${here()}`} wide>
          {t.signIn}
        </ButtonLink>
      </div>
    </Sheet>
  )
}

function Facts({ email, role, expiresAt }: { email: string; role: string | null; expiresAt: Date }) {
  const t = useTexts(acceptTexts)
  const org = useTexts(organizationTexts)
  const language = useLanguage()
  const roles = splitRoles(role ?? 'member').map((one) => org.roleNames[one] ?? one)
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 rounded bg-sunken p-4">
      <dt className="text-soft">{t.acceptFor}</dt>
      {/* A long address has a line of its own, so that it breaks at its signs alone. */}
      <dd className={cx('wrap-anywhere', email.length > 20 && 'col-span-2')}>
        <Words>{email}</Words>
      </dd>
      <dt className="text-soft">{t.acceptAs}</dt>
      <dd>{inList(roles, language)}</dd>
      <dt className="text-soft">{org.expires}</dt>
      <dd>
        <Time date={expiresAt} />
      </dd>
    </dl>
  )
}

function SignedIn({ id, email }: { id: string; email: string }) {
  const found = useLoad(() => auth.organization.getInvitation({ query: { id } }))
  // Visitors see the same: the name of the inviter, and the facts when the invitation is for another account.
  const preview = useLoad(() => auth.organization.invitationPreview({ query: { id } }))
  const [ending, setEnding] = useState<Ending | null>(null)
  if (ending) return <Ended as={ending} />
  if (preview.isPending || (!found.data && !found.error)) return <Skeleton lines={5} />
  const inviter = preview.data?.inviterName
  if (found.data) return <Question invitation={found.data} inviter={inviter} onEnding={setEnding} />
  if (found.error?.code === 'YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION') {
    return <OtherAccount email={email} known={preview.data} />
  }
  const error = found.error!
  const ended = endingOf(error)
  return ended ? <Ended as={ended} /> : <Failed error={error} onRetry={() => void found.refetch()} />
}

function endingOf({ code, reason }: AuthError): Ending | null {
  if (code === 'INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION') return 'inviterLeft'
  if (code === 'USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION') return 'accepted'
  if (code !== 'INVITATION_NOT_FOUND' && code !== 'VALIDATION_ERROR') return null
  return reason === 'expired' || reason === 'canceled' || reason === 'rejected' || reason === 'accepted'
    ? reason
    : 'unknown'
}

interface QuestionProps {
  invitation: Invitation
  /** The name of the inviter. */
  inviter: string | undefined
  onEnding(ending: Ending): void
}

function Question({ invitation, inviter, onEnding }: QuestionProps) {
  const t = useTexts(acceptTexts)
  const org = useTexts(organizationTexts)
  const [, navigate] = useLocation()
  const { id: invitationId, organizationName, inviterEmail, email, role, expiresAt } = invitation
  const ended = <Answer,>(answer: Result<Answer>) => {
    const ending = answer.error && endingOf(answer.error)
    if (ending) onEnding(ending)
    return answer
  }
  const accept = useAction(
    async () => ended(await auth.organization.acceptInvitation({ invitationId })),
    () => {
      toast(t.accepted(organizationName))
      navigate('/organization/members')
    },
  )
  const decline = useAction(
    async () => ended(await auth.organization.rejectInvitation({ invitationId })),
    () => onEnding('rejected'),
  )
  const error = accept.error ?? decline.error
  return (
    <Sheet title={t.acceptTitle(organizationName)} intro={t.acceptIntro(inviter || inviterEmail, organizationName)}>
      <Facts email={email} role={role} expiresAt={expiresAt} />
      {error && <ErrorPanel error={error} errors={org.errors} />}
      {error?.code === 'EMAIL_NOT_VERIFIED' && <ButtonLink to="/account/profile#email">{t.verifyFirst}</ButtonLink>}
      <div className="grid gap-3">
        <Button look="primary" wide busy={accept.busy} disabled={decline.busy} onClick={accept.run}>
          {t.accept}
        </Button>
        <Button wide busy={decline.busy} disabled={accept.busy} onClick={decline.run}>
          {t.decline}
        </Button>
      </div>
    </Sheet>
  )
}

/** The invitation is for another address: the same facts, and the way to the account of that address. */
function OtherAccount({ email, known }: { email: string; known: Preview | null }) {
  const t = useTexts(acceptTexts)
  const other = useTexts(otherAccountTexts)
  const change = useOtherAccount(known?.email)
  if (change.isPending) return <Skeleton lines={5} />
  return (
    <Sheet title={t.otherTitle} intro={known ? t.acceptIntro(inviterOf(known), known.organizationName) : null}>
      {known && <Facts {...known} />}
      <p className="text-center text-soft wrap-anywhere">
        {other.signedInAs(email)} {!known && other.useInvited}
      </p>
      {change.error && <ErrorPanel error={change.error} />}
      <div className="grid gap-3">
        <Button look="primary" wide busy={change.busy} onClick={change.run}>
          <span>
            <Words>{known ? other.switchTo(known.email) : t.otherAccount}</Words>
          </span>
        </Button>
        <ButtonLink to="/account/profile" wide>
          {other.toAccount}
        </ButtonLink>
      </div>
    </Sheet>
  )
}

function Ended({ as }: { as: Ending }) {
  const t = useTexts(acceptTexts)
  const { title, intro } = t.ended[as]
  return (
    <Sheet key={as} title={title} intro={intro}>
      {as === 'accepted' ? (
        <ButtonLink to="/organization/members" look="primary" wide>
          {t.toOrganization}
        </ButtonLink>
      ) : (
        <ButtonLink to="/" look="primary" wide>
          {t.home}
        </ButtonLink>
      )}
    </Sheet>
  )
}
