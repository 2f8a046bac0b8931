import { UserPlus } from 'lucide-react'
import { Link, useParams } from 'wouter'
import { auth } from '../../lib/api.ts'
import { useForm } from '../../lib/form.ts'
import { shownName } from '../../lib/phone.ts'
import { isPlaceholder } from '../../lib/placeholder.ts'
import { useQuery } from '../../lib/queries.ts'
import { defineTexts, useTexts } from '../../lib/texts/texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { ConfirmDestroy } from '../../ui/confirm-destroy.tsx'
import { DialogButton } from '../../ui/dialog.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Page } from '../../ui/member-page.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState, ErrorPanel, Skeleton } from '../../ui/state.tsx'
import { Submit } from '../../ui/submit.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'
import { type Current, type Member, type Team, WithOrganization } from './current.tsx'
import { nameOf, Person } from './person.tsx'
import { organizationTexts } from './texts.ts'

const teamTexts = defineTexts('organizationTeam', {
  team: 'Team',
  allTeams: 'All teams',
  caption: 'Members of the team {team}',
  empty: 'This team has no members yet.',
  everybody: 'Everybody in the organization is in this team.',
  hidden: 'Only its members, and people who manage members, see who is in this team.',
  add: 'Add people',
  addTo: 'Add to {team}',
  person: 'Person',
  choosePerson: 'Choose a person',
  personRequired: 'Choose a person.',
  added: '{name} is now in {team}.',
  since: 'In the team',
  remove: 'Remove',
  removeOne: 'Remove {name} from the team',
  removeQuestion: 'Remove {name} from {team}?',
  removeWhat: '{name} stays in the organization.',
  removed: '{name} is no longer in {team}.',
})

export default function TeamScreen() {
  const t = useTexts(teamTexts)
  const org = useTexts(organizationTexts)
  const { id } = useParams()
  return (
    <WithOrganization title={t.team}>
      {(current) => {
        const team = current.organization.teams?.find((each) => each.id === id)
        if (team) return <TeamPage key={team.id} team={team} {...current} />
        return (
          <Page title={t.team}>
            <EmptyState action={<ButtonLink to="/organization/teams">{t.allTeams}</ButtonLink>}>
              {org.errors.TEAM_NOT_FOUND}
            </EmptyState>
          </Page>
        )
      }}
    </WithOrganization>
  )
}

interface Row {
  member: Member
  since: Date
}

function TeamPage({ team, ...current }: Current & { team: Team }) {
  const t = useTexts(teamTexts)
  const org = useTexts(organizationTexts)
  const { organization, may } = current
  const { data, error, isPending, refetch } = useQuery(['activeOrganization', 'team', team.id], () =>
    auth.organization.listTeamMembers({ query: { teamId: team.id } }),
  )
  const rows = (data ?? []).flatMap(({ userId, createdAt }) => {
    const member = organization.members.find((each) => each.userId === userId)
    return member ? [{ member, since: createdAt }] : []
  })
  const others = organization.members.filter(({ userId }) => !data?.some((each) => each.userId === userId))
  const columns: (Column<Row> | false)[] = [
    { key: 'person', label: t.person, lead: true, cell: ({ member }) => <Person user={member.user} /> },
    { key: 'since', label: t.since, minor: true, cell: ({ since }) => <Time date={since} /> },
    may({ member: ['delete'] }) && {
      key: 'actions',
      label: '',
      align: 'end',
      menu: true,
      cell: ({ member }) => <Remove member={member} team={team} />,
    },
  ]
  const mayAdd = data !== null && may({ member: ['update'] })
  const hidden = error?.code === 'USER_IS_NOT_A_MEMBER_OF_THE_TEAM'
  return (
    <Page
      wide
      title={team.name}
      intro={
        <Link href="/organization/teams" className="link">
          {t.allTeams}
        </Link>
      }
      actions={mayAdd && others.length > 0 && <Add team={team} others={others} />}
    >
      {hidden ? (
        <p className="text-soft">{t.hidden}</p>
      ) : data ? (
        rows.length > 0 ? (
          <Section>
            <Table
              caption={t.caption(team.name)}
              columns={columns}
              rows={rows}
              rowKey={({ member }) => member.id}
              compact
            />
            {mayAdd && others.length === 0 && <p className="text-sm text-soft">{t.everybody}</p>}
          </Section>
        ) : (
          <EmptyState>{t.empty}</EmptyState>
        )
      ) : isPending || !error ? (
        <Skeleton lines={4} />
      ) : (
        <ErrorPanel error={error} errors={org.errors} onRetry={() => void refetch()} />
      )}
    </Page>
  )
}

function Add({ team, others }: { team: Team; others: Member[] }) {
  const t = useTexts(teamTexts)
  return (
    <DialogButton
      look="primary"
      label={
        <>
          <UserPlus aria-hidden size={17} />
          {t.add}
        </>
      }
      title={t.addTo(team.name)}
    >
      {(close) => <AddForm team={team} others={others} close={close} />}
    </DialogButton>
  )
}

function AddForm({ team, others, close }: { team: Team; others: Member[]; close(): void }) {
  const t = useTexts(teamTexts)
  const org = useTexts(organizationTexts)
  const { id: teamId, organizationId } = team
  const form = useForm({
    fields: ['person'],
    check: ({ person }) => ({ person: !person && t.personRequired }),
    send: ({ person }) => auth.organization.addTeamMember({ teamId, userId: person, organizationId }),
    errors: org.errors,
    done(_answer, { person }) {
      const added = others.find(({ userId }) => userId === person)
      close()
      if (added) toast(t.added(nameOf(added), team.name))
    },
  })
  return (
    <form {...form.props} className="grid gap-5">
      <SelectField {...form.field('person')} label={t.person}>
        <option value="">{t.choosePerson}</option>
        {others.map(({ userId, user }) => (
          <option key={userId} value={userId}>
            {isPlaceholder(user.email) ? shownName(user.name) : user.name ? `${user.name} (${user.email})` : user.email}
          </option>
        ))}
      </SelectField>
      <Submit form={form} onCancel={close}>
        {t.add}
      </Submit>
    </form>
  )
}

function Remove({ member, team }: { member: Member; team: Team }) {
  const t = useTexts(teamTexts)
  const org = useTexts(organizationTexts)
  const name = nameOf(member)
  const { id: teamId, organizationId } = team
  return (
    <span className="ms-auto">
      <ConfirmDestroy
        title={t.removeQuestion(name, team.name)}
        action={t.remove}
        label={t.removeOne(name)}
        look="quiet"
        errors={org.errors}
        send={() => auth.organization.removeTeamMember({ teamId, userId: member.userId, organizationId })}
        done={() => toast(t.removed(name, team.name))}
      >
        {t.removeWhat(name)}
      </ConfirmDestroy>
    </span>
  )
}
