import { administrator, plain } from './admins.ts'
import { cheapHash } from './cheap-hash.ts'
import type { TestApp } from './harness.ts'
import { company, join, someone } from './organizations.ts'
import type { Person } from './people.ts'
import { linkAccount } from './states.ts'

/** Set-ups that the cases of several features share. */

let people = 0

export const newPerson = (): Person => {
  people++
  return { name: 'User', email: `user-${people}@example.com`, password: 'password1234' }
}

export const slugOf = ({ email }: Person) => email.replace(/\W/g, '-')

export const codeTo = async (app: TestApp, to: string) =>
  (await app.mailbox()).find((entry) => entry.to === to)!.codes[0]!

/** The token of the newest link to an address. */
export async function tokenTo(app: TestApp, to: string): Promise<string> {
  const link = new URL(await app.linkTo(to))
  return link.searchParams.get('token') ?? link.pathname.split('/').at(-1)!
}

/** The user with a password, signed in without the mails and the limits of a sign-up: a case repeats this often. */
async function withPassword(app: TestApp, person: Person, changes: { verified: boolean }) {
  const { id, device } = await acquaintance(app, person, changes)
  await linkAccount(id, { providerId: 'credential', password: await cheapHash.hash(person.password) })
  return { device }
}

export const signedIn = (app: TestApp, person: Person) => withPassword(app, person, { verified: false })

/** The user with a verified address. */
export const verified = (app: TestApp, person: Person) => withPassword(app, person, { verified: true })

/** The user, signed in without the cost of a password hash. */
export const acquaintance = (app: TestApp, { email }: Person, changes?: { verified?: boolean }) =>
  someone(app, email.split('@')[0]!, changes)

export const known = async (app: TestApp, person: Person) => ({ device: (await acquaintance(app, person)).device })

/** An administrator, and the id of another user. */
export const administering = async (app: TestApp, person: Person) => ({
  device: (await administrator(app, person)).device,
  given: (await plain(app, newPerson())).id,
})

/** The owner of an organization. */
export async function owning(app: TestApp, person: Person) {
  const at = await company(app, slugOf(person))
  return { at, device: at.owner.device, given: at.id }
}

/** The owner of an organization, and a member of it by id. */
export async function withColleague(app: TestApp, person: Person) {
  const { at, device } = await owning(app, person)
  return { device, given: await join(at, await someone(app, `colleague-of-${slugOf(person)}`)) }
}
