import { lazy, useState } from 'react'
import { Link, Redirect, useLocation } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { passkeyErrors } from '../features/passkey/texts.ts'
import { valuesOf } from '../lib/additional-fields.ts'
import { auth, useConfig } from '../lib/api.ts'
import { continuation } from '../lib/continuation.ts'
import { looksLikeEmail, useForm } from '../lib/form.ts'
import { defineTexts, useLanguage, useTexts } from '../lib/texts/texts.ts'
import { AdditionalFields, useFieldCheck } from '../ui/additional-fields.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Sheet } from '../ui/page.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { Submit } from '../ui/submit.tsx'
import { typedEmail } from '../ui/typed-email.ts'
import { useCaptcha } from './captcha.tsx'
import { signUpFields, waysAbove } from './slots.ts'
import { Ways } from './ways.tsx'

const ReturnedError = lazy(() => import('./returned-error.tsx'))

const loadPasskeys = () => import('../features/passkey/sign-up.ts')

const texts = defineTexts(
  {
    title: 'Create an account',
    continueTo: (host: string) => `to continue to ${host}`,
    name: 'Name',
    email: 'Email',
    invited: 'The invitation is for this address.',
    password: 'Password',
    submit: 'Create account',
    submitPasskey: 'Create account with a passkey',
    usePasskey: 'Use a passkey instead of a password',
    usePassword: 'Use a password instead',
    already: 'Already have an account?',
    signIn: 'Sign in',
  },
  {
    title: 'Konto anlegen',
    continueTo: (host) => `um fortzufahren zu ${host}`,
    name: 'Name',
    email: 'E-Mail',
    invited: 'Die Einladung ist für diese Adresse.',
    password: 'Passwort',
    submit: 'Konto anlegen',
    submitPasskey: 'Konto mit einem Passkey anlegen',
    usePasskey: 'Passkey statt Passwort verwenden',
    usePassword: 'Doch ein Passwort verwenden',
    already: 'Schon ein Konto?',
    signIn: 'Anmelden',
  },
)

export default function SignUp() {
  const t = useTexts(texts)
  const core = useTexts()
  const language = useLanguage()
  const { features, passwordLength, additionalFields = [] } = useConfig()
  const session = auth.useSession()
  const [, navigate] = useLocation()
  const captcha = useCaptcha()
  const { callbackURL, host, path, query } = continuation()
  const [begun, setBegun] = useState(false)
  const canPasskey = features.passkeySignUp && Boolean(globalThis.PublicKeyCredential)
  const [chosen, setChosen] = useState<'password' | 'passkey'>(features.signUp ? 'password' : 'passkey')
  const withPasskey = canPasskey && chosen === 'passkey'
  // An invitation is for one address: an account with another one could not accept it.
  const invited = useHistoryState<{ invited?: string } | null>()?.invited
  const extra = signUpFields.filter((field) => field.when(features))
  const fields = additionalFields.filter(({ signUp }) => signUp)
  const checkFields = useFieldCheck(fields)
  const extraCodes = extra.flatMap(({ name, errors }) => Object.keys(errors.en).map((code) => [code, name] as const))

  const form = useForm({
    fields: ['name', 'email', 'password', ...extra.map(({ name }) => name), ...fields.map(({ name }) => name)],
    check: ({ name, email, password = '', ...typed }) => ({
      ...checkFields(typed),
      name: !name?.trim() && core.required.name,
      email: !email?.trim() ? core.required.email : !looksLikeEmail(email) && core.invalidEmail,
      password: withPasskey
        ? undefined
        : !password
          ? core.required.newPassword
          : password.length < passwordLength.min
            ? core.passwordTooShort(passwordLength.min)
            : password.length > passwordLength.max && core.passwordTooLong(passwordLength.max),
    }),
    async send({ name = '', email = '', password = '', ...more }) {
      setBegun(true)
      const filled = Object.fromEntries(extra.map(({ name }) => [name, more[name]]).filter(([, value]) => value))
      const person = {
        name: name.trim(),
        email: email.trim(),
        // The link in the mail leads to the other site itself, or to our page that says how it went.
        callbackURL: host ? callbackURL : `/verify-email?for=confirm${query.replace('?', '&')}`,
        ...filled,
        ...valuesOf(fields, more, 'left out'),
      }
      const answer = withPasskey
        ? await (await loadPasskeys()).signUpByPasskey(person, captcha.options())
        : await auth.signUp.email({ ...person, password }, captcha.options())
      captcha.renew()
      if (answer.error) setBegun(false)
      return answer
    },
    at: {
      USER_ALREADY_EXISTS: 'email',
      INVALID_EMAIL: 'email',
      PASSWORD_TOO_SHORT: 'password',
      PASSWORD_TOO_LONG: 'password',
      PASSWORD_COMPROMISED: 'password',
      ...Object.fromEntries(extraCodes),
    },
    errors: Object.assign({}, passkeyErrors[language], ...extra.map(({ errors }) => errors[language])),
    done({ token }, { email = '' }) {
      // Without a link to wait for, whoever is signed in goes on at once.
      if (token && !features.verifyOnSignUp) navigate(host ? `/sign-in${query}` : (path ?? '/account/profile'))
      else navigate(`/check-inbox${query}`, { state: { email: email.trim(), signedIn: Boolean(token) } })
    },
  })

  const member = session.data && !session.data.user.isAnonymous
  // Whoever signs up here is signed in a moment before the form has said what comes next.
  if (member && !session.isRefetching && !form.busy && !begun) {
    return <Redirect to={host ? `/sign-in${query}` : (path ?? '/account/profile')} replace />
  }
  return (
    <Sheet title={t.title} intro={host && t.continueTo(host)}>
      {new URLSearchParams(location.search).has('error') && <ReturnedError />}
      <Ways
        list={waysAbove.filter(({ makesAccounts }) => makesAccounts)}
        divided
        signingUp
        onSignedIn={() => navigate(path ?? '/account/profile')}
      />
      <form {...form.props} className="grid gap-5">
        <Field {...form.field('name')} label={t.name} autoComplete="name" />
        <Field
          {...form.field('email')}
          label={t.email}
          hint={invited && t.invited}
          type="email"
          autoComplete="email"
          {...(invited ? { defaultValue: invited, readOnly: true } : typedEmail())}
        />
        {extra.map(({ name, component: Extra }) => (
          <Extra key={name} {...form.field(name)} />
        ))}
        <AdditionalFields fields={fields} form={form} />
        {!withPasskey && (
          <PasswordField
            {...form.field('password')}
            kind="new"
            label={t.password}
            hint={core.strength.short(passwordLength.min)}
            strength={passwordLength}
          />
        )}
        {captcha.widget}
        <Submit form={form} wide>
          {withPasskey ? t.submitPasskey : t.submit}
        </Submit>
        {canPasskey && features.signUp && (
          <Button look="quiet" onClick={() => setChosen(withPasskey ? 'password' : 'passkey')}>
            {withPasskey ? t.usePassword : t.usePasskey}
          </Button>
        )}
      </form>
      <p className="text-center text-soft">
        {t.already}{' '}
        <Link href={`/sign-in${query}`} className="link">
          {t.signIn}
        </Link>
      </p>
    </Sheet>
  )
}
