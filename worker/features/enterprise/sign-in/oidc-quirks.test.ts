import { afterEach, describe, expect, it, vi } from 'vitest'
import { TestApp } from '../../../testing/harness.ts'
import { type Company, company } from '../../../testing/organizations.ts'
import { OrganizationIdp } from '../../../testing/outside/organization-idp.ts'
import { count, rowOf } from '../../../testing/rows.ts'

/** What the claims of identity providers look like, and which of them a connection accepts. */

afterEach(() => vi.restoreAllMocks())

const options = {
  ...{ rateLimit: { enabled: false }, enterprise: { enabled: true } },
  organization: { teams: { enabled: true } },
}

interface Quirk {
  product: string
  deviation: string
  source: string
  claims: Record<string, unknown>
  mapping?: object
  /** The role and the team that follow from the groups `admins` and `staff`; or the error. */
  expected: { role?: string; team?: boolean; name?: string; error?: string }
}

const both = { role: 'admin', team: true }

const quirks: Quirk[] = [
  {
    product: 'Duende IdentityServer, Cognito',
    deviation: 'one group is a text, not a list',
    source: 'github.com/goharbor/harbor/issues/15416',
    claims: { groups: 'admins' },
    expected: { role: 'admin' },
  },
  {
    product: 'JumpCloud',
    deviation: 'one group is a text, in the attribute that its administrator names',
    source: 'without a public report: its group attribute memberOf',
    claims: { memberOf: 'admins' },
    mapping: { groups: 'memberOf' },
    expected: { role: 'admin' },
  },
  {
    product: 'Ping, OneLogin, JumpCloud',
    deviation: 'no email_verified',
    source: 'github.com/InumanSoul/kotauth/issues/136',
    claims: { email_verified: undefined, groups: ['staff'] },
    expected: { role: 'member', team: true },
  },
  {
    product: 'Okta, Entra ID',
    deviation: 'groups are a list',
    source: 'github.com/goharbor/harbor/issues/13048',
    claims: { groups: ['admins', 'staff'] },
    expected: both,
  },
  {
    product: 'Keycloak',
    deviation: 'roles are nested in realm_access',
    source: 'keycloak.org/docs/latest/server_admin: realm roles mapper',
    claims: { realm_access: { roles: ['admins', 'staff'] } },
    mapping: { groups: 'realm_access.roles' },
    expected: both,
  },
  {
    product: 'Auth0',
    deviation: 'the name of a claim is a URL',
    source: 'auth0.com/docs/secure/tokens/json-web-tokens/create-custom-claims',
    claims: { 'https://acme.example/roles': ['admins', 'staff'] },
    mapping: { groups: 'https://acme.example/roles' },
    expected: both,
  },
  {
    product: 'Cognito',
    deviation: 'the name of a claim has a colon',
    source: 'github.com/tchiotludo/akhq/issues/1276',
    claims: { 'cognito:groups': ['admins'] },
    mapping: { groups: 'cognito:groups' },
    expected: { role: 'admin' },
  },
  {
    product: 'Entra ID',
    deviation: 'a reference in place of more than 200 groups: role and teams remain',
    source: 'github.com/keycloak/keycloak/issues/26192',
    claims: { _claim_names: { groups: 'src1' }, hasgroups: true },
    expected: { role: 'member' },
  },
  {
    product: 'Entra ID',
    deviation: 'no claim email: the administrator names another claim',
    source: 'learn.microsoft.com/entra/identity-platform/optional-claims-reference',
    claims: { email: undefined, upn: 'upn@example.com' },
    mapping: { email: 'upn' },
    expected: { role: 'member' },
  },
  {
    product: 'Azure AD B2C',
    deviation: 'addresses are a list',
    source: 'learn.microsoft.com/azure/active-directory-b2c/user-profile-attributes',
    claims: { email: undefined, emails: ['b2c@example.com', 'other@example.com'] },
    mapping: { email: 'emails' },
    expected: { role: 'member' },
  },
  {
    product: 'Cognito',
    deviation: 'email_verified is a text',
    source: 'github.com/aws-amplify/amplify-js/issues/4427',
    claims: { email_verified: 'true' },
    expected: { role: 'member' },
  },
  {
    product: 'Cognito',
    deviation: 'an address that is not verified, as a text',
    source: 'github.com/aws-amplify/amplify-js/issues/4427',
    claims: { email_verified: 'false' },
    expected: { error: 'sso_no_address' },
  },
  {
    product: 'Entra ID',
    deviation: 'no name',
    source: 'learn.microsoft.com/entra/identity-platform/id-token-claims-reference',
    claims: { name: undefined },
    expected: { role: 'member' },
  },
  {
    product: 'any',
    deviation: 'a required claim with an accepted value in a list',
    source: 'decision 241',
    claims: { tenants: ['other', 'acme'] },
    mapping: { required: [{ name: 'tenants', values: ['acme'] }] },
    expected: { role: 'member' },
  },
  {
    product: 'any',
    deviation: 'a required claim that is a boolean',
    source: 'decision 241',
    claims: { employee: true },
    mapping: { required: [{ name: 'employee', values: ['true'] }] },
    expected: { role: 'member' },
  },
  ...[{ tenants: ['other'] }, { tenants: 'ACME' }, {}, { tenants: null }, { tenants: { acme: true } }].map(
    (claims) => ({
      product: 'any',
      deviation: `a required claim is missing: ${JSON.stringify(claims)}`,
      source: 'decision 241',
      claims,
      mapping: { required: [{ name: 'tenants', values: ['acme'] }] },
      expected: { error: 'sso_claims_not_allowed' },
    }),
  ),
]

