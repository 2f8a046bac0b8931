import { Suspense } from 'react'
import { Link, Redirect, useLocation } from 'wouter'
import { auth, useConfig } from '../lib/api.ts'
import { continuation } from '../lib/continuation.ts'
import { looksLikeEmail, useForm } from '../lib/form.ts'
import { defineTexts, useLanguage, useTexts } from '../lib/texts/texts.ts'
import { Field } from '../ui/field.tsx'
import { Sheet } from '../ui/page.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { Submit } from '../ui/submit.tsx'
import { useCaptcha } from './captcha.tsx'
import { signUpFields, waysAbove } from './slots.ts'
import { Ways } from './ways.tsx'

const texts = defineTexts(
  {
    title: 'Create an account',
    continueTo: (host: string) => `to continue to ${host}`,
    name: 'Name',
    email: 'Email',
    password: 'Password',
    submit: 'Create account',
    already: 'Already have an account?',
    signIn: 'Sign in',
  },
  {
    title: 'Konto anlegen',
    continueTo: (host) => `um zu ${host} zu gelangen`,
    name: 'Name',
    email: 'E-Mail',
    password: 'Passwort',
    submit: 'Konto anlegen',
    already: 'Schon ein Konto?',
    signIn: 'Anmelden',
  },
)

export default function SignUp() {
  const t = useTexts(texts)
  const core = useTexts()
  const language = useLanguage()
  const { features, passwordLength } = useConfig()
  const session = auth.useSession()
  const [, navigate] = useLocation()
  const captcha = useCaptcha()
  const { callbackURL, host, path, query } = continuation()
  const extra = signUpFields.filter((field) => field.when(features))
  const extraCodes = extra.flatMap(({ name, errors }) => Object.keys(errors.en).map((code) => [code, name] as const))

  const form = useForm({
    fields: ['name', 'email', 'password', ...extra.map(({ name }) => name)],
    check: ({ name, email, password = '' }) => ({
      name: !name?.trim() && core.required.name,
      email: !email?.trim() ? core.required.email : !looksLikeEmail(email) && core.invalidEmail,
      password: !password
        ? core.required.newPassword
        : password.length < passwordLength.min
          ? core.passwordTooShort(passwordLength.min)
          : password.length > passwordLength.max && core.passwordTooLong(passwordLength.max),
    }),
    async send({ name = '', email = '', password = '', ...more }) {
      const filled = Object.fromEntries(Object.entries(more).filter(([, value]) => value !== ''))
      const answer = await auth.signUp.email(
        {
          name: name.trim(),
          email: email.trim(),
          password,
          // The link in the mail leads to the other site itself, or to our page that says how it went.
          callbackURL: host ? callbackURL : `/verify-email${query}`,
          ...filled,
        },
        captcha.options(),
      )
      captcha.renew()
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
    errors: Object.assign({}, ...extra.map(({ errors }) => errors[language])),
    done({ token }, { email = '' }) {
      if (token) navigate(path ?? '/account/profile')
      else navigate(`/check-inbox${query}`, { state: { email: email.trim() } })
    },
  })

  const member = session.data && !session.data.user.isAnonymous
  if (member && !session.isRefetching && !form.busy) return <Redirect to={path ?? '/account/profile'} replace />
  return (
    <Sheet title={t.title} intro={host && t.continueTo(host)}>
      <Ways
        list={waysAbove.filter(({ makesAccounts }) => makesAccounts)}
        divider="after"
        signingUp
        onSignedIn={() => navigate(path ?? '/account/profile')}
      />
      <form {...form.props} className="grid gap-5">
        <Field {...form.field('name')} label={t.name} autoComplete="name" />
        <Field {...form.field('email')} label={t.email} type="email" autoComplete="email" />
        <Suspense>
          {extra.map(({ name, component: Extra }) => (
            <Extra key={name} {...form.field(name)} />
          ))}
        </Suspense>
        <PasswordField
          {...form.field('password')}
          kind="new"
          label={t.password}
          hint={core.strength.short(passwordLength.min)}
          strength={passwordLength}
        />
        {captcha.widget}
        <Submit form={form} wide>
          {t.submit}
        </Submit>
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
