import { auth } from '../../lib/api.ts'
import { useForm } from '../../lib/form.ts'
import { useInTurn } from '../../lib/in-turn.ts'
import { useQuery } from '../../lib/queries.ts'
import { defineTexts, useTexts } from '../../lib/texts/texts.ts'
import { Checkbox } from '../../ui/field.tsx'
import { ProgressBar } from '../../ui/progress.tsx'
import { Loaded } from '../../ui/state.tsx'
import { Submit } from '../../ui/submit.tsx'
import { toast } from '../../ui/toasts.tsx'
import type { Member, Organization, Team } from './current.tsx'
import { memberListTexts } from './member-list.texts.ts'
import { nameOf } from './person.tsx'
import { organizationTexts } from './texts.ts'

const memberTeamsTexts = defineTexts('memberTeams', {
  teams: 'Teams',
  changed: 'The teams of {name} have been changed.',
})

interface Props {
  member: Member
  organization: Organization
  close(): void
}

/** The teams of a member, as checkboxes. */
export function MemberTeams(props: Props) {
  const org = useTexts(organizationTexts)
  const { id: organizationId } = props.organization
  const { userId } = props.member
  const teams = useQuery(['activeOrganization', 'teams', userId], () =>
    auth.organization.listUserTeams({ query: { userId, organizationId } }),
  )
  return (
    <Loaded of={teams} errors={org.errors}>
      {(list) => <TeamsForm {...props} current={list} />}
    </Loaded>
  )
}

const teamField = (id: string) => `team-${id}`

function TeamsForm({ member, organization, current, close }: Props & { current: Team[] }) {
  const t = useTexts(memberTeamsTexts)
  const org = useTexts(organizationTexts)
  const all = organization.teams ?? []
  const list = useTexts(memberListTexts)
  const isIn = (id: string) => current.some((team) => team.id === id)
  // The protocol has one call for each team.
  const { progress, run } = useInTurn(({ id: teamId, add }: { id: string; add: boolean }) => {
    const change = { teamId, userId: member.userId, organizationId: organization.id }
    return add ? auth.organization.addTeamMember(change) : auth.organization.removeTeamMember(change)
  })
  const form = useForm({
    fields: all.map(({ id }) => teamField(id)),
    async send(values) {
      const changes = all
        .map(({ id }) => ({ id, add: values[teamField(id)] === 'on' }))
        .filter(({ id, add }) => add !== isIn(id))
      const [failure] = await run(changes)
      return failure ? { data: null, error: failure.error } : { data: true, error: null }
    },
    errors: org.errors,
    done() {
      close()
      toast(t.changed(nameOf(member)))
    },
  })
  return (
    <form {...form.props} className="grid gap-5">
      <fieldset className="grid gap-2.5">
        <legend className="mb-1.5 font-medium">{t.teams}</legend>
        {all.map(({ id, name }) => (
          <Checkbox key={id} name={teamField(id)} label={name} defaultChecked={isIn(id)} />
        ))}
      </fieldset>
      {progress && progress.total > 1 && (
        <ProgressBar of={progress}>{list.savingTeams(progress.done + 1, progress.total)}</ProgressBar>
      )}
      <Submit form={form} onCancel={close}>
        {org.save}
      </Submit>
    </form>
  )
}
