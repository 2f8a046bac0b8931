import type { FeatureCases } from '../../../testing/cases.ts'
import type { TestApp } from '../../../testing/harness.ts'
import { join, someone } from '../../../testing/organizations.ts'
import type { Person } from '../../../testing/people.ts'
import { owning, slugOf, withColleague } from '../../../testing/set-ups.ts'

async function withTeam(app: TestApp, person: Person) {
  const { device } = await owning(app, person)
  await device.post('/organization/create-team', { name: 'First' })
  const { body } = await device.post('/organization/create-team', { name: 'Second' })
  return { device, given: body.id as string }
}

interface InTeam {
  teamId: string
  userId: string
}

/** The owner of an organization, a team of it, and a member. */
async function withTeamAndMember(app: TestApp, person: Person) {
  const { at, device } = await owning(app, person)
  const { body: team } = await device.post('/organization/create-team', { name: 'Second' })
  const member = await someone(app, `colleague-of-${slugOf(person)}`)
  await join(at, member)
  const given: InTeam = { teamId: team.id, userId: member.id }
  return { device, given, member: member.device }
}

/** The same with the member in the team. The device is the one of the owner. */
async function withTeamMember(app: TestApp, person: Person) {
  const made = await withTeamAndMember(app, person)
  await made.device.post('/organization/add-team-member', made.given)
  return made
}

export const cases: FeatureCases = {
  config: { organization: { teams: { enabled: true } } },
  faults: {
    'a team is made': {
      endpoint: 'POST /organization/create-team',
      before: withColleague,
      input: () => ({ name: 'Team' }),
      afterwards: ['TEAM_ALREADY_EXISTS'],
    },
    'a team is renamed': {
      endpoint: 'POST /organization/update-team',
      before: withTeam,
      input: (teamId) => ({ teamId, data: { name: 'Renamed' } }),
    },
    'a team is removed': {
      endpoint: 'POST /organization/remove-team',
      before: withTeam,
      input: (teamId) => ({ teamId }),
      afterwards: ['TEAM_NOT_FOUND'],
    },
    'a member is added to a team': {
      endpoint: 'POST /organization/add-team-member',
      before: withTeamAndMember,
    },
    'a member is removed from a team': {
      endpoint: 'POST /organization/remove-team-member',
      before: withTeamMember,
      afterwards: ['USER_IS_NOT_A_MEMBER_OF_THE_TEAM'],
    },
    'a team becomes the active one': {
      endpoint: 'POST /organization/set-active-team',
      before: async (app, person) => {
        const { member, given } = await withTeamMember(app, person)
        return { device: member, given }
      },
      input: ({ teamId }: InTeam) => ({ teamId }),
    },
  },
}
