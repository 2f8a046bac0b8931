import { lazy, useState } from 'react'
import { Link, Redirect, useLocation, useSearch } from 'wouter'
import { passkeyErrors } from '../features/passkey/texts.ts'
import { valuesOf } from '../lib/additional-fields.ts'
import { auth, config, useConfig } from '../lib/api.ts'
import { useContinuation } from '../lib/continuation.ts'
import { signingIn } from '../lib/cookies.ts'
import { emailProblem, useForm } from '../lib/form.ts'
import { justSent } from '../lib/just-sent.ts'
import { usePlaceState } from '../lib/place.ts'
import { useBrowserValue } from '../lib/store.ts'
import { useTarget } from '../lib/target.ts'
import { defineTexts, useTexts } from '../lib/texts/texts.ts'
import { AdditionalFields, useFieldCheck } from '../ui/additional-fields.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { NewPasswordField, newPasswordErrors, useNewPasswordCheck } from '../ui/new-password.tsx'
import { Sheet } from '../ui/page.tsx'
import { Submit } from '../ui/submit.tsx'
import { typedEmail } from '../ui/typed-email.ts'
import { useCaptcha } from './captcha.tsx'
import { signUpFields, waysAbove } from './slots.ts'
import { Ways } from './ways.tsx'

const ReturnedError = lazy(() => import('./returned-error.tsx'))

const hasPasskeys = () => Boolean(globalThis.PublicKeyCredential)
const loadPasskeys = () => import('../features/passkey/sign-up.ts')

const texts = defineTexts('signUp', {
  invited: 'The invitation is for this address.',
  submit: 'Create account',
  submitPasskey: 'Create account with a passkey',
  usePasskey: 'Use a passkey instead of a password',
  usePassword: 'Use a password instead',
  already: 'Already have an account?',
  resetPassword: 'Reset password',
  agree: {
    both: 'By creating an account you agree to the {terms} and confirm that you have read the {privacy}.',
    terms: 'By creating an account you agree to the {terms}.',
    privacy: 'By creating an account you confirm that you have read the {privacy}.',
  },
  termsName: 'terms of use',
  privacyName: 'privacy policy',
})

const ways = waysAbove.filter(({ makesAccounts }) => makesAccounts)

/** The ways and the fields of the configuration. */
export const ready = (): Promise<unknown> => {
  const { data } = config.get()
  if (!data) return Promise.resolve()
  const fields = signUpFields.filter(({ when }) => when(data.features))
  return Promise.allSettled([...ways.filter(({ when }) => when(data)), ...fields].map(({ load }) => load()))
}

