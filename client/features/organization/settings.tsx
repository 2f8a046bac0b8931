import { useState } from 'react'
import { splitRoles } from '../../../worker/kit/permissions.ts'
import { auth, useConfig } from '../../lib/api.ts'
import { useForm } from '../../lib/form.ts'
import { defineTexts, useTexts } from '../../lib/texts/texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { ConfirmDestroy } from '../../ui/confirm-destroy.tsx'
import { Field } from '../../ui/field.tsx'
import { Page } from '../../ui/member-page.tsx'
import { formClass } from '../../ui/page.tsx'
import { PictureUpload } from '../../ui/picture-upload.tsx'
import { Save } from '../../ui/save.tsx'
import { Section } from '../../ui/section.tsx'
import { Avatar } from '../../ui/small.tsx'
import { Day } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'
import { createTexts } from './create.texts.ts'
import { type Current, endedByUser, useRoleNames, useRules, WhyNot, WithOrganization } from './current.tsx'
import { logoTexts } from './logo.texts.ts'
import { Roles } from './roles.tsx'
import { isSlug, SlugField } from './slug-field.tsx'
import { organizationTexts } from './texts.ts'

const settingsTexts = defineTexts('organizationSettings', {
  settingsTitle: 'Settings',
  settingsIntro: 'Name, slug and logo of the organization, and what its members may do.',
  saved: 'The organization has been saved.',
  id: 'Organization ID',
  yourRole: 'Your role',
  leaveTitle: 'Leave',
  leaveIntro: 'You lose access to {name} immediately. You need a new invitation to come back.',
  leaveOnlyOwner: 'You are the only owner. Make someone else an owner first, or delete the organization.',
  leaveAction: 'Leave organization',
  leaveQuestion: 'Leave {name}?',
  left: 'You have left {name}.',
  deleteIntro: 'This permanently deletes {name} and everything in it, for everyone.',
  deleteAction: 'Delete organization',
  membersLoseAccess: { one: '{count} member loses access.', other: '{count} members lose access.' },
  teamsAreDeleted: { one: '{count} team is deleted.', other: '{count} teams are deleted.' },
  deleteWhat: 'Open invitations stop working. This cannot be undone.',
  deleted: '{name} has been deleted.',
  singleSignOn: 'Single sign-on',
  singleSignOnIntro: 'People sign in with the identity provider of the organization.',
  singleSignOnOpen: 'Manage single sign-on',
})

const isWebAddress = (text: string) => URL.canParse(text) && new URL(text).protocol === 'https:'

export default function OrganizationSettings() {
  const t = useTexts(settingsTexts)
  return (
    <WithOrganization title={t.settingsTitle} intro={t.settingsIntro}>
      {(current) => (
        <Page title={t.settingsTitle} intro={t.settingsIntro}>
          <Section id="name">
            {current.may({ organization: ['update'] }) ? (
              <>
                <Logo {...current} />
                <SettingsForm key={current.organization.id} {...current} />
              </>
            ) : (
              <WhyNot wanted={{ organization: ['update'] }} />
            )}
            <Facts {...current} />
          </Section>
          <SingleSignOn {...current} />
          <Roles {...current} />
          <Leave {...current} />
          <Delete {...current} />
        </Page>
      )}
    </WithOrganization>
  )
}

/** Whether a logo was uploaded here: users do not edit its address. */
const isUploaded = (logo: string | null | undefined) => logo?.includes('/organization/logo/') ?? false

function Logo({ organization }: Current) {
  const t = useTexts(logoTexts)
  const { id: organizationId, name, logo } = organization
  return (
    <div className="flex flex-wrap items-center gap-4">
      <Avatar name={name} image={logo} size={64} />
      <PictureUpload
        exists={Boolean(logo)}
        labels={t}
        upload={(webp) => auth.organization.logo({ organizationId, webp })}
        remove={() => auth.organization.update({ organizationId, data: { logo: null } })}
        done={() => toast(t.saved)}
      />
    </div>
  )
}

