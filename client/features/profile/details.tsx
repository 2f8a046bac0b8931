import { useState } from 'react'
import { auth, useConfig, useMember } from '../../lib/api.ts'
import { useForm } from '../../lib/form.ts'
import { isPlaceholder } from '../../lib/placeholder.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Field } from '../../ui/field.tsx'
import { formClass, Section } from '../../ui/page.tsx'
import { Avatar } from '../../ui/small.tsx'
import { Submit } from '../../ui/submit.tsx'
import { Day } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'
import { PictureUpload } from './picture-upload.tsx'
import { profileTexts } from './texts.ts'

const isWebAddress = (text: string) => URL.canParse(text) && new URL(text).protocol === 'https:'

/** Name and picture. */
export function Details() {
  const t = useTexts(profileTexts)
  const core = useTexts()
  const { user } = useMember()
  const { features } = useConfig()
  const [shown, setShown] = useState({ name: user.name, image: user.image ?? '' })
  const form = useForm({
    fields: ['name', 'image'],
    guard: true,
    check: ({ name, image }) => ({
      name: !name.trim() && core.required.name,
      image: image.trim() && image.trim() !== user.image && !isWebAddress(image.trim()) && t.imageInvalid,
    }),
    send: ({ name, image }) => auth.updateUser({ name: name.trim(), image: image.trim() || null }),
    done: () => toast(t.saved),
  })
  const picture = shown.image === user.image || isWebAddress(shown.image) ? shown.image : null
  return (
    <Section>
      <div className="flex flex-wrap items-center gap-4">
        <Avatar name={shown.name || (isPlaceholder(user.email) ? '' : user.email)} image={picture} size={64} />
        {features.avatar ? (
          <PictureUpload onChange={(image) => setShown({ ...shown, image })} />
        ) : (
          <p className="min-w-0 flex-1 truncate text-lg font-medium">{shown.name}</p>
        )}
      </div>
      <form {...form.props} className={formClass}>
        <Field
          {...form.field('name')}
          label={t.name}
          autoComplete="name"
          defaultValue={user.name}
          onChange={(event) => setShown({ ...shown, name: event.target.value })}
        />
        <Field
          {...form.field('image')}
          key={user.image}
          label={t.image}
          hint={t.imageHint}
          optional
          type="url"
          inputMode="url"
          autoComplete="photo"
          defaultValue={user.image ?? ''}
          onChange={(event) => setShown({ ...shown, image: event.target.value.trim() })}
        />
        <Submit form={form}>{core.save}</Submit>
      </form>
      <dl className="grid gap-x-6 gap-y-1 border-t pt-5 text-sm text-soft sm:grid-cols-[auto_1fr]">
        <dt>{t.since}</dt>
        <dd className="text-ink">
          <Day date={user.createdAt} />
        </dd>
        <dt>{t.id}</dt>
        <dd className="font-mono text-ink break-all">{user.id}</dd>
      </dl>
    </Section>
  )
}