export default function SignUp() {
  const t = useTexts(texts)
  const passkeyMessages = useTexts(passkeyErrors)
  const { features, additionalFields } = useConfig()
  const checkPassword = useNewPasswordCheck()
  const session = auth.useSession()
  const [, navigate] = useLocation()
  const captcha = useCaptcha()
  const { foreign, host, path, query } = useContinuation()
  const returned = new URLSearchParams(useSearch()).has('error')
  const target = useTarget()
  const [isTaken, setTaken] = useState(false)
  const [begun, setBegun] = useState(false)
  const canPasskey = useBrowserValue(hasPasskeys, true) && features.passkeySignUp
  const [chosen, setChosen] = useState<'password' | 'passkey'>(features.signUp ? 'password' : 'passkey')
  const withPasskey = canPasskey && chosen === 'passkey'
  // An invitation is valid for one address only.
  const invited = usePlaceState<{ invited?: string }>()?.invited
  const extra = signUpFields.filter((field) => field.when(features))
  const fields = additionalFields.filter(({ signUp }) => signUp)
  const checkFields = useFieldCheck(fields)
  const extraCodes = extra.flatMap(({ name, errors }) => errors.map((code) => [code, name] as const))

  const form = useForm({
    fields: ['name', 'email', 'password', ...extra.map(({ name }) => name), ...fields.map(({ name }) => name)],
    check: ({ name, email = '', password = '', ...typed }) => ({
      ...checkFields(typed),
      name: !name?.trim() && t.required.name,
      email: emailProblem(email, t),
      password: !withPasskey && checkPassword(password),
    }),
    async send({ name = '', email = '', password = '', ...more }) {
      setBegun(true)
      const filled = Object.fromEntries(extra.map(({ name }) => [name, more[name]]).filter(([, value]) => value))
      const person = {
        name: name.trim(),
        email: email.trim(),
        // The mailed link leads to another site, or to our page with the result.
        callbackURL: foreign ?? `/verify-email?for=confirm${query.replace('?', '&')}`,
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
    // The message is shown at the field; links to the sign-in and to a reset are below it.
    refused(error) {
      setTaken(error.code === 'USER_ALREADY_EXISTS')
      return false
    },
    at: {
      USER_ALREADY_EXISTS: 'email',
      DISPOSABLE_EMAIL: 'email',
      INVALID_EMAIL: 'email',
      ...newPasswordErrors('password'),
      ...Object.fromEntries(extraCodes),
    },
    errors: passkeyMessages,
    done({ token }, { email = '' }) {
      signingIn.set(Boolean(token))
      // Without a pending link, a signed-in user continues at once.
      if (token && !features.verifyOnSignUp) navigate(host ? `/sign-in${query}` : (path ?? '/account/profile'))
      else navigate(`/check-inbox${query}`, { state: justSent(email.trim(), { signedIn: Boolean(token) }) })
    },
  })

  const member = session.data && !session.data.user.isAnonymous
  // The session exists shortly before the form has handled its result.
  if (member && !session.isRefetching && !form.busy && !begun) {
    return <Redirect to={host ? `/sign-in${query}` : (path ?? '/account/profile')} replace />
  }
  return (
    <Sheet title={t.signUp} intro={target && t.toContinueTo(target)}>
      {returned && <ReturnedError />}
      <Ways list={ways} divided signingUp onSignedIn={() => navigate(path ?? '/account/profile')} />
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
        {isTaken && form.field('email').error && (
          <p className="-my-3.5 flex gap-x-5">
            <Link href={`/sign-in${query}`} className="link inline-flex min-h-10 items-center">
              {t.signIn}
            </Link>
            {features.emailAndPassword && (
              <Link href={`/forgot-password${query}`} className="link inline-flex min-h-10 items-center">
                {t.resetPassword}
              </Link>
            )}
          </p>
        )}
        {extra.map(({ name, component: Extra }) => (
          <Extra key={name} {...form.field(name)} />
        ))}
        <AdditionalFields fields={fields} form={form} />
        {!withPasskey && <NewPasswordField {...form.field('password')} label={t.password} />}
        {captcha.widget}
        <Agreement />
        <Submit form={form} wide>
          {withPasskey ? t.submitPasskey : t.submit}
        </Submit>
        {canPasskey && features.signUp && (
          <Button look="quiet" onClick={() => setChosen(withPasskey ? 'password' : 'passkey')}>
            {withPasskey ? t.usePassword : t.usePasskey}
          </Button>
        )}
      </form>
      <p className="-my-2.5 text-center text-soft">
        {t.already}{' '}
        <Link href={`/sign-in${query}`} className="link inline-flex min-h-10 items-center">
          {t.signIn}
        </Link>
      </p>
    </Sheet>
  )
}

/** The sentence about the terms and the privacy policy, each a link where it is configured. */
function Agreement() {
  const t = useTexts(texts)
  const { brand } = useConfig()
  const { terms, privacy } = brand
  if (!terms && !privacy) return null
  // The sentence has its links at the places that the language gives them.
  const sentence =
    terms && privacy
      ? t.agree.both('{terms}', '{privacy}')
      : terms
        ? t.agree.terms('{terms}')
        : t.agree.privacy('{privacy}')
  const link = (address: string, name: string) => (
    <a key={name} href={address} className="link">
      {name}
    </a>
  )
  return (
    <p className="text-sm text-soft">
      {sentence
        .split(/(\{\w+\})/)
        .map((part) =>
          part === '{terms}' ? link(terms!, t.termsName) : part === '{privacy}' ? link(privacy!, t.privacyName) : part,
        )}
    </p>
  )
}
