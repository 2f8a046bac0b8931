import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startServer } from '../../server.ts'

/** Runs scim2-tester against the directory of a new connection. README.md has the packages. */

const server = await startServer({ config: { enterprise: { enabled: true } } })
let cookie = ''

async function post(path: string, body: object): Promise<any> {
  const headers = { 'content-type': 'application/json', origin: server.url, cookie }
  const response = await fetch(`${server.url}/api/auth${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  const set = response.headers.getSetCookie().map((one) => one.split(';')[0]!)
  if (set.length > 0) cookie = set.join('; ')
  return response.json()
}

try {
  await post('/sign-up/email', { name: 'Olga', email: 'olga@owner.example', password: 'password-of-olga' })
  const { id: organizationId } = await post('/organization/create', { name: 'Acme', slug: 'acme' })
  await post('/organization/set-active', { organizationId })
  const { id: connectionId } = await post('/sso/create-connection', {
    name: 'IdP',
    config: { type: 'oidc', issuer: 'https://idp.example.org', clientId: 'client' },
    clientSecret: 'hush',
  })
  const { token } = await post('/sso/create-directory-token', { connectionId })
  const address = `${server.url}/api/auth/scim/v2/${connectionId}`
  const run = [join(import.meta.dirname, 'check.py'), address, token]
  const python = process.env.PYTHON ?? 'python3'
  const { stdout: output } = await promisify(execFile)(python, run, { maxBuffer: 2 ** 26 })
  process.stdout.write(output)
  const figures = new Map<string, number>()
  for (const [, status] of output.matchAll(/^([A-Z_]+) \w/gm)) figures.set(status!, (figures.get(status!) ?? 0) + 1)
  process.stdout.write(`${JSON.stringify(Object.fromEntries(figures))}\n`)
  process.exitCode = [...figures.keys()].every((status) => status === 'SUCCESS' || status === 'SKIPPED') ? 0 : 1
} finally {
  await server.close()
}
