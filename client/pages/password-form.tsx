import { lazy, Suspense, useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { defaultCountry, toE164 } from '../features/phone-number/countries.ts'
import { auth, type Config } from '../lib/api.ts'
import type { SignInAnswer } from '../lib/auth/endpoints.ts'
import { useSecondsUntil } from '../lib/clock.ts'
import { useContinuation } from '../lib/continuation.ts'
import { useForm } from '../lib/form.ts'
import { justSent } from '../lib/just-sent.ts'
import { lastUsed, useLastUsed } from '../lib/last-used.ts'
import { type FoundOrganization, useOrganizationOf } from '../lib/organization-of.ts'
import { readablePhone } from '../lib/phone.ts'
import { useTexts } from '../lib/texts/texts.ts'
import { typed } from '../lib/typed.ts'
import { Checkbox } from '../ui/field.tsx'
import { LastUsed } from '../ui/last-used.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { FormProblem, Skeleton } from '../ui/state.tsx'
import { SubmitButton } from '../ui/submit.tsx'
import { useCaptcha } from './captcha.tsx'
import { IdentifierField, useIdentifier } from './identifier-field.tsx'
import { MessageWays } from './message-ways.tsx'
import { OrganizationWay } from './organization-way.tsx'
import { signInTexts } from './sign-in.texts.ts'
import { waysAbove, waysBelow } from './slots.ts'
import { useWays } from './ways.tsx'

const OtherWays = lazy(async () => ({ default: (await import('./refused.tsx')).OtherWays }))

interface PasswordFormProps {
  /** The address, number or name of the first step; without it, the form asks for both. */
  entered?: string
  /** By a password manager, in the first step. */
  filled?: string
  onOther?(): void
  onSignedIn(answer: SignInAnswer): void
}

/** The second step: the single sign-on of the organization of the address, the password, or both. */
export default function SecondStep(props: PasswordFormProps) {
  const { entered, onOther } = props
  const organization = useOrganizationOf(entered)
  if (organization === null) return <Skeleton lines={4} />
  if (entered === undefined || !organization.connection) return <PasswordForm {...props} />
  return organization.required ? (
    <>
      <Entered identifier={entered} onOther={onOther} />
      <OrganizationWay email={entered} organization={organization} />
    </>
  ) : (
    <PasswordForm {...props} organization={organization} />
  )
}

function PasswordForm({
  entered,
  filled,
  organization,
  onOther,
  onSignedIn,
}: PasswordFormProps & { organization?: FoundOrganization }) {
  const t = useTexts(signInTexts)
  const [, navigate] = useLocation()
  const captcha = useCaptcha()
  const { callbackURL, query } = useContinuation()
  const asked = useIdentifier()
  const others = useWays([...waysAbove, ...waysBelow])
  const used = useLastUsed()
  const [wrong, setWrong] = useState(0)
  // The address whose organization has refused the password.
  const [refusedFor, setRefusedFor] = useState<string>()
  const required = useOrganizationOf(refusedFor)
  const identifierOf = (text: string) => entered ?? text.trim()
  // The other screens start with it, also after a reload.
  useEffect(() => {
    if (entered) typed.set(entered)
  }, [entered])
  const form = useForm({
    fields: ['identifier', 'password', 'rememberMe'],
    check: ({ identifier, password }) => ({
      identifier: asked.problem(identifierOf(identifier)),
      password: !password && t.required.password,
    }),
    async send(values) {
      const identifier = identifierOf(values.identifier)
      const rememberMe = values.rememberMe === 'on'
      const { password } = values
      const kind = asked.kinds.find(({ matches }) => matches(identifier))
      const answer = kind
        ? await kind.send({ identifier, password, rememberMe, callbackURL }, captcha.options())
        : await auth.signIn.email({ email: identifier, password, rememberMe, callbackURL }, captcha.options())
      captcha.renew()
      return answer
    },
    // An unconfirmed address was sent a new link.
    refused(error, { identifier }) {
      if (error.status === 401) setWrong(wrong + 1)
      if (error.code === 'SINGLE_SIGN_ON_REQUIRED') setRefusedFor(identifierOf(identifier))
      if (error.code !== 'EMAIL_NOT_VERIFIED') return false
      navigate(`/check-inbox${query}`, { state: justSent(identifierOf(identifier)) })
      return true
    },
    // The second step has no field for it.
    at: entered === undefined ? { INVALID_EMAIL: 'identifier' } : {},
    done: (answer: SignInAnswer) => {
      lastUsed.set('password')
      onSignedIn(answer)
    },
  })
  const blocked = useSecondsUntil(form.blockedUntil) > 0
  // In the order of the Tab key: identifier, password, button, "Forgot password?", and the rest. The visual order
  // differs.
  return (
    <>
      <form {...form.props} className="needs-script flex flex-col gap-5">
        {entered === undefined ? (
          <IdentifierField {...form.field('identifier')} />
        ) : (
          <Entered identifier={entered} onOther={onOther} />
        )}
        {entered !== undefined && organization && <OrganizationWay email={entered} organization={organization} />}
        <PasswordField
          {...form.field('password')}
          kind="current"
          label={t.password}
          defaultValue={filled}
          autoFocus={entered !== undefined && !organization}
        />
        <div className="order-last grid gap-4">
          {captcha.widget}
          <div className="empty:hidden">
            <FormProblem form={form} />
          </div>
          {entered === undefined && <Suspense>{(blocked || wrong >= 3) && <OtherWays />}</Suspense>}
          {refusedFor && required && (
            <OrganizationWay email={refusedFor} organization={{ ...required, required: true }} />
          )}
          <SubmitButton form={form} wide look={organization || required?.connection ? 'secondary' : 'primary'}>
            {t.submit}
            {others.length > 0 && used === 'password' && <LastUsed />}
          </SubmitButton>
        </div>
        <div className="-my-1.5 flex flex-wrap items-center justify-between gap-x-2 text-sm *:min-h-10 *:content-center">
          <Link href={`/forgot-password${query}`} className="link order-last">
            {t.forgot}
          </Link>
          <Checkbox name="rememberMe" label={t.rememberMe} defaultChecked />
        </div>
      </form>
      {entered !== undefined && <MessageWays identifier={entered} />}
    </>
  )
}

export { findOrganization } from '../lib/organization-of.ts'

/** A number as it is written in the user's country becomes E.164; other texts stay. */
export function identifierIn(
  text: string,
  { features, phoneCountry }: Pick<Config, 'features' | 'phoneCountry'>,
): string {
  if (!features.phoneNumber || !/^0[\d\s()./-]{6,}$/.test(text)) return text
  return toE164(text, defaultCountry(phoneCountry)) ?? text
}

/** What was entered in the first step, for the user and their password manager. */
function Entered({ identifier, onOther }: { identifier: string; onOther: (() => void) | undefined }) {
  const t = useTexts(signInTexts)
  return (
    <div className="-mt-3 flex min-w-0 items-center justify-center gap-x-3">
      <input
        type="text"
        name="identifier"
        autoComplete="username"
        value={identifier}
        readOnly
        aria-hidden
        tabIndex={-1}
        className="sr-only"
      />
      <span dir="auto" className="truncate font-medium">
        {readablePhone(identifier)}
      </span>
      <button type="button" onClick={onOther} className="link min-h-10 flex-none">
        {t.change}
      </button>
    </div>
  )
}
