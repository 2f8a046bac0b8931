import { lazy, Suspense, useState } from 'react'
import { auth, useConfig, useMember } from '../../lib/api.ts'
import { useForm } from '../../lib/form.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Field } from '../../ui/field.tsx'
import { formClass, Page, Section } from '../../ui/page.tsx'
import { Avatar } from '../../ui/small.tsx'
import { Submit } from '../../ui/submit.tsx'
import { Day } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'
import { profileTexts } from './texts.ts'

const UsernameSection = lazy(() => import('../username/username-section.tsx'))

const isWebAddress = (text: string) => URL.canParse(text) && new URL(text).protocol === 'https:'

export default function Profile() {
  const t = useTexts(profileTexts)
  const core = useTexts()
  const { user } = useMember()
  const { features } = useConfig()
  const [shown, setShown] = useState({ name: user.name, image: user.image ?? '' })
  const form = useForm({
    fields: ['name', 'image'],
    check: ({ name, image }) => ({
      name: !name.trim() && core.required.name,
      image: image.trim() && image.trim() !== user.image && !isWebAddress(image.trim()) && t.imageInvalid,
    }),
    send: ({ name, image }) => auth.updateUser({ name: name.trim(), image: image.trim() || null }),
    done: () => toast(t.saved),
  })
  return (
    <Page title={t.title} intro={t.intro}>
      <Section>
        <form {...form.props} className={formClass}>
          <Field
            {...form.field('name')}
            label={t.name}
            autoComplete="name"
            defaultValue={user.name}
            onChange={(event) => setShown({ ...shown, name: event.target.value })}
          />
          <div className="flex items-start gap-4">
            <Avatar name={shown.name || user.email} image={isWebAddress(shown.image) ? shown.image : null} size={64} />
            <Field
              {...form.field('image')}
              className="flex-1"
              label={t.image}
              hint={t.imageHint}
              optional
              type="url"
              inputMode="url"
              autoComplete="photo"
              defaultValue={user.image ?? ''}
              onChange={(event) => setShown({ ...shown, image: event.target.value.trim() })}
            />
          </div>
          <Submit form={form}>{core.save}</Submit>
        </form>
      </Section>
      {features.username && (
        <Suspense>
          <UsernameSection />
        </Suspense>
      )}
      <dl className="grid gap-x-6 gap-y-1 px-1 text-soft sm:grid-cols-[auto_1fr]">
        <dt>{t.since}</dt>
        <dd className="text-ink">
          <Day date={user.createdAt} />
        </dd>
        <dt>{t.id}</dt>
        <dd className="font-mono text-ink text-sm break-all">{user.id}</dd>
      </dl>
    </Page>
  )
}
