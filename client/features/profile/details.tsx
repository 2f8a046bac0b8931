import { useState } from 'react'
import { auth, useConfig, useMember } from '../../lib/api.ts'
import { useForm } from '../../lib/form.ts'
import { isPlaceholder } from '../../lib/placeholder.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Field } from '../../ui/field.tsx'
import { formClass } from '../../ui/page.tsx'
import { Save } from '../../ui/save.tsx'
import { Section } from '../../ui/section.tsx'
import { Avatar } from '../../ui/small.tsx'
import { Day } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'
import { Picture } from './picture.tsx'
import { profileTexts } from './texts.ts'

const isWebAddress = (text: string) => URL.canParse(text) && new URL(text).protocol === 'https:'

/** Name and picture: a file, or an address if the server stores no pictures. */
export function Details() {
  const t = useTexts(profileTexts)
  const { user } = useMember()
  const { features } = useConfig()
  // After a sign-up by number without a name, the account is named after the number.
  const ownName = user.name === user.phoneNumber ? '' : user.name
  const [name, setName] = useState(ownName)
  const [address, setAddress] = useState(user.image ?? '')
  const form = useForm({
    fields: ['name', 'image'],
    guard: true,
    check: ({ name, image }) => ({
      name: !name.trim() && t.required.name,
      image: image.trim() && image.trim() !== user.image && !isWebAddress(image.trim()) && t.imageInvalid,
    }),
    send: ({ name, image }) =>
      auth.updateUser({ name: name.trim(), ...(!features.avatar && { image: image.trim() || null }) }),
    done: () => toast(t.saved),
  })
  const picture = features.avatar || !isWebAddress(address) ? user.image : address
  return (
    <Section id="name">
      <div className="flex flex-wrap items-center gap-4">
        <Avatar name={name || (isPlaceholder(user.email) ? '' : user.email)} image={picture} size={64} />
        {features.avatar ? (
          <Picture exists={Boolean(user.image)} />
        ) : (
          <p dir="auto" className="min-w-0 flex-1 truncate text-lg font-medium">
            {name}
          </p>
        )}
      </div>
      <form {...form.props} className={formClass}>
        <Field
          {...form.field('name')}
          label={t.name}
          autoComplete="name"
          defaultValue={ownName}
          onChange={(event) => setName(event.target.value)}
        />
        {!features.avatar && (
          <Field
            {...form.field('image')}
            label={t.image}
            hint={t.imageHint}
            optional
            type="url"
            inputMode="url"
            autoComplete="photo"
            defaultValue={user.image ?? ''}
            onChange={(event) => setAddress(event.target.value.trim())}
          />
        )}
        <Save form={form}>{t.save}</Save>
      </form>
      <dl className="grid gap-x-6 gap-y-1 border-t pt-5 text-sm text-soft max-sm:[&_dt:not(:first-child)]:mt-2 sm:grid-cols-[auto_1fr]">
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
