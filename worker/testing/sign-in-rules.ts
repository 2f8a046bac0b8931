import { expect, it } from 'vitest'
import guide from '../guides/single-sign-on.md?raw'
import { cheapHash } from './cheap-hash.ts'
import { type Device, TestApp } from './harness.ts'
import { type Company, company } from './organizations.ts'
import { OrganizationIdp } from './outside/organization-idp.ts'
import { idOf, linkAccount, updateUsers } from './states.ts'

/** For tests of the rules of organizations: a member whom a connection has made one, and who has another address since. */

export const password = 'password1234'
export const address = 'ada@private.example'

export interface Ruled {
  app: TestApp
  idp: OrganizationIdp
  acme: Company
  connectionId: string
  ada: { id: string; device: Device }
  /** Sets the rules; without arguments single sign-on only. */
  rule(more?: object): Promise<void>
  /** A sign-in of Ada through the connection. */
  bySingleSignOn(): Promise<Device>
  /** A sign-in of Ada with the password, while the rules allow it. */
  byPassword(): Promise<Device>
}

export async function ruled(more: object = {}): Promise<Ruled> {
  const idp = new OrganizationIdp().install()
  const app = new TestApp({ rateLimit: { enabled: false }, enterprise: { enabled: true }, ...more })
  const acme = await company(app, 'acme')
  const connectionId = await idp.connect(acme, 'example.com')
  idp.person = { sub: 'ada', email: 'ada@example.com', name: 'Ada' }
  const bySingleSignOn = async () => {
    const device = app.device()
    expect(await idp.signIn(device, 'ada@example.com')).toBe('/dash')
    return device
  }
  const device = await bySingleSignOn()
  const id = await idOf('ada@example.com')
  await linkAccount(id, { providerId: 'credential', password: await cheapHash.hash(password) })
  await updateUsers({ email: address }, { id })
  const given = { allowedMethods: [], requiresSecondFactor: false, joinsAutomatically: false }
  return {
    ...{ app, idp, acme, connectionId, ada: { id, device }, bySingleSignOn },
    async rule(changes = {}) {
      const body = { ...given, breakGlass: [acme.ownerMember], ...changes }
      const { status } = await acme.owner.device.post('/sso/update-policy', body)
      expect(status).toBe(200)
    },
    async byPassword() {
      const other = app.device()
      expect((await other.post('/sign-in/email', { email: address, password })).status).toBe(200)
      return other
    },
  }
}

/** The address of the user of the session of a device; null without one. */
export const signedInAs = async (device: Device): Promise<string | null> =>
  (await device.get('/get-session', { query: { disableCookieCache: 'true' } })).body?.user.email ?? null

/** One test for each row of a table of the guide, under the first column of the row; the guide has no other rows. */
export function testRows(heading: string, tests: Readonly<Record<string, () => Promise<void>>>): void {
  const table = guide.split('\n\n').find((part) => part.startsWith(`| ${heading} |`))!
  const rows = table
    .trim()
    .split('\n')
    .slice(2)
    .map((line) => line.split('|')[1]!.trim())
  it('has a test for each row of the guide', () => expect(Object.keys(tests)).toEqual(rows))
  for (const [name, run] of Object.entries(tests)) it(name, run)
}
