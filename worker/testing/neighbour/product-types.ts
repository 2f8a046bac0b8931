import { type Config, gatehouse, type ServerApi } from '../../gatehouse.ts'

/**
 * For the type check only: what a product writes, with its own bindings and fields. worker/scripts/package.all.e2e.ts
 * checks the same file against the declarations of the package, in a project with the types of Workers alone.
 */
interface ProductEnv {
  DB: D1Database
  MY_QUEUE: Queue<{ userId: string }>
  MAIL_KEY: string
}

/** `true` if both types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <A, B>(..._proof: Same<A, B> extends true ? [] : [expected: B, got: A]): void => undefined

export const fields = {
  user: {
    company: { type: 'string', required: true, signUp: true, maxLength: 80 },
    size: { type: 'string', options: ['S', { value: 'M', label: { en: 'Medium', de: 'Mittel' } }] },
    seats: { type: 'number', defaultValue: 1 },
    tags: { type: 'string[]' },
    credit: { type: 'number', input: false, returned: false },
  },
  session: { plan: { type: 'string', required: true, defaultValue: 'free' }, region: { type: 'string' } },
} as const

/** Bindings are named; fields are read from the configuration. */
export const named = () =>
  gatehouse<ProductEnv>({
    hooks: {
      async userCreated({ user }, { env, request }) {
        same<typeof env.MY_QUEUE, ProductEnv['MY_QUEUE']>()
        await env.MY_QUEUE.send({ userId: user.id })
        await env.KV.put(user.id, request.language)
        // @ts-expect-error: an unknown binding
        await env.OTHER_QUEUE.send({})
      },
    },
    mail: {
      transport: async ({ to }, env) => {
        same<typeof env.MAIL_KEY, string>()
        await fetch(`https://mail.example.com/${to}`, { headers: { authorization: env.MAIL_KEY } })
      },
    },
    text: { transport: async ({ to }, env) => void (await env.MY_QUEUE.send({ userId: to })) },
    billing: {
      on: {
        'order.paid': async ({ data }, { env }) => env.MY_QUEUE.send({ userId: String(data.id) }),
        '*': ({ type }, { env }) => env.MAIL_KEY + type,
      },
    },
    anonymous: {
      onLinkAccount: async ({ newUser }, { env }) => void (await env.MY_QUEUE.send({ userId: newUser.id })),
    },
  })

/** Without names both are inferred: `wrangler types` declares the bindings, the configuration the fields. */
export const { handler, ServerApi: Inferred } = gatehouse({
  user: { additionalFields: fields.user, changeEmail: { enabled: true } },
  session: { additionalFields: fields.session },
  hooks: {
    creatingUser({ user }) {
      same<typeof user.company, string | undefined>()
      return { change: { credit: 100, size: 'M' } }
    },
    updatingUser({ user, changes }) {
      same<typeof user.company, string>()
      same<typeof changes.seats, number | null | undefined>()
      if (changes.company === '') return { refuse: { code: 'NAME_A_COMPANY', message: 'Name a company' } }
    },
    userUpdated({ user }) {
      same<typeof user.size, 'S' | 'M' | null>()
      same<typeof user.tags, string[] | null>()
      // Responses and hooks do not contain it.
      same<typeof user.credit, unknown>()
    },
  },
  jwt: { definePayload: ({ user, session }) => ({ company: user.company.toUpperCase(), plan: session.plan.length }) },
})

/** Both named. */
export const both = () =>
  gatehouse<ProductEnv, typeof fields.user, typeof fields.session>({
    user: { additionalFields: fields.user },
    session: { additionalFields: fields.session },
    hooks: { userCreated: ({ user }, { env }) => env.MY_QUEUE.send({ userId: user.company }) },
  })

/** A configuration in a file of its own. */
export const config: Config<ProductEnv, typeof fields> = {
  user: { additionalFields: fields.user },
  hooks: { deletingUser: ({ user }, { env }) => void (user.company.length + env.MAIL_KEY.length) },
}