describe('id tokens with the deviations of identity providers', () => {
  it('lead to the user and the groups that they mean', async () => {
    const idp = new OrganizationIdp().install()
    const app = new TestApp(options)
    const acme = await company(app, 'acme')
    const { device: owner } = acme.owner
    const team = (await owner.post('/organization/create-team', { name: 'Staff' })).body.id
    const connectionId = await idp.connect(acme, 'example.com')
    for (const [at, { product, deviation, claims, mapping = {}, expected }] of quirks.entries()) {
      const rules = { roles: [{ group: 'admins', role: 'admin' }], teams: [{ group: 'staff', teamId: team }] }
      const given = { required: [], ...rules, ...mapping }
      expect((await owner.post('/sso/update-connection', { connectionId, mapping: given })).status).toBe(200)
      idp.person = { sub: `u${at}`, email: `user${at}@example.com`, name: `User ${at}`, ...claims }
      const to = await idp.signIn(app.device(), 'any@example.com')
      const account = await rowOf('accounts', { accountId: `u${at}` })
      const member = account && (await rowOf('members', { userId: account.userId }))
      const found = {
        ...(expected.role === undefined ? {} : { role: member?.role }),
        ...(expected.team === undefined ? {} : { team: member?.teamId === team }),
      }
      const { error, ...wanted } = expected
      expect({ product, deviation, to, ...found }).toEqual({
        ...{ product, deviation, to: error ? `/err?error=${error}` : '/dash' },
        ...wanted,
      })
    }
    // A change of the mapping without the required claims keeps them; null and an empty list are different from that.
    const required = [{ name: 'tenants', values: ['acme'] }]
    await owner.post('/sso/update-connection', { connectionId, mapping: { required } })
    await owner.post('/sso/update-connection', { connectionId, mapping: { name: 'nick' } })
    expect((await owner.get('/sso/settings')).body.connections[0].mapping).toMatchObject({ required, name: 'nick' })
    // Also for an account that is linked, and in a test.
    idp.person = { sub: 'u0', email: 'user0@example.com' }
    expect(await idp.signIn(app.device(), 'any@example.com')).toBe('/err?error=sso_claims_not_allowed')
    await idp.test(acme, connectionId)
    const [connection] = (await owner.get('/sso/settings')).body.connections
    expect(connection.lastTest).toMatchObject({ error: 'sso_claims_not_allowed' })
  })
})

describe('an issuer of many tenants', () => {
  const entering = async (idp: OrganizationIdp, app: TestApp, person: Record<string, unknown>) => {
    idp.person = { sub: `s-${JSON.stringify(person)}`, email: 'ada@example.com', email_verified: true, ...person }
    return idp.signIn(app.device(), 'ada@example.com')
  }
  const refused = '/err?error=sso_claims_not_allowed'

  async function start(
    host: string,
    more: object = {},
  ): Promise<{ idp: OrganizationIdp; app: TestApp; acme: Company }> {
    const idp = new OrganizationIdp(host).install()
    idp.person = { ...idp.person, hd: 'example.com' }
    const app = new TestApp(options)
    const acme = await company(app, 'acme')
    await idp.connect(acme, 'example.com', more)
    return { idp, app, acme }
  }

  it('Google: hd is a verified domain of the organization', async () => {
    const { idp, app, acme } = await start('accounts.google.com')
    expect(await entering(idp, app, {})).toBe(refused)
    for (const hd of ['evil.example', '', null, 'sub.example.com', 1])
      expect(await entering(idp, app, { hd })).toBe(refused)
    expect(await count('users', { email: 'ada@example.com' })).toBe(0)
    expect(await entering(idp, app, { hd: 'Example.com' })).toBe('/dash')
    // The same account without the claim: its identity is linked.
    idp.person = { ...idp.person, hd: undefined }
    expect(await idp.signIn(app.device(), 'ada@example.com')).toBe(refused)
    // A tenant with another primary domain, which the organization names.
    const { device: owner } = acme.owner
    const [{ id: connectionId }] = (await owner.get('/sso/settings')).body.connections
    const mapping = { required: [{ name: 'hd', values: ['acme-group.example'] }] }
    await owner.post('/sso/update-connection', { connectionId, mapping })
    expect(await entering(idp, app, { hd: 'example.com' })).toBe(refused)
    idp.person = { ...idp.person, hd: 'acme-group.example', sub: 'new', email: 'bea@example.com' }
    expect(await idp.signIn(app.device(), 'ada@example.com')).toBe('/dash')
  })

  it.each(['appleid.apple.com', 'gitlab.com', 'slack.com', 'login.salesforce.com', 'www.facebook.com'])(
    '%s: a required claim names the organization',
    async (host) => {
      const required = [{ name: 'tenant', values: ['acme'] }]
      const idp = new OrganizationIdp(host).install()
      const app = new TestApp(options)
      const acme = await company(app, 'acme')
      idp.person = { ...idp.person, tenant: 'acme' }
      const connectionId = await idp.connect(acme, 'example.com', { mapping: { required } })
      expect(await entering(idp, app, { tenant: 'acme' })).toBe('/dash')
      const { device: owner } = acme.owner
      await owner.post('/sso/update-connection', { connectionId, mapping: { required: [] } })
      expect(await entering(idp, app, { tenant: 'acme' })).toBe(refused)
    },
  )
})
