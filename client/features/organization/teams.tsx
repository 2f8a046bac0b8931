import { MoreHorizontal } from 'lucide-react'
import { useState } from 'react'
import { auth } from '../../lib/api.ts'
import { useForm } from '../../lib/form.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDestroy } from '../../ui/confirm-destroy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Page } from '../../ui/member-page.tsx'
import { Menu, MenuButton } from '../../ui/menu.tsx'
import { Section } from '../../ui/page.tsx'
import { Badge } from '../../ui/small.tsx'
import { EmptyState } from '../../ui/state.tsx'
import { Submit } from '../../ui/submit.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'
import { type Current, type Team, WhyNot, WithOrganization } from './current.tsx'
import { teamsTexts } from './teams.texts.ts'
import { organizationTexts } from './texts.ts'

export default function Teams() {
  const t = useTexts(teamsTexts)
  return <WithOrganization title={t.teamsTitle}>{(current) => <TeamsPage {...current} />}</WithOrganization>
}

function TeamsPage(current: Current) {
  const t = useTexts(teamsTexts)
  const { organization, may } = current
  const columns = useColumns(current)
  const teams = organization.teams ?? []
  const create = may({ team: ['create'] }) && <CreateTeam organizationId={organization.id} />
  return (
    <Page title={t.teamsTitle} intro={t.teamsIntro} actions={teams.length > 0 && create}>
      {teams.length > 0 ? (
        <Section>
          <Table caption={t.teamsCaption} columns={columns} rows={teams} rowKey={({ id }) => id} />
        </Section>
      ) : (
        <EmptyState action={create}>{t.noTeams}</EmptyState>
      )}
      {!create && <WhyNot wanted={{ team: ['create', 'update', 'delete'] }} />}
    </Page>
  )
}

function useColumns(current: Current): Column<Team>[] {
  const t = useTexts(teamsTexts)
  const org = useTexts(organizationTexts)
  const { organization, me, may } = current
  const columns: Column<Team>[] = [
    {
      key: 'name',
      label: org.name,
      lead: true,
      cell: ({ id, name }) => (
        <span className="flex flex-wrap items-center gap-2 text-start">
          <span className="font-medium">{name}</span>
          {id === me.teamId && <Badge tone="accent">{t.ownTeam}</Badge>}
        </span>
      ),
    },
    {
      key: 'members',
      label: t.teamMembers,
      cell: (team) => organization.members.filter(({ teamId }) => teamId === team.id).length,
    },
    { key: 'since', label: org.since, cell: ({ createdAt }) => <Time date={createdAt} /> },
  ]
  if (may({ team: ['update'] }) || may({ team: ['delete'] })) {
    columns.push({
      key: 'actions',
      label: '',
      align: 'end',
      menu: true,
      cell: (team) => <Actions team={team} {...current} />,
    })
  }
  return columns
}

function Actions({ team, organization, me, may }: Current & { team: Team }) {
  const t = useTexts(teamsTexts)
  const org = useTexts(organizationTexts)
  const { save } = useTexts()
  const [renaming, setRenaming] = useState(false)
  const { id, name } = team
  const mayRename = may({ team: ['update'] })
  const mayRemove = may({ team: ['delete'] }) && id !== me.teamId
  if (!mayRename && !mayRemove) return null
  return (
    <span className="ms-auto">
      <ConfirmDestroy
        title={t.removeTeamQuestion(name)}
        action={t.removeTeam}
        errors={org.errors}
        send={() => auth.organization.removeTeam({ teamId: id, organizationId: organization.id })}
        done={() => toast(t.teamRemoved(name))}
        trigger={(ask) => (
          <Menu button={<MoreHorizontal aria-hidden size={18} />} label={org.actionsFor(name)}>
            {mayRename && <MenuButton onClick={() => setRenaming(true)}>{t.rename}</MenuButton>}
            {mayRemove && (
              <MenuButton danger onClick={ask}>
                {t.removeTeam}
              </MenuButton>
            )}
          </Menu>
        )}
      >
        {t.removeTeamWhat}
      </ConfirmDestroy>
      <Dialog open={renaming} title={t.renameTitle(name)} onClose={() => setRenaming(false)}>
        <NameForm
          action={save}
          value={name}
          close={() => setRenaming(false)}
          send={(next) =>
            auth.organization.updateTeam({ teamId: id, data: { name: next, organizationId: organization.id } })
          }
          done={() => {
            setRenaming(false)
            toast(t.renamed)
          }}
        />
      </Dialog>
    </span>
  )
}

function CreateTeam({ organizationId }: { organizationId: string }) {
  const t = useTexts(teamsTexts)
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        {t.createTeam}
      </Button>
      <Dialog open={open} title={t.createTeam} onClose={() => setOpen(false)}>
        <NameForm
          action={t.createTeamAction}
          close={() => setOpen(false)}
          send={(name) => auth.organization.createTeam({ name, organizationId })}
          done={(name) => {
            setOpen(false)
            toast(t.teamCreated(name))
          }}
        />
      </Dialog>
    </>
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
    done: ({ name }) => done(name),
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
