import { lazy, useEffect, useState } from 'react'
import { Link, Redirect, useLocation } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { useAction } from '../lib/action.ts'
import { auth, useConfig } from '../lib/api.ts'
import type { SignInAnswer, User } from '../lib/auth/endpoints.ts'
import { continuation } from '../lib/continuation.ts'
import { looksLikeEmail, useForm } from '../lib/form.ts'
import { lastUsed } from '../lib/last-used.ts'
import { isPlaceholder } from '../lib/placeholder.ts'
import { useLanguage, useTexts } from '../lib/texts/texts.ts'
import { typed } from '../lib/typed.ts'
import { Button, ButtonLink, buttonClass } from '../ui/button.tsx'
import { Checkbox, Field } from '../ui/field.tsx'
import { LastUsed } from '../ui/last-used.tsx'
import { Sheet } from '../ui/page.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { ErrorPanel, FormProblem, Note, Skeleton } from '../ui/state.tsx'
import { SubmitButton } from '../ui/submit.tsx'
import { useCaptcha } from './captcha.tsx'
import { signInTexts } from './sign-in.texts.ts'
import { identifiers, waysAbove, waysBelow, waysInBackground } from './slots.ts'
import { MoreWays, useWays, Ways } from './ways.tsx'

// Only whoever comes back from a failure needs its words.
const ReturnedError = lazy(() => import('./returned-error.tsx'))

export default function SignIn() {
  const t = useTexts(signInTexts)
  const { isPending: configPending, name, features } = useConfig()
  const passwords = features.emailAndPassword !== false
  const session = auth.useSession()
  const [, navigate] = useLocation()
  const [leaving, setLeaving] = useState(false)
  const { host, path, query } = continuation()
  const returned = new URLSearchParams(location.search).has('error')
  const ended = useHistoryState<{ ended?: boolean } | null>()?.ended && !session.data
  // Another application asks who it is, and may want to be told anew; its request is in the address.
  const forApplication = new URLSearchParams(location.search).has('client_id')

  const application = useApplication(forApplication && features.identityProvider === true)
  const target = application ?? host

  function signedIn(way: string, answer: SignInAnswer) {
    // Either the client has already followed the server's URL or is on its way to the second factor.
    setLeaving(true)
    if (answer.twoFactorRedirect || (answer.redirect && answer.url)) return
    lastUsed.set(way)
    navigate(path ?? '/account/profile')
  }

  if (configPending || application === undefined || (session.isPending && !session.error)) return <Skeleton lines={8} />
  // A guest may come for an account, and anybody for another one.
  const adding = new URLSearchParams(location.search).has('add')
  const asksAnew = adding || forApplication
  if (session.data && !asksAnew && !session.data.user.isAnonymous && !session.isRefetching && !leaving) {
    const { user } = session.data
    if (host && user.missingFields) return <Redirect to={`/welcome${query}`} replace />
    return host ? <SignedInAlready user={user} /> : <Redirect to={path ?? '/account/profile'} replace />
  }
  return (
    <Sheet title={t.title(name)} intro={target && t.continueTo(target)}>
      {returned && <ReturnedError />}
      {ended && !returned && (
        <Note tone="warning" live>
          {t.ended}
        </Note>
      )}
      <Ways list={waysInBackground} onSignedIn={signedIn} />
      <Ways list={waysAbove} onSignedIn={signedIn} divided={passwords} />
      {passwords ? (
        <>
          <PasswordForm onSignedIn={(answer) => signedIn('password', answer)} />
          <MoreWays list={waysBelow} onSignedIn={signedIn} />
        </>
      ) : (
        <Ways list={waysBelow} onSignedIn={signedIn} />
      )}
      <SignUpLine />
    </Sheet>
  )
}

/**
 * The name of the application that waits for this sign-in; null where none does, undefined while the server is asked: the
 * address could name anybody.
 */
function useApplication(asks: boolean): string | null | undefined {
  const [name, setName] = useState<string | null>()
  useEffect(() => {
    if (!asks) return
    let left = false
    auth.oauth2.loginPrompt().then(({ data }) => {
      if (!left) setName(data?.client?.name ?? null)
    })
    return () => {
      left = true
    }
  }, [asks])
  return asks ? name : null
}

