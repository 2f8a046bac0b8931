import { useState } from 'react'
import { Link } from 'wouter'
import { auth } from '../../lib/api.ts'
import { useForm } from '../../lib/form.ts'
import { defineTexts, useTexts } from '../../lib/texts/texts.ts'
import { ConfirmDestroy } from '../../ui/confirm-destroy.tsx'
import { Cut } from '../../ui/cut.tsx'
import { Dialog, DialogButton } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Page } from '../../ui/member-page.tsx'
import { Menu, MenuButton } from '../../ui/menu.tsx'
import { Section } from '../../ui/section.tsx'
import { Badge } from '../../ui/small.tsx'
import { EmptyState } from '../../ui/state.tsx'
import { Submit } from '../../ui/submit.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'
import { type Current, type Team, WhyNot, WithOrganization } from './current.tsx'
import { organizationTexts } from './texts.ts'

const teamsTexts = defineTexts('organizationTeams', {
  teamsTitle: 'Teams',
  teamsIntro: 'Groups within the organization. Open a team to see its members and to add people.',
  teamsCaption: 'Teams of the organization',
  noTeams: 'There are no teams.',
  createTeam: 'New team',
  createTeamAction: 'Create team',
  teamCreated: 'The team {name} has been created.',
  renamed: 'The team has been renamed.',
  removeTeamQuestion: 'Delete the team {name}?',
  removeTeamWhat: 'Its members stay in the organization.',
  teamRemoved: 'The team {name} has been deleted.',
  ownTeam: 'Your own team',
})

export default function Teams() {
  const t = useTexts(teamsTexts)
  return (
    <WithOrganization wide title={t.teamsTitle} intro={t.teamsIntro}>
      {(current) => <TeamsPage {...current} />}
    </WithOrganization>
  )
}

function TeamsPage(current: Current) {
  const t = useTexts(teamsTexts)
  const { organization, may } = current
  const columns = useColumns(current)
  const teams = organization.teams ?? []
  const create = may({ team: ['create'] }) && <CreateTeam organizationId={organization.id} />
  return (
    <Page wide title={t.teamsTitle} intro={t.teamsIntro} actions={teams.length > 0 && create}>
      {teams.length > 0 ? (
        <Section>
          <Table caption={t.teamsCaption} columns={columns} rows={teams} rowKey={({ id }) => id} compact />
        </Section>
      ) : (
        <EmptyState action={create}>{t.noTeams}</EmptyState>
      )}
      {!create && <WhyNot wanted={{ team: ['create', 'update', 'delete'] }} />}
    </Page>
  )
}

function useColumns(current: Current): (Column<Team> | false)[] {
  const t = useTexts(teamsTexts)
  const org = useTexts(organizationTexts)
  const { me, may } = current
  return [
    {
      key: 'name',
      label: org.name,
      lead: true,
      cell: ({ id, name }) => (
        <span className="flex items-center gap-2 text-start">
          <Link href={`/organization/teams/${id}`} className="link block min-w-0 font-medium">
            <Cut>{name}</Cut>
          </Link>
          {id === me.teamId && <Badge tone="accent">{t.ownTeam}</Badge>}
        </span>
      ),
    },
    { key: 'since', label: org.since, minor: true, cell: ({ createdAt }) => <Time date={createdAt} /> },
    (may({ team: ['update'] }) || may({ team: ['delete'] })) && {
      key: 'actions',
      label: '',
      align: 'end',
      menu: true,
      cell: (team) => <Actions team={team} {...current} />,
    },
  ]
}

function Actions({ team, organization, me, may }: Current & { team: Team }) {
  const t = useTexts(teamsTexts)
  const org = useTexts(organizationTexts)
  const [renaming, setRenaming] = useState(false)
  const { id, name } = team
  const mayRename = may({ team: ['update'] })
  const mayRemove = may({ team: ['delete'] }) && id !== me.teamId
  if (!mayRename && !mayRemove) return null
  return (
    <span className="ms-auto">
      <ConfirmDestroy
        title={t.removeTeamQuestion(name)}
        action={t.delete}
        errors={org.errors}
        send={() => auth.organization.removeTeam({ teamId: id, organizationId: organization.id })}
        done={() => toast(t.teamRemoved(name))}
        trigger={(ask) => (
          <Menu label={org.actionsFor(name)}>
            {mayRename && <MenuButton onClick={() => setRenaming(true)}>{t.rename}</MenuButton>}
            {mayRemove && (
              <MenuButton danger onClick={ask}>
                {t.delete}
              </MenuButton>
            )}
          </Menu>
        )}
      >
        {t.removeTeamWhat}
      </ConfirmDestroy>
      <Dialog open={renaming} title={t.renameOne(name)} onClose={() => setRenaming(false)}>
        <NameForm
          action={t.save}
          value={name}
          close={() => setRenaming(false)}
          send={(next) =>
            auth.organization.updateTeam({ teamId: id, data: { name: next, organizationId: organization.id } })
          }
          done={() => toast(t.renamed)}
        />
      </Dialog>
    </span>
  )
}

function CreateTeam({ organizationId }: { organizationId: string }) {
  const t = useTexts(teamsTexts)
  return (
    <DialogButton id="create-team" look="primary" label={t.createTeam}>
      {(close) => (
        <NameForm
          action={t.createTeamAction}
          close={close}
          send={(name) => auth.organization.createTeam({ name, organizationId })}
          done={(name) => toast(t.teamCreated(name))}
        />
      )}
    </DialogButton>
  )
}

interface NameFormProps {
  action: string
  value?: string
  send(name: string): ReturnType<typeof auth.organization.createTeam>
  close(): void
  done(name: string): void
}

function NameForm({ action, value, send, close, done }: NameFormProps) {
  const t = useTexts(organizationTexts)
  const form = useForm({
    fields: ['name'],
    check: ({ name }) => ({ name: !name.trim() && t.nameRequired }),
    send: ({ name }) => send(name.trim()),
    at: { TEAM_ALREADY_EXISTS: 'name' },
    errors: t.errors,
    done({ name }) {
      close()
      done(name)
    },
  })
  return (
    <form {...form.props} className="grid gap-5">
      <Field {...form.field('name')} label={t.name} autoComplete="off" maxLength={128} defaultValue={value} />
      <Submit form={form} onCancel={close}>
        {action}
      </Submit>
    </form>
  )
}
