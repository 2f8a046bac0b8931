import { describe, expectTypeOf, it } from 'vitest'
import type { NextAuth } from './adapters/next.ts'
import { createAuthenticator } from './authenticator/authenticator.ts'
import { createGatehouseClient, type GatehouseClient } from './client.ts'
import type { ChoicesOf, Endpoints } from './endpoints.ts'

/** What `typeof accounts` has of a deployment with these options. */
interface Accounts {
  handler: object
  readonly $types?: {
    user: { readonly company: { readonly type: 'string'; readonly required: true } }
    session: { readonly region: { readonly type: 'string' } }
    roles: { readonly support: { readonly user: readonly ['list']; readonly ticket: readonly ['close'] } }
    organizationRoles: { readonly cashier: { readonly invoice: readonly ['pay'] } }
    plan: 'free' | 'pro'
  }
}

const client = {} as GatehouseClient<Accounts>
const options = { url: 'https://accounts.example.com' }

describe('a product', () => {
  it('has its roles and permissions in rules', () => {
    const auth = createAuthenticator<Accounts>(options)
    const check = (request: Request) => [
      auth.guard(request, { role: 'support', permissions: { ticket: ['close'], user: ['ban'] } }),
      auth.guard(request, { role: ['admin', 'user'], organization: 'active', permissions: { invoice: ['pay'] } }),
      // @ts-expect-error: the role is misspelled
      auth.guard(request, { role: 'admni' }),
      // @ts-expect-error: an unknown resource
      auth.guard(request, { permissions: { tickets: ['close'] } }),
      // @ts-expect-error: an unknown action
      auth.guard(request, { permissions: { ticket: ['open'] } }),
    ]
    expectTypeOf(check).toBeFunction()
    type Caller = NonNullable<Awaited<ReturnType<typeof auth.authenticate>>>
    expectTypeOf<Caller['permissions']['roles']>().toEqualTypeOf<readonly ('admin' | 'user' | 'support')[]>()
    expectTypeOf<Caller['user']['company']>().toEqualTypeOf<string>()
    expectTypeOf<Parameters<Caller['permissions']['has']>[0]>().not.toEqualTypeOf<Record<string, string[]>>()
  })

  it('has them in the functions of a framework', () => {
    const auth = {} as NextAuth<Accounts>
    // @ts-expect-error: the role is misspelled
    const wrong = () => auth.requireCaller({ role: 'admni' })
    const proxy = () => auth.proxy({ '/support': { role: 'support' } })
    expectTypeOf(wrong).toBeFunction()
    expectTypeOf(proxy).toBeFunction()
  })

  it('has any role and permission where the product is not named', () => {
    const auth = createAuthenticator(options)
    const check = (request: Request) => auth.guard(request, { role: 'any', permissions: { any: ['thing'] } })
    expectTypeOf(check).toBeFunction()
    const call = () => createGatehouseClient().admin.setRole({ userId: 'u', role: 'any' })
    expectTypeOf(call).toBeFunction()
  })

  it('has only the roles of every deployment without roles of its own', () => {
    const auth = createAuthenticator<{ $types?: { roles: Readonly<Record<never, never>> } }>(options)
    const check = (request: Request) => [
      auth.guard(request, { role: 'admin' }),
      // @ts-expect-error: the role is misspelled
      auth.guard(request, { role: 'admni' }),
    ]
    expectTypeOf(check).toBeFunction()
  })

  it('has its roles, plans and fields in the calls of the client', () => {
    const calls = () => [
      client.admin.setRole({ userId: 'u', role: 'support' }),
      client.admin.setRole({ userId: 'u', role: ['support', 'admin'] }),
      // @ts-expect-error: a role of organizations
      client.admin.setRole({ userId: 'u', role: 'cashier' }),
      client.organization.inviteMember({ email: 'a@b.example', role: 'cashier' }),
      // @ts-expect-error: a role of the deployment
      client.organization.inviteMember({ email: 'a@b.example', role: 'support' }),
      client.organization.hasPermission({ permissions: { invoice: ['pay'] } }),
      // @ts-expect-error: an unknown action
      client.organization.hasPermission({ permissions: { invoice: ['send'] } }),
      client.checkout({ slug: 'pro' }),
      // @ts-expect-error: an unknown plan
      client.checkout({ slug: 'prod' }),
      client.signUp.email({ name: 'Ada', email: 'a@b.example', password: 'secret', company: 'Acme' }),
      // @ts-expect-error: an unknown field
      client.signUp.email({ name: 'Ada', email: 'a@b.example', password: 'secret', compny: 'Acme' }),
      // @ts-expect-error: a text
      client.updateUser({ company: 1 }),
    ]
    expectTypeOf(calls).toBeFunction()
    type Answer = NonNullable<NonNullable<Awaited<ReturnType<typeof client.getSession>>['data']>>
    expectTypeOf<Answer['user']['company']>().toEqualTypeOf<string>()
    expectTypeOf<Answer['session']['region']>().toEqualTypeOf<string | null>()
  })

  it('distinguishes a session from a second factor', async () => {
    const signIn = () => client.signIn.email({ email: 'a@b.example', password: 'secret' })
    type Answer = NonNullable<Awaited<ReturnType<typeof signIn>>['data']>
    const shown = (answer: Answer) => (answer.twoFactorRedirect ? '/second-factor' : answer.user.name)
    expectTypeOf(shown).returns.toBeString()
    // @ts-expect-error: there may be no user yet
    const wrong = (answer: Answer) => answer.user.name
    expectTypeOf(wrong).toBeFunction()
  })

  it('is asked for every role of a body', () => {
    type WithRole = {
      [Path in keyof Endpoints]: string extends keyof Endpoints[Path]['body']
        ? never
        : 'role' extends keyof Endpoints[Path]['body']
          ? Path
          : never
    }[keyof Endpoints]
    type Known = {
      [Path in keyof ChoicesOf<Accounts>]: ChoicesOf<Accounts>[Path] extends { role: string } ? Path : never
    }[keyof ChoicesOf<Accounts>]
    expectTypeOf<WithRole>().toEqualTypeOf<Known>()
  })
})
