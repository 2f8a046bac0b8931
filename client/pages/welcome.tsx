import { Redirect, useLocation } from 'wouter'
import { auth } from '../lib/api.ts'
import { continuation } from '../lib/continuation.ts'
import { useForm } from '../lib/form.ts'
import { nameStep } from '../lib/name-step.ts'
import { defineTexts, useTexts } from '../lib/texts/texts.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Sheet } from '../ui/page.tsx'
import { Skeleton } from '../ui/state.tsx'
import { Submit } from '../ui/submit.tsx'

const texts = defineTexts(
  { title: 'What’s your name?', intro: 'People you work with will see it.', name: 'Name', skip: 'Skip' },
  {
    title: 'Wie heißt du?',
    intro: 'Andere sehen deinen Namen, wenn ihr zusammenarbeitet.',
    name: 'Name',
    skip: 'Überspringen',
  },
)

/** For people who came by a code, a link or a number: nobody has asked their name yet. */
export default function Welcome() {
  const t = useTexts(texts)
  const core = useTexts()
  const session = auth.useSession()
  const [, navigate] = useLocation()
  const { path, query } = continuation()
  const target = path ?? '/account/profile'
  const form = useForm({
    fields: ['name'],
    check: ({ name }) => ({ name: !name.trim() && core.required.name }),
    send: ({ name }) => auth.updateUser({ name: name.trim() }),
    async done() {
      nameStep.done(session.data?.user.id)
      navigate(target, { replace: true })
    },
  })
  if (session.isPending) return <Skeleton />
  if (!session.data) return <Redirect to={`/sign-in${query}`} replace />
  const { id } = session.data.user
  // The name has been given, in another tab perhaps.
  if (!nameStep.isDue(session.data.user)) return <Redirect to={target} replace />
  return (
    <Sheet title={t.title} intro={t.intro}>
      <form {...form.props} className="grid gap-5">
        <Field {...form.field('name')} label={t.name} autoComplete="name" autoFocus />
        <div className="grid gap-3">
          <Submit form={form} wide>
            {core.continue}
          </Submit>
          <Button
            look="quiet"
            wide
            onClick={() => {
              nameStep.done(id)
              navigate(target, { replace: true })
            }}
          >
            {t.skip}
          </Button>
        </div>
      </form>
    </Sheet>
  )
}
