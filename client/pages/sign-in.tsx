import { lazy, Suspense, useState } from 'react'
import { Link, Redirect, useLocation, useSearch } from 'wouter'
import { useAction } from '../lib/action.ts'
import { auth, type Config, config, useConfig } from '../lib/api.ts'
import type { SignInAnswer, User } from '../lib/auth/endpoints.ts'
import type { Result } from '../lib/auth/types.ts'
import { useContinuation } from '../lib/continuation.ts'
import { cookiesAreOff, signingIn } from '../lib/cookies.ts'
import { useEntered } from '../lib/entered.ts'
import { useForm } from '../lib/form.ts'
import { knownAccounts, useKnownAccounts } from '../lib/known-accounts.ts'
import { lastUsed, type UsedMethod } from '../lib/last-used.ts'
import { part } from '../lib/part.ts'
import { usePlaceState } from '../lib/place.ts'
import { isPlaceholder } from '../lib/placeholder.ts'
import { useBrowserValue } from '../lib/store.ts'
import { useTarget } from '../lib/target.ts'
import { useTexts } from '../lib/texts/texts.ts'
import { Button, ButtonLink, buttonClass } from '../ui/button.tsx'
import { Divider, Sheet } from '../ui/page.tsx'
import { ErrorPanel, FormProblem, Note, Skeleton } from '../ui/state.tsx'
import { SubmitButton } from '../ui/submit.tsx'
import { IdentifierField, useIdentifier } from './identifier-field.tsx'
import { signInTexts } from './sign-in.texts.ts'
import { waysAbove, waysBelow, waysInBackground } from './slots.ts'
import { MoreWays, Ways } from './ways.tsx'

// Loaded only after a failure.
const ReturnedError = lazy(() => import('./returned-error.tsx'))
const NoCookies = lazy(async () => ({ default: (await import('./refused.tsx')).NoCookies }))

const { load: loadKnownAccounts, component: KnownAccounts } = part(() => import('./known-accounts.tsx'))

// The second step, or the whole form with `signIn.flow: 'combined'`.
const { load: loadPasswordForm, component: PasswordForm } = part(() => import('./password-form.tsx'))

/** The second step offers the ways that send something to the address. */
const belowOf = ({ features, signIn }: Config) =>
  features.emailAndPassword && signIn.flow === 'identifier-first'
    ? waysBelow.filter(({ forAddress }) => !forAddress)
    : waysBelow

/** The ways of the configuration, and the form. */
export const ready = (): Promise<unknown> => {
  const { data } = config.get()
  if (!data) return Promise.resolve()
  const ways = [...waysInBackground, ...waysAbove, ...belowOf(data)].filter(({ when }) => when(data))
  const form = data.signIn.flow === 'combined' ? [loadPasswordForm()] : []
  const known = knownAccounts.get().data?.accounts.length ? [loadKnownAccounts()] : []
  return Promise.allSettled([...form, ...known, ...ways.map(({ load }) => load())])
}

export default function SignIn() {
  const t = useTexts(signInTexts)
  const shown = useConfig()
  const { isPending: configPending, name, features, signIn } = shown
  const passwords = features.emailAndPassword
  const session = auth.useSession()
  const [, navigate] = useLocation()
  const [leaving, setLeaving] = useState(false)
  const { host, path, query } = useContinuation()
  const parameters = new URLSearchParams(useSearch())
  const returned = parameters.has('error')
  const state = usePlaceState<{ ended?: boolean; refused?: boolean }>()
  const ended = state?.ended && !session.data
  const inSteps = signIn.flow === 'identifier-first'
  const { entered, enter, enterAnother } = useEntered()
  // By a password manager, in the first step.
  const [filled, setFilled] = useState('')
  const withoutCookies = useBrowserValue(cookiesAreOff, false)
  const refused = withoutCookies || (state?.refused && !session.data)
  // An application requested this sign-in and may require a new one; its request is in the address.
  const forApplication = parameters.has('client_id')

  const target = useTarget()
  const known = useKnownAccounts()

  function signedIn(used: UsedMethod, answer: SignInAnswer) {
    setLeaving(true)
    if (answer.twoFactorRedirect) return navigate(`/two-factor${query}`)
    // The client has followed the server's URL.
    if (answer.redirect && answer.url) return
    lastUsed.set(used)
    signingIn.set(true)
    // The second step is not a place to come back to.
    navigate(path ?? '/account/profile', { replace: entered !== undefined })
  }

  if (configPending || target === undefined || (session.isPending && !session.error) || known === null)
    return <Skeleton lines={8} />
  // Guests may come to sign up, and users to add an account.
  const adding = parameters.has('add')
  const asksAnew = adding || forApplication
  if (session.data && !asksAnew && !session.data.user.isAnonymous && !session.isRefetching && !leaving) {
    const { user } = session.data
    if (host && user.missingFields) return <Redirect to={`/welcome${query}`} replace />
    return host ? <SignedInAlready user={user} /> : <Redirect to={path ?? '/account/profile'} replace />
  }
  if (passwords && entered !== undefined) {
    return (
      <Sheet key="password" title={t.title(name)} intro={target && t.toContinueTo(target)}>
        <PasswordForm
          entered={entered}
          filled={filled}
          onOther={enterAnother}
          onSignedIn={(answer) => signedIn('password', answer)}
        />
        <SignUpLine />
      </Sheet>
    )
  }
  // The ways above the form fold behind the accounts of the browser.
  const folds = passwords && known.length > 0
  return (
    <Sheet key="identifier" title={t.title(name)} intro={target && t.toContinueTo(target)}>
      <noscript>
        <Note tone="warning">{t.noScript}</Note>
      </noscript>
      {returned && <ReturnedError />}
      {refused && (
        <Suspense>
          <NoCookies />
        </Suspense>
      )}
      {ended && !returned && (
        <Note tone="warning" live>
          {t.ended}
        </Note>
      )}
      <Ways list={waysInBackground} onSignedIn={signedIn} />
      {known.length > 0 && (
        <>
          <Suspense fallback={<div className="h-24" />}>
            <KnownAccounts
              accounts={known}
              onEntered={(identifier) => {
                setFilled('')
                enter(identifier)
              }}
              onSignedIn={signedIn}
            />
          </Suspense>
          <Divider>{t.orDivider}</Divider>
        </>
      )}
      {!folds && <Ways list={waysAbove} onSignedIn={signedIn} divided={passwords} />}
      {passwords ? (
        <>
          {inSteps ? (
            <IdentifierForm
              look={folds ? 'secondary' : 'primary'}
              onEntered={(identifier, password) => {
                setFilled(password)
                enter(identifier)
              }}
            />
          ) : (
            <PasswordForm onSignedIn={(answer) => signedIn('password', answer)} />
          )}
          <MoreWays
            list={folds ? [...waysAbove, ...belowOf(shown)] : belowOf(shown)}
            closed={folds}
            onSignedIn={signedIn}
          />
        </>
      ) : (
        <Ways list={belowOf(shown)} onSignedIn={signedIn} />
      )}
      <SignUpLine />
    </Sheet>
  )
}