function SettingsForm({ organization }: Current) {
  const t = useTexts(createTexts)
  const settings = useTexts(settingsTexts)
  const org = useTexts(organizationTexts)
  const logoText = useTexts(logoTexts)
  const [slug, setSlug] = useState(organization.slug)
  const address = isUploaded(organization.logo) ? '' : (organization.logo ?? '')
  const form = useForm({
    fields: ['name', 'slug', 'logo'],
    guard: true,
    check: (values) => ({
      name: !values.name.trim() && org.nameRequired,
      slug: values.slug !== organization.slug && !isSlug(values.slug) && org.slugInvalid,
      logo: values.logo.trim() && !isWebAddress(values.logo.trim()) && t.logoInvalid,
    }),
    send: (values) => {
      const logo = values.logo.trim()
      const changed = logo === address ? {} : { logo: logo || null }
      const data = { name: values.name.trim(), slug: values.slug, ...changed }
      return auth.organization.update({ organizationId: organization.id, data })
    },
    at: { ORGANIZATION_ALREADY_EXISTS: 'slug' },
    errors: org.errors,
    done: () => toast(settings.saved),
  })
  const logo = form.field('logo')
  return (
    <form {...form.props} className={formClass}>
      <details open={Boolean(address || logo.error) || undefined}>
        <summary className="min-h-10 w-fit py-2 text-soft">{logoText.byAddress}</summary>
        <Field
          key={address}
          {...logo}
          className="pt-1"
          label={t.logo}
          hint={t.logoHint}
          optional
          type="url"
          inputMode="url"
          autoComplete="off"
          defaultValue={address}
        />
      </details>
      <Field
        {...form.field('name')}
        label={org.name}
        autoComplete="organization"
        maxLength={128}
        defaultValue={organization.name}
      />
      <SlugField {...form.field('slug')} value={slug} onValue={setSlug} own={organization.slug} />
      <Save form={form}>{t.save}</Save>
    </form>
  )
}

function Facts({ organization, me }: Current) {
  const t = useTexts(settingsTexts)
  const org = useTexts(organizationTexts)
  const names = useRoleNames()
  return (
    <dl className="grid gap-x-6 gap-y-1 border-t pt-5 text-sm text-soft max-sm:[&_dt:not(:first-child)]:mt-2 sm:grid-cols-[auto_1fr]">
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

/** Leads to the single sign-on, for members who may see it. */
function SingleSignOn({ may }: Current) {
  const t = useTexts(settingsTexts)
  const { features } = useConfig()
  if (!features.singleSignOn || !may({ singleSignOn: ['read'] })) return null
  return (
    <Section
      id="single-sign-on"
      title={t.singleSignOn}
      intro={t.singleSignOnIntro}
      action={<ButtonLink to="/organization/settings/single-sign-on">{t.singleSignOnOpen}</ButtonLink>}
    >
      {null}
    </Section>
  )
}

function Leave({ organization, isOwner }: Current) {
  const t = useTexts(settingsTexts)
  const org = useTexts(organizationTexts)
  const { creatorRole } = useRules()
  const { id, name, slug, members } = organization
  const owners = members.filter(({ role }) => splitRoles(role).includes(creatorRole)).length
  // Explained, without the colour of a danger that does not exist.
  if (isOwner && owners === 1) {
    return (
      <Section id="leave" title={t.leaveTitle}>
        <p className="text-soft">{t.leaveOnlyOwner}</p>
      </Section>
    )
  }
  return (
    <Section id="leave" title={t.leaveTitle} intro={t.leaveIntro(name)} danger>
      <div>
        <ConfirmDestroy
          id="leave-organization"
          title={t.leaveQuestion(name)}
          action={t.leaveAction}
          phrase={slug}
          errors={org.errors}
          send={() => auth.organization.leave({ organizationId: id })}
          done={() => {
            endedByUser.add(id)
            toast(t.left(name))
          }}
        >
          {t.leaveIntro(name)}
        </ConfirmDestroy>
      </div>
    </Section>
  )
}

function Delete({ organization, may }: Current) {
  const t = useTexts(settingsTexts)
  const org = useTexts(organizationTexts)
  const { deletable } = useRules()
  const { id, name, slug, members, teams } = organization
  if (!deletable || !may({ organization: ['delete'] })) return null
  return (
    <Section id="delete" title={t.delete} intro={t.deleteIntro(name)} danger>
      <div>
        <ConfirmDestroy
          id="delete-organization"
          title={t.deleteQuestion(name)}
          action={t.deleteAction}
          phrase={slug}
          errors={org.errors}
          send={() => auth.organization.delete({ organizationId: id })}
          done={() => {
            endedByUser.add(id)
            toast(t.deleted(name))
          }}
        >
          {t.membersLoseAccess(members.length)} {teams?.length ? `${t.teamsAreDeleted(teams.length)} ` : ''}
          {t.deleteWhat}
        </ConfirmDestroy>
      </div>
    </Section>
  )
}
