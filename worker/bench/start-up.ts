import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { root } from '../scripts/tools.ts'
import { newSamlKey, samlResponse, signSaml } from '../testing/outside/saml-idp.ts'
import { type Call, Connection, headerValues, quantile, type Reply } from './load.ts'
import { ask, newStorage, send, sessionCookieOf, signUpOf } from './one-server.ts'
import { password } from './people.ts'
import { processorTime } from './processor-time.ts'
import { copyOfBefore, migrations, referenceSchema } from './servers.ts'
import { baseUrl, bundles, convertV4MiniflareOptions, gatehouseWorker, Miniflare, referenceWorker } from './workers.ts'

type Worker = ReturnType<typeof gatehouseWorker> | ReturnType<typeof referenceWorker>

/** The first requests of a new isolate, each of another one. */
const firsts = ['the start', 'sign-in page', 'get-session', 'sign-in by password', 'SAML response'] as const
type First = (typeof firsts)[number]

interface Subject {
  worker: Worker
  /** Its bundle. */
  file: string
  storage: string
  /** The calls that it has, and the status of each. */
  calls: Partial<Record<First, { call: Call; status: number }>>
}

/** A new workerd with the storage of earlier ones. */
async function running<Result>(
  { worker, storage }: Pick<Subject, 'worker' | 'storage'>,
  use: (url: URL, miniflare: InstanceType<typeof Miniflare>) => Promise<Result>,
): Promise<Result> {
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({ cf: false, resourcePersistencePath: storage, workers: [worker] }),
  )
  try {
    return await use(await miniflare.unsafeGetDirectURL(worker.name), miniflare)
  } finally {
    await miniflare.dispose()
  }
}

const cookieOf = (reply: Reply) => ({ cookie: sessionCookieOf(reply) })
const ada = 'ada@example.com'
const signIn: Call = { method: 'POST', path: '/api/auth/sign-in/email', body: { email: ada, password } }
const start = { call: { method: 'GET', path: '/api/auth/ok' }, status: 200 } as const
const getSession = (headers: Record<string, string>) => ({
  call: { method: 'GET', path: '/api/auth/get-session', headers } as const,
  status: 200,
})

/** A user of the published server. */
async function prepareReference(subject: Subject): Promise<void> {
  await running(subject, async (url, miniflare) => {
    const database = (await miniflare.getD1Database('DB', subject.worker.name)) as unknown as D1Database
    await database.batch(referenceSchema().map((statement) => database.prepare(statement)))
    const headers = cookieOf(await ask(url, signUpOf(ada)))
    subject.calls = {
      'the start': start,
      'get-session': getSession(headers),
      'sign-in by password': { call: signIn, status: 200 },
    }
  })
}

/** A user whose organization has a SAML connection, and a response of its identity provider. */
async function prepareGatehouse(subject: Subject): Promise<void> {
  await running(subject, async (url, miniflare) => {
    const database = (await miniflare.getD1Database('DB', subject.worker.name)) as unknown as D1Database
    await database.batch(migrations().map((statement) => database.prepare(statement)))
    const headers = cookieOf(await ask(url, signUpOf(ada)))
    const post = async (path: string, body: object) => {
      const reply = await ask(url, { method: 'POST', path: `/api/auth${path}`, headers, body })
      return JSON.parse(reply.text) as { id: string }
    }
    const { id: organizationId } = await post('/organization/create', { name: 'Acme', slug: 'acme' })
    await post('/organization/set-active', { organizationId })
    const key = newSamlKey()
    const issuer = 'https://idp.example.org/saml'
    const config = {
      type: 'saml',
      entityId: issuer,
      ssoUrl: 'https://idp.example.org/sso',
      certificates: [key.certificate],
    }
    const { id } = await post('/sso/create-connection', { name: 'IdP', config })
    const at = `${baseUrl}/api/auth/sso/saml2`
    const xml = samlResponse({
      issuer,
      audience: `${at}/metadata/${id}`,
      recipient: `${at}/acs/${id}`,
      validFor: 3_600_000,
    })
    const body = { SAMLResponse: Buffer.from(signSaml(xml, key)).toString('base64'), RelayState: 'x'.repeat(32) }
    subject.calls = {
      'the start': start,
      'sign-in page': { call: { method: 'GET', path: '/sign-in', headers: { accept: 'text/html' } }, status: 200 },
      'get-session': getSession(headers),
      'sign-in by password': { call: signIn, status: 200 },
      'SAML response': { call: { method: 'POST', path: `/api/auth/sso/saml2/acs/${id}`, body }, status: 302 },
    }
  })
}

/** The app of a deployment, without its scripts. */
const page = '<!doctype html><html><head><title>Gatehouse</title></head><body><div id="root"></div></body></html>'

/** The page, and the texts of its first screen. */
function asset({ url }: { url: string }): Response {
  const { pathname } = new URL(url)
  if (!pathname.startsWith('/languages/')) return new Response(page, { headers: { 'content-type': 'text/html' } })
  return new Response(readFileSync(join(root, 'dist/client', pathname)))
}

