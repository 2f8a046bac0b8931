import { Redirect, useLocation } from 'wouter'
import { valuesOf } from '../lib/additional-fields.ts'
import { auth, useConfig } from '../lib/api.ts'
import type { User } from '../lib/auth/endpoints.ts'
import { continuation } from '../lib/continuation.ts'
import { useForm } from '../lib/form.ts'
import { nameIsDue, profileStep } from '../lib/profile-step.ts'
import { defineTexts, useTexts } from '../lib/texts/texts.ts'
import { AdditionalFields, useFieldCheck } from '../ui/additional-fields.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Sheet } from '../ui/page.tsx'
import { Skeleton } from '../ui/state.tsx'
import { Submit } from '../ui/submit.tsx'

const texts = defineTexts(
  {
    title: 'What’s your name?',
    intro: 'People you work with will see it.',
    profileTitle: 'Complete your profile',
    profileIntro: 'We need this before you go on.',
    name: 'Name',
    skip: 'Skip',
  },
  {
    title: 'Wie heißt du?',
    intro: 'Andere sehen deinen Namen, wenn ihr zusammenarbeitet.',
    profileTitle: 'Vervollständige dein Profil',
    profileIntro: 'Das brauchen wir, bevor es weitergeht.',
    name: 'Name',
    skip: 'Überspringen',
  },
)

/** For people whom no form has asked: those who came by a provider, a code, a link or a number, and guests. */
export default function Welcome() {
  const session = auth.useSession()
  const { isPending } = useConfig()
  const { callbackURL, path, query } = continuation()
  if (session.isPending || isPending) return <Skeleton />
  if (!session.data) return <Redirect to={`/sign-in${query}`} replace />
  if (profileStep.isDue(session.data.user)) return <ProfileForm user={session.data.user} />
  // It has been given, in another tab perhaps.
  return <GoOn to={path ?? callbackURL ?? '/account/profile'} />
}

/** Our own screens are a step away; anything else, which the server has allowed, is another document. */
const isScreen = (target: string) => target.startsWith('/') && !target.startsWith('/api/')

function GoOn({ to }: { to: string }) {
  if (isScreen(to)) return <Redirect to={to} replace />
  location.replace(to)
  return <Skeleton />
}

function ProfileForm({ user }: { user: User }) {
  const t = useTexts(texts)
  const core = useTexts()
  const { additionalFields = [] } = useConfig()
  const session = auth.useSession()
  const [, navigate] = useLocation()
  const { callbackURL, path } = continuation()
  const missing = additionalFields.filter(({ name }) => user.missingFields?.includes(name))
  const asksName = nameIsDue(user)
  const check = useFieldCheck(missing)
  const form = useForm({
    fields: ['name', ...missing.map(({ name }) => name)],
    check: (typed) => ({ ...check(typed), name: asksName && !typed.name?.trim() && core.required.name }),
    send: (typed) =>
      auth.updateUser({
        ...(asksName ? { name: typed.name?.trim() } : {}),
        ...valuesOf(missing, typed, 'left out'),
      }),
    async done() {
      profileStep.done(user.id)
      await session.refetch(true)
      const target = path ?? callbackURL ?? '/account/profile'
      if (isScreen(target)) navigate(target, { replace: true })
      else location.replace(target)
    },
  })
  const asksMore = missing.length > 0
  return (
    <Sheet title={asksMore ? t.profileTitle : t.title} intro={asksMore ? t.profileIntro : t.intro}>
      <form {...form.props} className="grid gap-5">
        {asksName && <Field {...form.field('name')} label={t.name} autoComplete="name" autoFocus />}
        <AdditionalFields fields={missing} form={form} autoFocus={!asksName} />
        <div className="grid gap-3">
          <Submit form={form} wide>
            {core.continue}
          </Submit>
          {!asksMore && (
            <Button
              look="quiet"
              wide
              onClick={() => {
                profileStep.done(user.id)
                navigate(path ?? '/account/profile', { replace: true })
              }}
            >
              {t.skip}
            </Button>
          )}
        </div>
      </form>
    </Sheet>
  )
}
