import { useState } from 'react'
import { useLocation } from 'wouter'
import { auth } from '../../lib/api.ts'
import { useCallbackCheck } from '../../lib/callback-check.ts'
import { useContinuation } from '../../lib/continuation.ts'
import { useForm } from '../../lib/form.ts'
import { leave } from '../../lib/leave.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Field } from '../../ui/field.tsx'
import { Page } from '../../ui/member-page.tsx'
import { formClass } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'
import { Note } from '../../ui/state.tsx'
import { Submit } from '../../ui/submit.tsx'
import { toast } from '../../ui/toasts.tsx'
import { createTexts } from './create.texts.ts'
import { useRules } from './current.tsx'
import { isSlug, SlugField, slugOf } from './slug-field.tsx'
import { organizationTexts } from './texts.ts'

export default function CreateOrganization() {
  const t = useTexts(createTexts)
  const org = useTexts(organizationTexts)
  const { creatable } = useRules()
  return (
    <Page title={t.createTitle} intro={t.createIntro}>
      <Section>
        {creatable ? <CreateForm /> : <Note>{org.errors.YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION}</Note>}
      </Section>
    </Page>
  )
}

function CreateForm() {
  const t = useTexts(createTexts)
  const org = useTexts(organizationTexts)
  const [, navigate] = useLocation()
  // A product that needs an organization sends its user here.
  const { callbackURL, path } = useContinuation()
  const [back] = useCallbackCheck(path ? undefined : callbackURL)
  const [slug, setSlug] = useState('')
  // The short name follows the name until the user edits it.
  const [follows, setFollows] = useState(true)
  const form = useForm({
    fields: ['name', 'slug'],
    guard: true,
    check: (values) => ({
      name: !values.name.trim() && org.nameRequired,
      slug: !values.slug ? t.slugRequired : !isSlug(values.slug) && org.slugInvalid,
    }),
    send: (values) => auth.organization.create({ name: values.name.trim(), slug: values.slug }),
    at: { ORGANIZATION_ALREADY_EXISTS: 'slug' },
    errors: org.errors,
    done({ name }) {
      toast(t.created(name))
      if (callbackURL && back === 'allowed') leave(path ?? callbackURL)
      else navigate('/organization/members')
    },
  })
  return (
    <form {...form.props} className={formClass}>
      <Field
        {...form.field('name')}
        label={org.name}
        autoComplete="organization"
        maxLength={128}
        onChange={(event) => follows && setSlug(slugOf(event.target.value))}
      />
      <SlugField
        {...form.field('slug')}
        value={slug}
        onValue={(value) => {
          setSlug(value)
          setFollows(value === '')
        }}
      />
      <Submit form={form}>{t.createAction}</Submit>
    </form>
  )
}