const ownWorker = (file: string, name: string) => ({
  ...gatehouseWorker(file, name, { enterprise: { enabled: true } }),
  serviceBindings: { ASSETS: asset as never },
})

/** Processor time (ms) of workerd from its start to the response. */
async function timeOf(subject: Subject, { call, status }: { call: Call; status: number }): Promise<number> {
  return running(subject, async (url) => {
    const connection = await Connection.open(url)
    const reply = await send(connection, call)
    connection.close()
    const isRight = reply.status === status && !headerValues(reply, 'location').some((to) => to.includes('error='))
    if (!isRight) throw new Error(`${subject.worker.name}, ${call.path}: ${reply.status} ${reply.text.slice(0, 300)}`)
    return processorTime()
  })
}

const kibibytes = (bytes: number) => `${(bytes / 1024).toFixed(0)} KiB`

/** The files of a bundle: what loads at the start, and all. */
function sizesOf(file: string): string {
  const late = globSync('c/*.js', { cwd: dirname(file) }).map((name) => join(dirname(file), name))
  const atStart = late.length === 0 ? [file] : [file, join(dirname(file), 'c/start.js')]
  const gzip = (files: string[]) => kibibytes(files.reduce((sum, one) => sum + gzipSync(readFileSync(one)).length, 0))
  return `${gzip(atStart)} gzip at the start, ${gzip([...new Set([...atStart, ...late])])} in all`
}

/**
 * Prints the size of each Worker, and the processor time from the start of workerd to the first response of each kind
 * beyond that of an empty Worker with the same bindings, measured in turn.
 */
export async function measureStartUp(rounds: number): Promise<void> {
  const storages = ['empty', 'gatehouse', 'reference', 'before'].map(newStorage)
  const [inEmpty, inGatehouse, inReference, inBefore] = storages.map(({ folder }) => folder) as [
    string,
    string,
    string,
    string,
  ]
  const gatehouse = await bundles.gatehouse()
  const reference = await bundles.reference()
  const earlier = copyOfBefore()
  const empty = join(dirname(reference), 'empty.js')
  writeFileSync(
    empty,
    `import { DurableObject } from 'cloudflare:workers'
     export class OneTimeRecord extends DurableObject {}
     export { OneTimeRecord as Counter, OneTimeRecord as EndedSessions, OneTimeRecord as LiveChannel }
     export default { fetch: () => Response.json(null) }`,
  )
  const subjects: Record<string, Subject> = {
    'empty Worker': { worker: ownWorker(empty, 'empty'), file: empty, storage: inEmpty, calls: { 'the start': start } },
    Gatehouse: { worker: ownWorker(gatehouse, 'gatehouse'), file: gatehouse, storage: inGatehouse, calls: {} },
    ...(earlier
      ? { before: { worker: ownWorker(earlier, 'before'), file: earlier, storage: inBefore, calls: {} } }
      : {}),
    reference: {
      worker: referenceWorker(reference, 'reference', 'isolate'),
      file: reference,
      storage: inReference,
      calls: {},
    },
  }
  try {
    for (const [name, subject] of Object.entries(subjects)) {
      if (name === 'reference') await prepareReference(subject)
      else if (name !== 'empty Worker') await prepareGatehouse(subject)
    }
    const measured = new Map<string, number[]>()
    // The first round fills the caches of the machine.
    for (let n = 0; n <= rounds; n++) {
      for (const first of firsts) {
        for (const [name, subject] of Object.entries(subjects)) {
          const asked = subject.calls[first]
          if (!asked) continue
          const time = await timeOf(subject, asked)
          if (n > 0) measured.set(`${name} ${first}`, [...(measured.get(`${name} ${first}`) ?? []), time])
        }
      }
    }
    report(subjects, (name, first) => measured.get(`${name} ${first}`))
    console.log(`  (medians of ${rounds})`)
  } finally {
    for (const { remove } of storages) remove()
  }
}

function report(subjects: Record<string, Subject>, timesOf: (name: string, first: First) => number[] | undefined) {
  const zero = quantile(timesOf('empty Worker', 'the start')!, 0.5)
  const beyond = (name: string, first: First) => {
    const times = timesOf(name, first)
    return times ? quantile(times, 0.5) - zero : null
  }
  console.log('\nprocessor time of workerd from its start to the first response, beyond an empty Worker')
  for (const [name, { file }] of Object.entries(subjects)) {
    if (name === 'empty Worker') continue
    console.log(`  ${name}: ${sizesOf(file)}`)
    for (const first of firsts) {
      const [time, other] = [beyond(name, first), beyond('reference', first)]
      if (time === null) continue
      const ratio = name === 'reference' || other === null ? '' : `   ${(time / other).toFixed(2)} of the reference`
      console.log(`    ${first.padEnd(20)}${time.toFixed(0).padStart(6)} ms${ratio}`)
    }
  }
}
