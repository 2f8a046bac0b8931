import { useState } from 'react'
import { auth } from '../../lib/api.ts'
import { useForm } from '../../lib/form.ts'
import { splitRoles } from '../../lib/permissions.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { ConfirmDestroy } from '../../ui/confirm-destroy.tsx'
import { Field } from '../../ui/field.tsx'
import { Page } from '../../ui/member-page.tsx'
import { formClass, Section } from '../../ui/page.tsx'
import { Avatar } from '../../ui/small.tsx'
import { Submit } from '../../ui/submit.tsx'
import { Day } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'
import { createTexts } from './create.texts.ts'
import { type Current, useRoleNames, useRules, WhyNot, WithOrganization } from './current.tsx'
import { settingsTexts } from './settings.texts.ts'
import { isSlug, SlugField } from './slug-field.tsx'
import { organizationTexts } from './texts.ts'

const isWebAddress = (text: string) => URL.canParse(text) && new URL(text).protocol === 'https:'

export default function OrganizationSettings() {
  const t = useTexts(settingsTexts)
  return (
    <WithOrganization title={t.settingsTitle}>
      {(current) => (
        <Page title={t.settingsTitle} intro={t.settingsIntro(current.organization.name)}>
          <Section>
            {current.may({ organization: ['update'] }) ? (
              <SettingsForm key={current.organization.id} {...current} />
            ) : (
              <WhyNot wanted={{ organization: ['update'] }} />
            )}
            <Facts {...current} />
          </Section>
          <Leave {...current} />
          <Delete {...current} />
        </Page>
      )}
    </WithOrganization>
  )
}

function SettingsForm({ organization }: Current) {
  const t = useTexts(createTexts)
  const settings = useTexts(settingsTexts)
  const org = useTexts(organizationTexts)
  const { save } = useTexts()
  const [slug, setSlug] = useState(organization.slug)
  const [logo, setLogo] = useState(organization.logo ?? '')
  const form = useForm({
    fields: ['name', 'slug', 'logo'],
    guard: true,
    check: (values) => ({
      name: !values.name.trim() && org.nameRequired,
      slug: values.slug !== organization.slug && !isSlug(values.slug) && org.slugInvalid,
      logo: values.logo.trim() && !isWebAddress(values.logo.trim()) && t.logoInvalid,
    }),
    send: (values) =>
      auth.organization.update({
        organizationId: organization.id,
        data: { name: values.name.trim(), slug: values.slug, logo: values.logo.trim() || null },
      }),
    at: { ORGANIZATION_ALREADY_EXISTS: 'slug' },
    errors: org.errors,
    done: () => toast(settings.saved),
  })
  return (
    <form {...form.props} className={formClass}>
      <Field
        {...form.field('name')}
        label={org.name}
        autoComplete="organization"
        maxLength={128}
        defaultValue={organization.name}
      />
      <SlugField {...form.field('slug')} value={slug} onValue={setSlug} own={organization.slug} />
      <div className="flex items-start gap-4">
        <Avatar name={organization.name} image={isWebAddress(logo) ? logo : null} size={64} />
        <Field
          {...form.field('logo')}
          className="flex-1"
          label={t.logo}
          hint={t.logoHint}
          optional
          type="url"
          inputMode="url"
          autoComplete="off"
          defaultValue={organization.logo ?? ''}
          onChange={(event) => setLogo(event.target.value.trim())}
        />
      </div>
      <Submit form={form}>{save}</Submit>
    </form>
  )
}

function Facts({ organization, me }: Current) {
  const t = useTexts(settingsTexts)
  const org = useTexts(organizationTexts)
  const names = useRoleNames()
  return (
    <dl className="grid gap-x-6 gap-y-1 text-soft sm:grid-cols-[auto_1fr]">
      <dt>{t.yourRole}</dt>
      <dd className="text-ink">{names.all(me.role)}</dd>
      <dt>{org.since}</dt>
      <dd className="text-ink">
        <Day date={organization.createdAt} />
      </dd>
      <dt>{t.id}</dt>
      <dd className="font-mono text-ink text-sm break-all">{organization.id}</dd>
    </dl>
  )
}

function Leave({ organization, isOwner }: Current) {
  const t = useTexts(settingsTexts)
  const org = useTexts(organizationTexts)
  const { creatorRole } = useRules()
  const { id, name, slug, members } = organization
  const owners = members.filter(({ role }) => splitRoles(role).includes(creatorRole)).length
  return (
    <Section title={t.leaveTitle} intro={t.leaveIntro(name)} danger>
      {isOwner && owners === 1 ? (
        <p className="text-sm text-soft">{t.leaveOnlyOwner}</p>
      ) : (
        <div>
          <ConfirmDestroy
            title={t.leaveQuestion(name)}
            action={t.leaveAction}
            phrase={slug}
            errors={org.errors}
            send={() => auth.organization.leave({ organizationId: id })}
            done={() => toast(t.left(name))}
          >
            {t.leaveIntro(name)}
          </ConfirmDestroy>
        </div>
      )}
    </Section>
  )
}

function Delete({ organization, may }: Current) {
  const t = useTexts(settingsTexts)
  const org = useTexts(organizationTexts)
  const { deletable } = useRules()
  const { id, name, slug, members, teams } = organization
  return (
    <Section title={t.deleteTitle} intro={t.deleteIntro(name)} danger>
      {!deletable ? (
        <p className="text-sm text-soft">{t.deleteOff}</p>
      ) : !may({ organization: ['delete'] }) ? (
        <WhyNot wanted={{ organization: ['delete'] }} />
      ) : (
        <div>
          <ConfirmDestroy
            title={t.deleteQuestion(name)}
            action={t.deleteAction}
            phrase={slug}
            errors={org.errors}
            send={() => auth.organization.delete({ organizationId: id })}
            done={() => toast(t.deleted(name))}
          >
            {t.deleteWhat(members.length, teams?.length ?? 0)}
          </ConfirmDestroy>
        </div>
      )}
    </Section>
  )
}
