import { enterpriseOptions } from '../../features/enterprise/enterprise.config.ts'
import { maxBreakGlass } from '../../features/enterprise/model/enterprise.schemas.ts'
import { organizationOptions } from '../../features/organization/model/organization.config.ts'
import { oidcConnection } from '../connections.ts'
import type { TestApp } from '../harness.ts'
import { type Company, colleague, company, fill, invite, someone } from '../organizations.ts'
import { picture } from '../picture.ts'
import { rowOf, rowsOf, updateRows } from '../rows.ts'
import {
  type Bound,
  type Bounds,
  daily,
  insertCopies,
  post,
  spendCounter,
  spendDay,
  tooMany,
  written,
} from './bounds.ts'

/** Bounds of organizations, their members and connections. */

const enterprise = { enterprise: { enabled: true } }
const teams = { organization: { teams: { enabled: true } } }
const { defaults } = organizationOptions
const numberOf = (limit: unknown): number => {
  if (typeof limit !== 'number') throw new Error('The default must be a number.')
  return limit
}

const organization = { id: 'o#', name: 'O', slug: 'o#', createdAt: new Date(1) }

/** What an owner of an organization creates up to a maximum. @param fill writes rows of the organization */
const ofOwner = (
  path: `/${string}`,
  code: string,
  max: number,
  fill: (at: Company, have: number) => Promise<void>,
  body: (n: number) => object,
  config: Bound['config'] = enterprise,
): Bound => ({
  by: `an owner: POST ${path}`,
  max,
  per: 'organization',
  config,
  beyond: { status: 403, code },
  async reach(app, have) {
    const at = await company(app, 'acme')
    await fill(at, have)
    return post(at.owner.device, path, body)
  },
})

/** One row of an organization, which an owner replaces. */
const onePerOrganization = (path: `/${string}`, body: (n: number) => object): Bound => ({
  by: `an owner: POST ${path}`,
  max: 1,
  per: 'organization',
  config: enterprise,
  beyond: 'none',
  async reach(app) {
    const { owner } = await company(app, 'acme')
    const replace = post(owner.device, path, body)
    await replace(0)
    return replace
  },
})

const policy = (breakGlass: string[] = []) => ({
  ...{ allowedMethods: null, requiresSecondFactor: false, joinsAutomatically: false },
  breakGlass,
})

async function ownersOf(_app: TestApp, at: Company, count: number): Promise<string[]> {
  await insertCopies('users', count, { id: 'u#', name: 'U', email: 'u#@example.com', ...written() })
  const owner = { organizationId: at.id, role: 'owner', createdAt: new Date(1) }
  await insertCopies('members', count, { id: 'm#', userId: 'u#', ...owner })
  return (await rowsOf('members', { organizationId: at.id })).map(({ id }) => id)
}

