import { useCallback, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { useAction } from '../../lib/action.ts'
import { auth, useConfig } from '../../lib/api.ts'
import type { AnswerOf, AuthError, Result } from '../../lib/auth/types.ts'
import { splitRoles } from '../../lib/permissions.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Sheet } from '../../ui/page.tsx'
import { ErrorPanel, Skeleton } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'
import { acceptTexts } from './accept-invitation.texts.ts'
import { organizationTexts } from './texts.ts'

type Invitation = AnswerOf<'/organization/get-invitation'>
type Ending = 'expired' | 'canceled' | 'rejected' | 'accepted' | 'unknown' | 'inviterLeft'

/** Where the link of an invitation mail leads. The server tells what became of an invitation to its recipient alone. */
export default function AcceptInvitation() {
  const session = auth.useSession()
  const id = new URLSearchParams(location.search).get('id') ?? ''
  if (id === '') return <Ended as="unknown" />
  if (session.data) return <SignedIn key={session.data.user.id} id={id} email={session.data.user.email} />
  if (session.isPending || session.isRefetching) return <Skeleton lines={5} />
  if (session.error) return <Failed error={session.error} onRetry={() => void session.refetch()} />
  return <SignedOut id={id} />
}

function Failed({ error, onRetry }: { error: AuthError; onRetry(): void }) {
  const t = useTexts(organizationTexts)
  const { somethingWrong } = useTexts()
  return (
    <Sheet title={somethingWrong}>
      <ErrorPanel error={error} errors={t.errors} onRetry={onRetry} />
    </Sheet>
  )
}

const here = () => `?callbackURL=${encodeURIComponent(location.pathname + location.search)}`

type Preview = AnswerOf<'/organization/invitation-preview'>

/** Whoever has the mailed id, which is a secret, may read what the invitation says; only its address accepts it. */
function SignedOut({ id }: { id: string }) {
  const t = useTexts(acceptTexts)
  const { features } = useConfig()
  const [details, setDetails] = useState<Result<Preview> | null>(null)
  useEffect(() => {
    let here = true
    void auth.organization.invitationPreview({ query: { id } }).then((found) => here && setDetails(found))
    return () => {
      here = false
    }
  }, [id])
  if (!details) return <Skeleton lines={5} />
  const ended = details.error && endingOf(details.error)
  if (ended) return <Ended as={ended} />
  const known = details.data
  return (
    <Sheet
      title={known ? t.acceptTitle(known.organizationName) : t.signedOutTitle}
      intro={known ? t.acceptIntro(known.inviterName || known.inviterEmail, known.organizationName) : t.signedOutIntro}
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
  const roles = splitRoles(role ?? 'member').map((one) => org.roleNames[one] ?? one)
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 rounded bg-sunken p-4">
      <dt className="text-soft">{t.acceptFor}</dt>
      <dd className="wrap-anywhere">
        {email.split('@')[0]}
        <wbr />
        {email.slice(email.indexOf('@'))}
      </dd>
      <dt className="text-soft">{t.acceptAs}</dt>
      <dd>{roles.join(', ')}</dd>
      <dt className="text-soft">{org.expires}</dt>
      <dd>
        <Time date={expiresAt} />
      </dd>
    </dl>
  )
}

function SignedIn({ id, email }: { id: string; email: string }) {
  const [found, setFound] = useState<Result<Invitation> | null>(null)
  const [ending, setEnding] = useState<Ending | null>(null)
  const load = useCallback(() => {
    setFound(null)
    void auth.organization.getInvitation({ query: { id } }).then(setFound)
  }, [id])
  useEffect(load, [load])
  if (ending) return <Ended as={ending} />
  if (!found) return <Skeleton lines={5} />
  if (!found.error) return <Question invitation={found.data} onEnding={setEnding} />
  if (found.error.code === 'YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION') return <OtherAccount email={email} />
  const ended = endingOf(found.error)
  return ended ? <Ended as={ended} /> : <Failed error={found.error} onRetry={load} />
}

function endingOf({ code, reason }: AuthError): Ending | null {
  if (code === 'INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION') return 'inviterLeft'
  if (code === 'USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION') return 'accepted'
  if (code !== 'INVITATION_NOT_FOUND' && code !== 'VALIDATION_ERROR') return null
  return reason === 'expired' || reason === 'canceled' || reason === 'rejected' || reason === 'accepted'
    ? reason
    : 'unknown'
}

function Question({ invitation, onEnding }: { invitation: Invitation; onEnding(ending: Ending): void }) {
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
    <Sheet title={t.acceptTitle(organizationName)} intro={t.acceptIntro(inviterEmail, organizationName)}>
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

function OtherAccount({ email }: { email: string }) {
  const t = useTexts(acceptTexts)
  const [, navigate] = useLocation()
  const change = useAction(
    () => auth.signOut(),
    () => navigate(`/sign-in${here()}`),
  )
  return (
    <Sheet title={t.otherTitle} intro={t.otherIntro(email)}>
      {change.error && <ErrorPanel error={change.error} />}
      <Button look="primary" wide busy={change.busy} onClick={change.run}>
        {t.switchAccount}
      </Button>
    </Sheet>
  )
}

function Ended({ as }: { as: Ending }) {
  const t = useTexts(acceptTexts)
  const core = useTexts()
  const { title, intro } = t.ended[as]
  return (
    <Sheet key={as} title={title} intro={intro}>
      {as === 'accepted' ? (
        <ButtonLink to="/organization/members" look="primary" wide>
          {t.toOrganization}
        </ButtonLink>
      ) : (
        <ButtonLink to="/" look="primary" wide>
          {core.home}
        </ButtonLink>
      )}
    </Sheet>
  )
}
