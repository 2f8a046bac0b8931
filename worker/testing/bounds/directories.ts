import { directoryOptions } from '../../features/directory/directory.config.ts'
import { unverifiedEntries } from '../../features/directory/users/usage.ts'
import { oidcConnection } from '../connections.ts'
import { env } from '../harness.ts'
import { company } from '../organizations.ts'
import { rowOf } from '../rows.ts'
import { scimDirectory } from '../scim.ts'
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

/** Bounds of the directories of organizations (SCIM). */

const enterprise = { enterprise: { enabled: true } }

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

export const directoryBounds: Bounds = {
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