/**
 * The first step: the address, number or name. It does not disclose accounts: at most it asks for the single sign-on of a
 * domain.
 */
function IdentifierForm({
  look,
  onEntered,
}: {
  look: 'primary' | 'secondary'
  onEntered(identifier: string, password: string): void
}) {
  const t = useTexts(signInTexts)
  const config = useConfig()
  const identifier = useIdentifier()
  const form = useForm({
    fields: ['identifier', 'password'],
    check: (values) => ({ identifier: identifier.problem(values.identifier) }),
    send: (values): Promise<Result<string>> =>
      loadPasswordForm().then(
        async ({ identifierIn, findOrganization }) => {
          const entered = identifierIn(values.identifier.trim(), config)
          await findOrganization(entered, config.features)
          return { data: entered, error: null }
        },
        () => ({ data: null, error: { status: 0, statusText: '' } }),
      ),
    done: (identifier, values) => onEntered(identifier, values.password),
  })
  // The second step loads while the user types.
  const prepare = () => void loadPasswordForm().catch(() => undefined)
  return (
    <form {...form.props} onFocus={prepare} className="needs-script flex flex-col gap-5">
      <IdentifierField {...form.field('identifier')} />
      {/* Password managers fill in both fields; the second step shows this one. */}
      <input
        type="password"
        name="password"
        autoComplete="current-password"
        aria-hidden
        tabIndex={-1}
        className="sr-only"
      />
      <div className="grid gap-4">
        <div className="empty:hidden">
          <FormProblem form={form} />
        </div>
        <SubmitButton form={form} wide look={look}>
          {t.next}
        </SubmitButton>
      </div>
    </form>
  )
}

function SignUpLine() {
  const t = useTexts(signInTexts)
  const { features } = useConfig()
  const { query } = useContinuation()
  if (!features.signUp && !features.passkeySignUp) return null
  return (
    <p className="-my-2.5 text-center text-soft">
      {t.newHere}{' '}
      <Link href={`/sign-up${query}`} className="link inline-flex min-h-10 items-center">
        {t.signUp}
      </Link>
    </p>
  )
}

/** A signed-in user with a callback on another site, which the server has allowed. */
function SignedInAlready({ user }: { user: User }) {
  const t = useTexts(signInTexts)
  const signOut = useAction(() => auth.signOut())
  const { callbackURL, host } = useContinuation()
  return (
    <Sheet
      title={t.already}
      intro={t.signedInAs(isPlaceholder(user.email) ? (user.phoneNumber ?? user.name) : user.email)}
    >
      <div className="grid gap-3">
        <a href={callbackURL} className={buttonClass('primary', true)}>
          {t.continueTo(host ?? '')}
        </a>
        <ButtonLink to="/account/profile" wide>
          {t.toAccount}
        </ButtonLink>
        <Button wide busy={signOut.busy} onClick={signOut.run}>
          {t.other}
        </Button>
      </div>
      {signOut.error && <ErrorPanel error={signOut.error} />}
    </Sheet>
  )
}