function PasswordForm({ onSignedIn }: { onSignedIn(answer: SignInAnswer): void }) {
  const t = useTexts(signInTexts)
  const core = useTexts()
  const language = useLanguage()
  const { features } = useConfig()
  const [, navigate] = useLocation()
  const captcha = useCaptcha()
  const { callbackURL, query } = continuation()
  const kinds = identifiers.filter((kind) => kind.when(features))
  const others = useWays([...waysAbove, ...waysBelow])
  const form = useForm({
    fields: ['identifier', 'password', 'rememberMe'],
    check: ({ identifier, password }) => ({
      identifier: !identifier.trim()
        ? kinds.length > 0
          ? core.required.any
          : core.required.email
        : kinds.length === 0 && !looksLikeEmail(identifier) && core.invalidEmail,
      password: !password && core.required.password,
    }),
    async send(values) {
      const identifier = values.identifier.trim()
      const rememberMe = values.rememberMe === 'on'
      const { password } = values
      const kind = kinds.find(({ matches }) => matches(identifier))
      const answer = kind
        ? await kind.send({ identifier, password, rememberMe, callbackURL }, captcha.options())
        : await auth.signIn.email({ email: identifier, password, rememberMe, callbackURL }, captcha.options())
      captcha.renew()
      return answer
    },
    // An address that is not confirmed yet has just been sent a new link.
    refused(error, { identifier }) {
      if (error.code !== 'EMAIL_NOT_VERIFIED') return false
      navigate(`/check-inbox${query}`, { state: { email: identifier.trim() } })
      return true
    },
    at: { INVALID_EMAIL: 'identifier' },
    done: (answer: SignInAnswer) => {
      lastUsed.set('password')
      onSignedIn(answer)
    },
  })
  // In the order of the Tab key: identifier, password, button, "Forgot password?", and the rest. The eye has another order.
  return (
    <form {...form.props} className="flex flex-col gap-5">
      <Field
        {...form.field('identifier')}
        label={kinds.length > 0 ? t.or(kinds.map(({ noun }) => noun[language])) : t.email}
        type={kinds.length > 0 ? 'text' : 'email'}
        autoComplete="username webauthn"
        autoCapitalize="none"
        spellCheck={false}
        defaultValue={typed.any()}
        onChange={(event) => typed.set(event.target.value)}
      />
      <PasswordField {...form.field('password')} kind="current" label={t.password} />
      <div className="order-last grid gap-4">
        {captcha.widget}
        <div className="empty:hidden">
          <FormProblem form={form} />
        </div>
        <SubmitButton form={form} wide>
          {t.submit}
          {others.length > 0 && lastUsed.get() === 'password' && <LastUsed />}
        </SubmitButton>
      </div>
      <div className="-mt-1 flex flex-wrap items-center justify-between gap-x-2 gap-y-2 text-sm">
        <Link href={`/forgot-password${query}`} className="link order-last">
          {t.forgot}
        </Link>
        <Checkbox name="rememberMe" label={t.rememberMe} defaultChecked />
      </div>
    </form>
  )
}

function SignUpLine() {
  const t = useTexts(signInTexts)
  const { features } = useConfig()
  if (!features.signUp && !features.passkeySignUp) return null
  return (
    <p className="text-center text-soft">
      {t.newHere}{' '}
      <Link href={`/sign-up${continuation().query}`} className="link">
        {t.signUp}
      </Link>
    </p>
  )
}

/** Somebody who is signed in already came for another site, which the server has found to be allowed. */
function SignedInAlready({ user }: { user: User }) {
  const t = useTexts(signInTexts)
  const core = useTexts()
  const signOut = useAction(() => auth.signOut())
  const { callbackURL, host } = continuation()
  return (
    <Sheet
      title={t.already}
      intro={t.signedInAs(isPlaceholder(user.email) ? (user.phoneNumber ?? user.name) : user.email)}
    >
      <div className="grid gap-3">
        <a href={callbackURL} className={buttonClass('primary', true)}>
          {core.continueTo(host ?? '')}
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
