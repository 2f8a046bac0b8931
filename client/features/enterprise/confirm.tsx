import { useSearch } from 'wouter'
import { useAction } from '../../lib/action.ts'
import { auth } from '../../lib/api.ts'
import { useQuery } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Sheet } from '../../ui/page.tsx'
import { ErrorPanel, Skeleton } from '../../ui/state.tsx'
import { signInOrganizationTexts } from './sign-in.texts.ts'

/**
 * Asks the user before a sign-in that began at an identity provider or with a link: a foreign page cannot sign this browser
 * in to an account that the user does not expect.
 */
export default function ConfirmSignIn() {
  const t = useTexts(signInOrganizationTexts)
  const id = new URLSearchParams(useSearch()).get('connection') ?? ''
  const found = useQuery(['signInOrganization', id], () => auth.sso.discover({ connectionId: id }), id !== '')
  const start = useAction(() =>
    auth.signIn.sso({ providerId: id, callbackURL: '/account/profile', errorCallbackURL: '/sign-in' }),
  )
  const signIn = (look?: 'primary') => (
    <ButtonLink to="/sign-in" look={look} wide>
      {look ? t.toSignIn : t.otherWay}
    </ButtonLink>
  )
  if (id !== '' && !found.data && !found.error) return <Skeleton lines={5} />
  const connection = found.data?.connection
  if (!connection)
    return (
      <Sheet title={t.unknown} intro={t.unknownIntro}>
        {signIn('primary')}
      </Sheet>
    )
  const { organization } = connection
  return (
    <Sheet title={t.confirmTitle(organization)} intro={t.confirmIntro}>
      <div className="grid gap-3">
        {start.error && <ErrorPanel error={start.error} />}
        <Button look="primary" wide busy={start.busy} onClick={start.run}>
          {t.continueWith(organization)}
        </Button>
        {signIn()}
      </div>
    </Sheet>
  )
}
