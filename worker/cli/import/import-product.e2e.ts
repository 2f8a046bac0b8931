import { afterAll, beforeAll, expect, it } from 'vitest'
import { CliProduct } from '../../testing/cli-product.ts'

const product = new CliProduct()
beforeAll(async () => {
  await product.build()
  const fields = "additionalFields: { plan: { type: 'string', required: false } },"
  product.change('src/index.ts', 'user: {', `user: { ${fields}`)
  await product.wrangler('d1', 'migrations', 'apply', 'DB', '--local')
})
afterAll(() => product.close())

const file = (...ids: string[]) => {
  const users = ids.map((id) => ({ user_id: id, email: `${id}@acme.com`, app_metadata: { plan: 'pro' } }))
  product.write('users.ndjson', users.map((user) => `${JSON.stringify(user)}\n`).join(''))
}
const field = (text: string, ...words: string[]) =>
  product.run('import', 'auth0', 'users.ndjson', '--field', text, ...words)

it('counts what it writes now, what was written before, and what it cannot write', async () => {
  file('a', 'b')
  const first = await field('plan=app_metadata.plan', '--local')
  expect(first).toMatchObject({ code: 0 })
  expect(first.said).toMatch(/^ +written +before +refused\n {2}users +2 +0 +0\n/m)
  const taken = "INSERT INTO users (id, name, email, created_at, updated_at) VALUES ('own', 'Own', 'd@acme.com', 1, 1)"
  await product.wrangler('d1', 'execute', 'DB', '--local', '--yes', '--command', taken)
  file('a', 'b', 'c', 'd')
  const second = await field('plan=app_metadata.plan', '--local')
  expect(second).toMatchObject({ code: 2 })
  expect(second.said).toMatch(/^ {2}users +1 +2 +1$/m)
  expect(second.said).toContain('d: address, username or number belongs to a user from before the import')
})

it('refuses a name of --field that the configuration does not define, and a path that no record has', async () => {
  file('e')
  expect(await field('plna=app_metadata.plan', '--local')).toEqual({
    code: 1,
    said: `--field plna=app_metadata.plan: user.additionalFields has no field plna; did you mean plan?
Next: correct the name, or add plna to user.additionalFields in the configuration\n`,
  })
  expect(await field('plan=app_metdata.plan', '--local')).toEqual({
    code: 1,
    said: '--field plan=app_metdata.plan: no record has app_metdata.plan\nNext: correct the path\n',
  })
  expect((await product.run('users', 'list', '--search', 'e@acme.com')).said).toBe('No users.\n')
})

it('names the providers of identities that the configuration does not have', async () => {
  const identity = (provider: string) => ({ provider, user_id: '1', connection: provider })
  const user = { user_id: 'f', email: 'f@acme.com', identities: [identity('google-oauth2'), identity('github')] }
  product.write('users.ndjson', JSON.stringify(user))
  product.write('.dev.vars', `${product.read('.dev.vars')}GITHUB_CLIENT_ID=acme\n`)
  const { code, said } = await product.run('import', 'auth0', 'users.ndjson')
  expect(code).toBe(0)
  expect(said).toContain('Identities of providers that the configuration does not have: google (1).')
})
