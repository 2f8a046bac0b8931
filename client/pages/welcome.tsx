import { useEffect } from 'react'
import { Redirect, useLocation } from 'wouter'
import { valuesOf } from '../lib/additional-fields.ts'
import { auth, useConfig } from '../lib/api.ts'
import type { User } from '../lib/auth/endpoints.ts'
import { useContinuation } from '../lib/continuation.ts'
import { useForm } from '../lib/form.ts'
import { leave } from '../lib/leave.ts'
import { nameIsDue, profileStep } from '../lib/profile-step.ts'
import { defineTexts, useTexts } from '../lib/texts/texts.ts'
import { AdditionalFields, useFieldCheck } from '../ui/additional-fields.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Sheet } from '../ui/page.tsx'
import { Skeleton } from '../ui/state.tsx'
import { Submit } from '../ui/submit.tsx'

const texts = defineTexts('welcome', {
  title: 'What’s your name?',
  intro: 'People you work with will see it.',
  profileTitle: 'Complete your profile',
  profileIntro: 'We need this before you go on.',
  skip: 'Skip',
})

/** For users without a name or required fields: sign-ups by provider, code, link or number, and guests. */
export default function Welcome() {
  const session = auth.useSession()
  const { isPending } = useConfig()
  const { callbackURL, path, query } = useContinuation()
  if (session.isPending || isPending) return <Skeleton />
  if (!session.data) return <Redirect to={`/sign-in${query}`} replace />
  if (profileStep.isDue(session.data.user)) return <ProfileForm user={session.data.user} />
  // Completed, perhaps in another tab.
  return path === null && callbackURL ? (
    <Leave to={callbackURL} />
  ) : (
    <Redirect to={path ?? '/account/profile'} replace />
  )
}

/** Another site, which the server has allowed (app/checked-callback.tsx). */
function Leave({ to }: { to: string }) {
  useEffect(() => leave(to, { replace: true }), [to])
  return <Skeleton />
}

function ProfileForm({ user }: { user: User }) {
  const t = useTexts(texts)
  const { additionalFields } = useConfig()
  const session = auth.useSession()
  const [, navigate] = useLocation()
  const { callbackURL, path } = useContinuation()
  const missing = additionalFields.filter(({ name }) => user.missingFields?.includes(name))
  const asksName = nameIsDue(user)
  const check = useFieldCheck(missing)
  function goOn() {
    if (path === null && callbackURL) leave(callbackURL, { replace: true })
    else navigate(path ?? '/account/profile', { replace: true })
  }
  const form = useForm({
    fields: ['name', ...missing.map(({ name }) => name)],
    check: (typed) => ({ ...check(typed), name: asksName && !typed.name?.trim() && t.required.name }),
    send: (typed) =>
      auth.updateUser({
        ...(asksName ? { name: typed.name?.trim() } : {}),
        ...valuesOf(missing, typed, 'left out'),
      }),
    async done() {
      profileStep.done(user.id)
      await session.refetch(true)
      goOn()
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
            {t.continue}
          </Submit>
          {!asksMore && (
            <Button
              look="quiet"
              wide
              onClick={() => {
                profileStep.done(user.id)
                goOn()
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
