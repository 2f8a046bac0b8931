import { apiKeyOptions } from '../../features/api-key/api-key.config.ts'
import { directoryOptions } from '../../features/directory/directory.config.ts'
import { unverifiedEntries } from '../../features/directory/users/usage.ts'
import { enterpriseOptions } from '../../features/enterprise/enterprise.config.ts'
import { maxBreakGlass } from '../../features/enterprise/model/enterprise.schemas.ts'
import { organizationOptions } from '../../features/organization/membership/membership.config.ts'
import { oidcConnection } from '../../testing/connections.ts'
import { env, type TestApp } from '../../testing/harness.ts'
import { type Company, colleague, company, fill, invite, someone } from '../../testing/organizations.ts'
import { picture } from '../../testing/picture.ts'
import { rowOf, rowsOf, updateRows } from '../../testing/rows.ts'
import { scimDirectory } from '../../testing/scim.ts'
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

/** Bounds of organizations, their members, connections and directories. */

const enterprise = { enterprise: { enabled: true } }
const teams = { organization: { teams: { enabled: true } } }
const { defaults } = organizationOptions
const numberOf = (limit: unknown): number => {
  if (typeof limit !== 'number') throw new Error('The default is no number.')
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

const entryOf = (connectionId: string) => ({
  ...{
    id: 'd#',
    connectionId,
    userName: 'd#',
    active: false,
    access: 'inactive' as const,
    data: {},
    version: 1,
    ...written(),
  },
})

/** What a directory creates up to a maximum of its organization. */
const ofDirectory = (
  what: string,
  max: number,
  config: object,
  domain: string | null,
  fillTo: (connectionId: string, have: number) => Promise<void>,
  path: string,
  body: (n: number) => object,
): Bound => ({
  by: `a directory: ${what}`,
  max,
  per: domain === null ? 'organization without a verified domain' : 'organization',
  config: { ...enterprise, ...config },
  beyond: { status: 403, code: 'SCIM_LIMIT_REACHED' },
  async reach(app, have) {
    const { connectionId, scim } = await scimDirectory(app, 'acme', domain)
    await fillTo(connectionId, have)
    return async (n) => {
      const answer = await scim('POST', path, body(n))
      return { ...answer, body: { ...answer.body, code: answer.status === 403 ? 'SCIM_LIMIT_REACHED' : null } }
    }
  },
})

const { maxUsers, maxGroups, maxMemberships, maxTokens } = directoryOptions.defaults
const user = (n: number) => ({ userName: `user-${n}@acme.example` })
const group = (n: number) => ({ displayName: `Group ${n}` })
const users = (connectionId: string, have: number) => insertCopies('directory_users', have, entryOf(connectionId))
const groups = (connectionId: string, have: number) =>
  insertCopies('directory_groups', have, { id: 'g#', connectionId, displayName: 'G#', version: 1, ...written() })

/** A row that goes with the entries of a directory. */
const withEntry = (what: string): Bound => ({
  by: `a directory: ${what}`,
  max: daily.bulk,
  per: 'connection and day',
  config: enterprise,
  beyond: { status: 429, code: 'TOO_MANY_REQUESTS' },
  async reach(app, have) {
    const { connectionId, scim } = await scimDirectory(app, 'acme', 'acme.example')
    await spendDay(`directory:${connectionId}`, have)
    return async (n) => {
      const answer = await scim('POST', '/Users', {
        ...user(n),
        active: true,
        emails: [{ value: user(n).userName, primary: true }],
      })
      return { ...answer, body: { ...answer.body, code: answer.status === 429 ? 'TOO_MANY_REQUESTS' : null } }
    }
  },
})

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
      beyond: { status: 404, code: 'SETUP_LINK_NOT_FOUND' },
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
      beyond: { status: 400, code: 'BAD_REQUEST' },
      async reach(app, have) {
        const at = await company(app, 'acme')
        const owners = await ownersOf(app, at, have + 2)
        const update = (count: number) => at.owner.device.post('/sso/update-policy', policy(owners.slice(0, count)))
        await update(have)
        return (n) => update(have + n)
      },
    },
  ],
  directory_tokens: [
    {
      by: 'an owner: POST /sso/create-directory-token',
      max: maxTokens,
      per: 'connection',
      config: enterprise,
      beyond: { status: 403, code: 'MAXIMUM_NUMBER_OF_DIRECTORY_TOKENS_REACHED' },
      async reach(app, have) {
        const { owner } = await company(app, 'acme')
        const { body } = await owner.device.post('/sso/create-connection', oidcConnection)
        const create = post(owner.device, '/sso/create-directory-token', () => ({ connectionId: body.id }))
        for (let n = 0; n < have; n++) await create(n)
        return create
      },
    },
  ],
  directory_users: [
    ofDirectory('POST /Users', maxUsers, {}, 'acme.example', users, '/Users', user),
    ofDirectory('POST /Users', unverifiedEntries, {}, null, users, '/Users', user),
    {
      by: 'a directory: requests',
      max: directoryOptions.defaults.rateLimit.max,
      per: `token and ${directoryOptions.defaults.rateLimit.window} s`,
      config: enterprise,
      ofPath: true,
      beyond: tooMany,
      async reach(app, have) {
        const { connectionId, scim } = await scimDirectory(app, 'acme', 'acme.example')
        const { id } = (await rowOf('directory_tokens', { connectionId }))!
        await spendCounter(`directory-token:${id}`, directoryOptions.defaults.rateLimit, have)
        return async (n) => {
          const answer = await scim('POST', '/Users', user(n))
          return { ...answer, body: { ...answer.body, code: answer.status === 429 ? tooMany.code : null } }
        }
      },
    },
  ],
  directory_groups: [
    ofDirectory('POST /Groups', maxGroups, {}, 'acme.example', groups, '/Groups', group),
    ofDirectory('POST /Groups', unverifiedEntries, {}, null, groups, '/Groups', group),
  ],
  directory_group_members: [
    ofDirectory(
      'POST /Groups with a member',
      maxMemberships,
      {},
      'acme.example',
      async (connectionId, have) => {
        const perGroup = 200
        await users(connectionId, Math.ceil(have / perGroup))
        await groups(connectionId, perGroup)
        await env.DB.prepare(
          `insert into directory_group_members (group_id, entry_id, connection_id)
           select directory_groups.id, directory_users.id, ?1 from directory_groups, directory_users limit ?2`,
        )
          .bind(connectionId, have)
          .run()
      },
      '/Groups',
      (n) => ({ ...group(1000 + n), members: [{ value: 'd1' }] }),
    ),
  ],
  directory_accounts: [withEntry('POST /Users, which creates an account')],
  directory_usage: [
    {
      by: 'a directory: POST /Users',
      max: 1,
      per: 'connection',
      config: enterprise,
      beyond: 'none',
      async reach(app) {
        const { scim } = await scimDirectory(app, 'acme', 'acme.example')
        const create = (n: number) => scim('POST', '/Users', user(n))
        await create(0)
        return create
      },
    },
  ],
  directory_departures: [
    {
      by: 'a directory: PATCH /Users/{id}, which deactivates the account',
      max: 1,
      per: 'account and connection',
      config: enterprise,
      beyond: 'none',
      async reach(app) {
        const { scim } = await scimDirectory(app, 'acme', 'acme.example')
        const given = { ...user(1), active: true, emails: [{ value: user(1).userName, primary: true }] }
        const { body } = await scim('POST', '/Users', given)
        const set = (active: boolean) => scim('PUT', `/Users/${body.id}`, { ...given, active })
        await set(false)
        return async () => {
          await set(true)
          return set(false)
        }
      },
    },
  ],
}

const invitation = (n: number) => ({ email: `invited-${n}@example.com`, role: 'member' })

/** For client rows. */
export const apiKeysOfOrganization: Bound = {
  by: 'an owner: POST /api-key/create',
  max: apiKeyOptions.defaults.keysPerOwner!,
  per: 'organization',
  beyond: { status: 403, code: 'YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_API_KEYS' },
  async reach(app, have) {
    const { id, owner } = await company(app, 'acme')
    await insertCopies('api_keys', have, {
      ...{ id: 'k#', organizationId: id, keyHash: 'h#', enabled: true, rateLimitEnabled: true, requestCount: 0 },
      ...written(),
    })
    return post(owner.device, '/api-key/create', () => ({ organizationId: id }))
  },
}