export const organizationBounds: Bounds = {
  organizations: [
    {
      by: 'a user: POST /organization/create',
      max: numberOf(defaults.organizationLimit),
      per: 'user',
      beyond: { status: 403, code: 'YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS' },
      async reach(app, have) {
        const { id, device } = await someone(app, 'Max')
        await insertCopies('organizations', have, organization)
        const member = { organizationId: 'o#', userId: id, role: 'owner', createdAt: new Date(1) }
        await insertCopies('members', have, { id: 'm#', ...member })
        return post(device, '/organization/create', (n) => ({ name: 'A', slug: `a${n}` }))
      },
    },
    {
      by: 'a user: POST /organization/create',
      max: daily.user,
      per: 'user and day',
      beyond: tooMany,
      async reach(app, have) {
        const { id, device } = await someone(app, 'Max')
        await spendDay(`user:${id}`, have)
        return post(device, '/organization/create', (n) => ({ name: 'A', slug: `a${n}` }))
      },
    },
    {
      by: 'a guest: POST /organization/create',
      max: daily.guest,
      per: 'guest and day',
      config: { organization: { guestOrganizationLimit: 5 } },
      beyond: tooMany,
      async reach(app, have) {
        const device = app.device()
        await device.post('/sign-in/anonymous')
        await spendDay(`user:${(await rowOf('users'))!.id}`, have)
        return post(device, '/organization/create', (n) => ({ name: 'A', slug: `a${n}` }))
      },
    },
  ],
  members: [
    {
      by: 'an invited user: POST /organization/accept-invitation',
      max: numberOf(defaults.membershipLimit),
      per: 'organization',
      beyond: { status: 403, code: 'ORGANIZATION_MEMBERSHIP_LIMIT_REACHED' },
      async reach(app, have) {
        const at = await company(app, 'acme')
        const invited = [await someone(app, 'First'), await someone(app, 'Second')]
        const ids = [await invite(at, invited[0]!.email), await invite(at, invited[1]!.email)]
        await fill(at, { members: have - 1 })
        return (n) => invited[n - 1]!.device.post('/organization/accept-invitation', { invitationId: ids[n - 1] })
      },
    },
  ],
  invitations: [
    {
      by: 'an owner: POST /organization/invite-member',
      max: numberOf(defaults.invitationLimit),
      per: 'organization',
      beyond: { status: 403, code: 'INVITATION_LIMIT_REACHED' },
      async reach(app, have) {
        const at = await company(app, 'acme')
        await fill(at, { invitations: have })
        return post(at.owner.device, '/organization/invite-member', invitation)
      },
    },
    ...(
      [
        ['invitationsPerPerson', 'person', 'user', (at: Company) => at.owner.id],
        ['invitationsPerOrganization', 'organization', 'organization', (at: Company) => at.id],
        ['invitationsPerAddress', 'address', 'address', (at: Company) => at.owner.device.ip],
      ] as const
    ).map(
      ([option, kind, per, idOf]): Bound => ({
        by: 'an owner: POST /organization/invite-member',
        max: defaults[option].max,
        per: `${per} and ${defaults[option].window} s`,
        beyond: tooMany,
        async reach(app, have) {
          const at = await company(app, 'acme')
          await spendCounter(`invitations:${kind}:${idOf(at)}`, defaults[option], have)
          return post(at.owner.device, '/organization/invite-member', invitation)
        },
      }),
    ),
    {
      by: 'an owner without a verified address: POST /organization/invite-member',
      max: defaults.unverifiedInvitationsPerPerson.max,
      per: 'user and day',
      beyond: { status: 403, code: 'EMAIL_NOT_VERIFIED' },
      async reach(app, have) {
        const at = await company(app, 'acme', await someone(app, 'Max', { verified: false }))
        await spendCounter(`invitations:unverified:${at.owner.id}`, defaults.unverifiedInvitationsPerPerson, have)
        return post(at.owner.device, '/organization/invite-member', invitation)
      },
    },
  ],
  teams: [
    ofOwner(
      '/organization/create-team',
      'YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS',
      numberOf(defaults.teams.maximumTeams),
      async ({ id }, have) => {
        const [first] = await rowsOf('teams', { organizationId: id })
        await insertCopies('teams', have - (first ? 1 : 0), {
          id: 't#',
          name: 'T#',
          organizationId: id,
          createdAt: new Date(1),
        })
      },
      (n) => ({ name: `Team ${n}` }),
      teams,
    ),
  ],
  team_members: [
    {
      by: 'an owner: POST /organization/add-team-member',
      max: 1,
      per: 'member and team',
      config: teams,
      beyond: 'none',
      async reach(app) {
        const at = await company(app, 'acme')
        const { id: userId } = await colleague(app, at, 'Bob')
        const { body } = await at.owner.device.post('/organization/create-team', { name: 'Team' })
        const add = post(at.owner.device, '/organization/add-team-member', () => ({ teamId: body.id, userId }))
        await add(0)
        return add
      },
    },
  ],
  organization_logos: [
    {
      by: 'an owner: POST /organization/logo',
      max: 1,
      per: 'organization',
      beyond: 'none',
      async reach(app) {
        const { owner } = await company(app, 'acme')
        const upload = post(owner.device, '/organization/logo', (n) => ({ webp: picture(16 + n) }))
        await upload(0)
        return upload
      },
    },
  ],
  connections: [
    ofOwner(
      '/sso/create-connection',
      'MAXIMUM_NUMBER_OF_CONNECTIONS_REACHED',
      enterpriseOptions.defaults.maxConnections,
      async ({ owner }, have) => {
        for (let n = 0; n < have; n++) await owner.device.post('/sso/create-connection', oidcConnection)
      },
      () => oidcConnection,
    ),
    {
      by: 'the holder of a set-up link: POST /sso/setup/settings',
      max: enterpriseOptions.defaults.setupLinkRequests,
      per: 'link',
      config: enterprise,
      beyond: { status: 403, code: 'SETUP_LINK_USED_UP' },
      async reach(app, have) {
        const { owner } = await company(app, 'acme')
        const { body } = await owner.device.post('/sso/create-setup-link', {})
        await updateRows('setup_links', { requests: have })
        const token = new URL(body.url).hash.slice(1)
        return () => app.device().post('/sso/setup/create-connection', { token, ...oidcConnection })
      },
    },
  ],
  organization_domains: [
    ofOwner(
      '/sso/add-domain',
      'MAXIMUM_NUMBER_OF_DOMAINS_REACHED',
      enterpriseOptions.defaults.maxDomains,
      async ({ owner }, have) => {
        for (let n = 0; n < have; n++) await owner.device.post('/sso/add-domain', { domain: `filled-${n}.example` })
      },
      (n) => ({ domain: `domain-${n}.example` }),
    ),
  ],
  setup_links: [onePerOrganization('/sso/create-setup-link', () => ({}))],
  sign_in_policies: [
    onePerOrganization('/sso/update-policy', (n) => ({ ...policy(), joinsAutomatically: n % 2 === 0 })),
  ],
  break_glass_members: [
    {
      by: 'an owner: POST /sso/update-policy',
      max: maxBreakGlass,
      per: 'organization',
      config: enterprise,
      beyond: { status: 400, code: 'VALIDATION_ERROR' },
      async reach(app, have) {
        const at = await company(app, 'acme')
        const owners = await ownersOf(app, at, have + 2)
        const update = (count: number) => at.owner.device.post('/sso/update-policy', policy(owners.slice(0, count)))
        await update(have)
        return (n) => update(have + n)
      },
    },
  ],
}

const invitation = (n: number) => ({ email: `invited-${n}@example.com`, role: 'member' })