export const wrong: Config[] = [
  // @ts-expect-error: an unknown setting
  { sesion: {} },
  // @ts-expect-error: seconds
  { session: { expiresIn: 'long' } },
  // @ts-expect-error: an unknown type
  { user: { additionalFields: { company: { type: 'text' } } } },
]

export const wrongChange = () =>
  gatehouse({
    user: { additionalFields: { seats: { type: 'number' } } },
    hooks: {
      // @ts-expect-error: seats is a number
      creatingUser: () => ({ change: { seats: 'two' } }),
    },
  })

/** Another Worker, by the class of the deployment or by its fields. */
export async function neighbour(env: {
  GATEHOUSE: Service<ServerApi<typeof fields>>
  SAME: Service<typeof Inferred>
  USERS: Service<ServerApi<Pick<typeof fields, 'user'>>>
  PLAIN: Service<ServerApi>
}) {
  for (const api of [env.GATEHOUSE, env.SAME]) {
    const found = await api.getUser({ userId: '1' })
    if (!found.ok) return found.code
    same<typeof found.result.company, string>()
    same<typeof found.result.createdAt, Date>()
    const read = await api.getSession({ cookie: '' })
    if (read) same<typeof read.session.plan, string>()
    if (read) same<typeof read.user.size, 'S' | 'M' | null>()
    const set = await api.setSessionFields({ sessionToken: '', fields: { plan: 'paid' } })
    if (set.ok) same<typeof set.result.region, string | null>()
    const organization = await api.getOrganization({ id: '1' })
    if (organization.ok) same<typeof organization.result.name, string>()
  }
  const users = await env.USERS.getSession({ cookie: '' })
  if (users) same<typeof users.user.seats, number | null>()
  const plain = await env.PLAIN.getUser({ userId: '1' })
  return plain.ok ? plain.result.email : plain.code
}

/** The type that a deployment exports: its roles, permissions and plans are those of its configuration. */
const accounts = gatehouse({
  user: { additionalFields: fields.user },
  admin: { roles: { support: { user: ['list'], ticket: ['close'] } } },
  organization: { roles: { cashier: { invoice: ['pay'] } } },
  billing: {
    products: [
      { productId: 'p1', slug: 'free' },
      { productId: 'p2', slug: 'pro', recommended: true },
    ],
  },
})
export type Accounts = typeof accounts

export function withRoles(accounts: ServerApi<Accounts>) {
  same<NonNullable<NonNullable<Accounts['$types']>['plan']>, 'free' | 'pro'>()
  return [
    accounts.setRole({ userId: '1', role: ['support', 'admin'] }),
    // @ts-expect-error: the role is misspelled
    accounts.setRole({ userId: '1', role: 'suport' }),
    accounts.hasPermission({ userId: '1', permissions: { ticket: ['close'] } }),
    accounts.hasPermission({ userId: '1', organizationId: '2', permissions: { invoice: ['pay'] } }),
    // @ts-expect-error: an unknown action
    accounts.hasPermission({ userId: '1', permissions: { ticket: ['open'] } }),
    accounts.addMember({ organizationId: '1', userId: '2', role: 'cashier' }),
    // @ts-expect-error: a role of the deployment
    accounts.addMember({ organizationId: '1', userId: '2', role: 'support' }),
  ]
}

/** Without roles of its own a deployment has those that every deployment has. */
const plain = gatehouse({ appName: 'Acme' })
export const withoutRoles = (accounts: ServerApi<typeof plain>) => [
  accounts.setRole({ userId: '1', role: 'admin' }),
  // @ts-expect-error: the role is misspelled
  accounts.setRole({ userId: '1', role: 'admni' }),
]

export const wrongRoles = () => [
  // @ts-expect-error: a list of actions
  gatehouse({ admin: { roles: { support: { user: 'list' } } } }),
  // @ts-expect-error: an unknown setting of a product
  gatehouse({ billing: { products: [{ productId: 'p1', slug: 'free', recomended: true }] } }),
  // The bindings are named: the roles are any.
  gatehouse<ProductEnv>({ admin: { roles: { support: { user: ['list'] } } } }),
]
