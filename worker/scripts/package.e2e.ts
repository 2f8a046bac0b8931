import { globSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { extname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OpenBrowser, openBrowser } from '../../client/e2e/browser.ts'
import { printedIn, Workplace, wrangler } from '../testing/consumer.ts'
import { freePort } from '../testing/ports.ts'
import { root } from './tools.ts'

/**
 * Tests the package from an empty folder: installs what npm packs, runs `gatehouse init`, and follows each guide with
 * its printed code. Only the addresses are changed to free ones.
 */
const place = new Workplace()
const newest = 'worker/testing/better-auth-newest'
const ports: Record<string, string> = {}
let browser: OpenBrowser
let accounts: string
let said: string

/** Printed code with the addresses of this run. */
const placed = (code: string) => Object.entries(ports).reduce((text, [from, to]) => text.replaceAll(from, to), code)

const lateFiles = () => globSync('c/*.js', { cwd: place.path('node_modules/gatehouse-auth/dist/package') })
const bin = () => place.path('node_modules/gatehouse-auth/dist/package/gatehouse.js')
const compiler = join(root, 'node_modules/typescript/bin/tsc')
const checkTypes = (folder: string) => place.run(compiler, ['-p', folder, '--singleThreaded'])
const strictest = {
  strict: true,
  target: 'ES2024',
  lib: ['ES2024'],
  module: 'ESNext',
  moduleResolution: 'bundler',
  noEmit: true,
}

/** In bytes. The Worker, the app, the components and the embed script in nine languages each, the guides, the adapters and their templates. */
const maxUnpacked = 13_000_000

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  fetch(`${accounts}/api/auth${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: accounts, ...headers },
    body: JSON.stringify(body),
  })

let people = 0
/** Signs up a user from a separate address, and returns the headers of their requests. */
const signUp = async (name: string) => {
  const person = { name, email: `${name}@example.com`, password: 'correct horse battery' }
  const answer = await post('/sign-up/email', person, { 'cf-connecting-ip': `100.64.0.${++people}` })
  expect(answer.status).toBe(200)
  const cookies = answer.headers.getSetCookie().map((line) => line.split(';')[0])
  return { authorization: `Bearer ${answer.headers.get('set-auth-token')}`, cookie: cookies.join('; ') }
}

beforeAll(async () => {
  for (const port of ['8787', '5173', '3000', '4000']) ports[port] = String(await freePort())
  accounts = placed('http://localhost:8787')
  await place.installPackage()
  said = await place.run(bin(), ['init', 'Acme'])
  place.borrow('@cloudflare/workers-types')
  // The version that the guides recommend.
  place.borrowFrom(newest, 'better-auth')
  // The configuration of the installation guide, for the origins of both apps.
  const trusted = "trustedOrigins: ['http://localhost:5173', 'http://localhost:3000'],"
  const code = printedIn('install.md', 'ts').replace(/trustedOrigins: .*/, trusted)
  place.write('src/index.ts', placed(code))
  place.write('.dev.vars', placed(place.read('.dev.vars')))
  // The two programs that `npm run dev` starts.
  await place.run(wrangler, ['d1', 'migrations', 'apply', 'DB', '--local'])
  await place.startWorker([], accounts, '/api/auth/ok')
  browser = await openBrowser()
}, 240_000)
afterAll(async () => {
  await browser?.close()
  await place.close()
})

describe('npm pack', () => {
  it('needs no other package, and brings the Worker, the app, the migrations and the declarations', () => {
    const installed = JSON.parse(place.read('node_modules/.package-lock.json')) as { packages: object }
    expect(Object.keys(installed.packages)).toEqual(['node_modules/gatehouse-auth'])
    for (const [name, imports] of [
      ['index.d.ts', /^cloudflare:/],
      ['client.d.ts', /^$/],
      ['client.js', /^$/],
      ['react.d.ts', /^$/],
      ['react.js', /^react$/],
      ['components.d.ts', /^react$/],
      ['components/components.js', /^(react|react\/jsx-runtime|\.\/[\w-]+\.js)$/],
      ['index.js', /^\.\/c\/start\.js$/],
      ...lateFiles().map((file) => [file, /^(cloudflare|node):|^\.\/[\w-]+\.js$/] as const),
    ] as const) {
      const text = place.read(`node_modules/gatehouse-auth/dist/package/${name}`)
      const from = [...text.matchAll(/^(?:import|export) [^'"\n]*\bfrom ['"]([^'"]+)['"]|import\(['"]([^'"]+)['"]\)/gm)]
      expect(from.map(([, fixed, lazy]) => fixed ?? lazy).filter((one) => !imports.test(one!))).toEqual([])
    }
  })

  it('has no source maps, and unpacks to a limited size', async () => {
    const [packed] = await place.packed()
    expect(packed!.files.map(({ path }) => path).filter((path) => /\.map$|\.vite\//.test(path))).toEqual([])
    expect(packed!.unpackedSize).toBeLessThan(maxUnpacked)
  })

  it('is typed for a project that has only the types of Workers', async () => {
    const files = ['src/index.ts']
    place.write(
      'tsconfig.json',
      JSON.stringify({ compilerOptions: { ...strictest, types: ['@cloudflare/workers-types'] }, files }),
    )
    await checkTypes('.')
    place.write('src/index.ts', `${place.read('src/index.ts')}\ngatehouse({ session: { expiresIn: 'long' } })\n`)
    await expect(checkTypes('.')).rejects.toThrow("Type 'string' is not assignable to type 'number'")
    place.write('src/index.ts', place.read('src/index.ts').replace(/\ngatehouse\(.*\n$/, ''))
  })

  it('explains the settings in its declarations, with unit and default', () => {
    const declared = place.read('node_modules/gatehouse-auth/dist/package/index.d.ts')
    const commentOf = (name: string) =>
      new RegExp(`/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\s*${name}\\?: `).exec(declared)?.[1]
    expect(commentOf('updateAge')).toMatch(/extended if[\s\S]*Unit: seconds\.[\s\S]*@default `86400` \(1 day\)/)
    expect(commentOf('timeWindow')).toMatch(/Unit: milliseconds\.[\s\S]*@default `86400000`/)
    expect(commentOf('appName')).toContain("@default 'Gatehouse'")
    expect(commentOf('hd')).toContain('Workspace domain')
    // An editor shows no comment through a mapped type.
    expect(declared).not.toContain('Retyped<typeof')
    expect(commentOf('signingIn')).toContain('before the session is created')
  })

  it('names no file of the repository in its declarations', () => {
    for (const name of ['index.d.ts', 'client.d.ts', 'react.d.ts']) {
      const declared = place.read(`node_modules/gatehouse-auth/dist/package/${name}`)
      const named = [
        ...declared.matchAll(/^ *(?:\/\*\*|\*).*?((?:worker|client|testing)\/(?!guides\/)[\w./-]+|[\w.-]+\.ts\b)/gm),
      ]
      expect(named.map(([, file]) => file)).toEqual([])
    }
  })

  it("has the product's own bindings and fields in hooks, transports and ServerApi", async () => {
    const source = readFileSync(join(root, 'worker/testing/neighbour/product-types.ts'), 'utf8')
    place.write('own/index.ts', source.replace("'../../gatehouse.ts'", "'gatehouse-auth'"))
    // What `wrangler types` writes is the default of gatehouse().
    place.write('own/declared.d.ts', 'declare namespace Cloudflare { interface Env { REPORTS: Queue<string> } }')
    place.write(
      'own/declared.ts',
      `import { gatehouse } from 'gatehouse-auth'
       gatehouse({ hooks: { userCreated: ({ user }, { env }) => env.REPORTS.send(user.id) } })
       // @ts-expect-error: there is no such binding
       gatehouse({ hooks: { userCreated: ({ user }, { env }) => env.OTHER.send(user.id) } })`,
    )
    const compilerOptions = { ...strictest, skipLibCheck: false, types: ['@cloudflare/workers-types'] }
    for (const files of [['index.ts'], ['declared.ts', 'declared.d.ts']]) {
      place.write('own/tsconfig.json', JSON.stringify({ compilerOptions, files }))
      await checkTypes('own')
    }
  })

  it('has clients whose types need a browser and nothing of the server', async () => {
    const code = `
      import { createGatehouseClient } from 'gatehouse-auth/client'
      import { createGatehouseHooks } from 'gatehouse-auth/react'
      const client = createGatehouseClient()
      const { data } = await client.admin.audit({ query: { limit: 10 } })
      export const at: Date | undefined = data?.entries[0]?.createdAt
      const ada = await createGatehouseClient<{ user: { team: { type: 'string'; required: true } } }>()
        .admin.getUser({ query: { id: '1' } })
      export const team: string | undefined = ada.data?.team
      export const name: string | undefined = createGatehouseHooks(client).useConfig().data?.name
      // @ts-expect-error: there is no such endpoint
      client.admin.nothing()`
    place.write('typed/app.ts', code)
    const compilerOptions = { ...strictest, lib: ['ES2024', 'DOM'], types: [] }
    place.write('typed/tsconfig.json', JSON.stringify({ compilerOptions, files: ['app.ts'] }))
    await checkTypes('typed')
  })
})

describe('gatehouse init', () => {
  it('writes a deployment, keeps what is there, records where the package came from, and prints the next command', async () => {
    expect(said).toContain('src/index.ts: written')
    expect(said).toContain('  npm install\n  npm run dev\n')
    const { scripts, dependencies } = JSON.parse(place.read('package.json'))
    expect(scripts).toMatchObject({ dev: 'gatehouse-auth dev' })
    expect(dependencies['gatehouse-auth']).toMatch(/^file:.*gatehouse-auth-\d.*\.tgz$/)
    const secret = place.read('.dev.vars')
    const again = await place.run(bin(), ['init'])
    expect(again).toContain('src/index.ts: is there already, left as it is')
    expect(again).toContain('.dev.vars: has all that it needs')
    expect(place.read('.dev.vars')).toBe(secret)
    expect(secret).toMatch(/^GATEHOUSE_SECRET=[\w-]{43}$/m)
    expect(place.read('.gitignore')).toContain('.dev.vars')
  })

  it('the deployment answers its app in its brand, without a build', async () => {
    const style = await (await fetch(`${accounts}/api/auth/brand.css`)).text()
    expect(style).toContain('#0f766e')
    const config = (await (await fetch(`${accounts}/api/auth/config`)).json()) as { name: string }
    expect(config.name).toBe('Acme')
    const page: Page = await browser.browser.newPage()
    await page.goto(`${accounts}/sign-in`)
    await page.getByLabel('Email').first().waitFor()
    expect(await page.title()).toContain('Acme')
    await page.close()
  })
})

describe('guides/single-page-app.md', () => {
  let server: Server
  beforeAll(() => {
    place.borrow('react', 'react-dom')
    server = createServer(({ url }, response) => {
      const page: string | undefined = pages[url!]
      const [file, type] = page ? [`app/${page}`, 'text/html'] : [`app/built${url}`, 'text/javascript']
      if (!['.html', '.js'].includes(extname(file))) return response.writeHead(404).end()
      response.writeHead(200, { 'content-type': type }).end(readFileSync(place.path(file)))
    }).listen(Number(ports['5173']))
  })
  afterAll(() => server?.close())

  const pages: Record<string, string> = { '/': 'index.html', '/account': 'account.html', '/live': 'live.html' }
  /** The response to a page of a bundler's development server. */
  const built = async (file: string) => {
    const transform = { define: { 'process.env.NODE_ENV': '"development"' } }
    const bundle = await rolldown({
      input: place.path('app', file),
      platform: 'browser',
      logLevel: 'silent',
      transform,
    })
    await bundle.write({ file: place.path('app/built', file.replace(/jsx$/, 'js')), format: 'esm' })
  }

  it('an app on another origin signs up, is known after a reload, and signs out', async () => {
    expect(printedIn('single-page-app.md', 'ts')).toContain('http://localhost:5173')
    place.write('app/main.js', placed(printedIn('single-page-app.md', 'js main.js')))
    place.write('app/index.html', printedIn('single-page-app.md', 'html index.html'))
    await built('main.js')
    const context = await browser.browser.newContext()
    const page = await context.newPage()
    await page.goto(placed('http://localhost:5173/'))
    await page.getByText('You are not signed in.').waitFor()
    await page.getByLabel('Name').fill('Ada')
    await page.getByLabel('Email').fill('ada@example.com')
    await page.getByLabel('Password').fill('correct horse battery')
    await page.getByRole('button', { name: 'Sign up' }).click()
    await page.getByText('Hello Ada').waitFor()
    expect(await page.title()).toBe('Acme')
    await page.reload()
    await page.getByText('Hello Ada').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('You are not signed in.').waitFor()
    await context.close()
  })

  it('hooks of React: one request for all; they report an error, an ended session and a change of user', async () => {
    const code = placed(printedIn('single-page-app.md', 'jsx account.jsx'))
    place.write('app/account.jsx', `${code}\nglobalThis.auth = auth`)
    place.write('app/account.html', '<div id="account"></div><script type="module" src="account.js"></script>')
    await built('account.jsx')
    const { cookie } = await signUp('katherine')
    const context = await browser.browser.newContext()
    const pairs = cookie.split('; ').map((pair) => pair.split(/=(.*)/s))
    await context.addCookies(pairs.map(([name, value]) => ({ name: name!, value: value!, url: accounts })))
    const page = await context.newPage()
    const asked: string[] = []
    page.on('request', (request) => request.url().endsWith('/list-sign-in-methods') && asked.push(request.method()))
    /** Returns the number of requests once the page is idle, because a response may cause more requests. */
    const settled = async () => {
      await page.evaluate(`new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
        .then(() => fetch('${accounts}/api/auth/ok'))`)
      return asked.length
    }
    await page.goto(placed('http://localhost:5173/account'))
    await page.getByRole('heading', { name: 'katherine' }).waitFor()
    await page.getByRole('listitem').waitFor()
    expect(await page.getByRole('listitem').allTextContents()).toEqual(['sign-up'])
    // In strict mode every component mounts twice.
    expect(await settled()).toBe(1)

    const path = '**/list-sign-in-methods'
    await page.route(path, (route) => route.abort())
    await page.getByRole('button', { name: 'Look again' }).click()
    await page.getByText('That did not work.').waitFor()
    expect(await page.getByRole('listitem').allTextContents()).toEqual(['sign-up'])
    expect(await settled()).toBe(2)
    await page.unroute(path)
    await page.getByRole('button', { name: 'Look again' }).click()
    await page.getByText('That did not work.').waitFor({ state: 'detached' })
    expect(await settled()).toBe(3)

    // A sign-out removes the component and its data.
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('link', { name: 'Sign in to Acme' }).waitFor()
    expect(await settled()).toBe(3)
    const person = { email: 'katherine@example.com', password: 'correct horse battery' }
    await page.evaluate(`auth.signIn.email(${JSON.stringify(person)})`)
    await page.getByRole('listitem').first().waitFor()
    expect((await page.getByRole('listitem').allTextContents()).sort()).toEqual(['email', 'sign-up'])
    expect(await settled()).toBe(4)

    const elsewhere = (await post('/sign-in/email', person)).headers.get('set-auth-token')
    expect((await post('/revoke-sessions', {}, { authorization: `Bearer ${elsewhere}` })).status).toBe(200)
    // The response of get-session would remove the component, so it waits until the hook has shown what it knows.
    const shown = Promise.withResolvers<void>()
    await page.route('**/get-session*', async (route) => {
      await shown.promise
      await route.continue()
    })
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
    await page.getByText('Your session has ended.').waitFor()
    expect(await settled()).toBe(5)
    shown.resolve()
    await page.getByRole('link', { name: 'Sign in to Acme' }).waitFor()
    await context.close()
  })

  it('hooks of React with `live` learn at once that the session has ended', async () => {
    const code = placed(printedIn('single-page-app.md', 'jsx account.jsx'))
    place.write('app/live.jsx', code.replace(/(api\/auth` \}\),\n)\)/, '$1  { live: true },\n)'))
    expect(place.read('app/live.jsx')).toContain('{ live: true }')
    place.write('app/live.html', '<div id="account"></div><script type="module" src="live.js"></script>')
    await built('live.jsx')
    const { cookie, authorization } = await signUp('annie')
    const context = await browser.browser.newContext()
    const pairs = cookie.split('; ').map((pair) => pair.split(/=(.*)/s))
    await context.addCookies(pairs.map(([name, value]) => ({ name: name!, value: value!, url: accounts })))
    const page = await context.newPage()
    const opened = page.waitForEvent('websocket')
    await page.goto(placed('http://localhost:5173/live'))
    await page.getByRole('listitem').waitFor()
    await opened
    expect((await post('/revoke-sessions', {}, { authorization })).status).toBe(200)
    await page.getByText('Your session has ended.').waitFor()
    await context.close()
  })
})

describe('guides/server-rendered-app.md', () => {
  it('who is not signed in goes to the hosted page, and comes back to a page that knows them', async () => {
    expect(printedIn('server-rendered-app.md', 'ts')).toContain('http://localhost:3000')
    place.write('server.mjs', placed(printedIn('server-rendered-app.md', 'js server.js')))
    const own = placed('http://localhost:3000')
    await place.start(place.path('server.mjs'), [], own)
    await signUp('grace')
    const context = await browser.browser.newContext()
    const page = await context.newPage()
    await page.goto(`${own}/reports?week=3`)
    await page.getByLabel('Email').first().fill('grace@example.com')
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await page.getByLabel('Password').first().fill('correct horse battery')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Hello grace' }).waitFor()
    expect(page.url()).toBe(`${own}/reports?week=3`)
    await context.close()
  })
})

describe('guides/back-end.md', () => {
  it('identifies each caller, three times as often as the limit of an address allows', async () => {
    place.write('api.mjs', placed(printedIn('back-end.md', 'js api.js')))
    const api = placed('http://localhost:4000')
    await place.start(place.path('api.mjs'), [], api)
    const everybody = await Promise.all(Array.from({ length: 20 }, (_, n) => signUp(`user-${n}`)))
    expect((await fetch(api)).status).toBe(401)
    expect((await fetch(api, { headers: { authorization: 'Bearer unknown' } })).status).toBe(401)
    const seen = new Map<string, number>()
    const call = async (headers: Record<string, string>) => {
      const answer = await fetch(api, { headers })
      const text = `${answer.status} ${await answer.text()}`
      seen.set(text, (seen.get(text) ?? 0) + 1)
    }
    for (let round = 0; round < 15; round++) await Promise.all(everybody.map(({ cookie }) => call({ cookie })))
    await call({ authorization: everybody[0]!.authorization })
    const expected = everybody.map((_, n) => [`200 {"hello":"user-${n}@example.com"}`, n === 0 ? 16 : 15])
    expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(expected))
  })
})

describe('guides/another-worker.md', () => {
  it('is typed by the package alone, and knows its callers over the binding', async () => {
    place.write('product/index.ts', printedIn('another-worker.md', 'ts index.ts'))
    const name = /^name = "(.*)"$/m.exec(place.read('wrangler.toml'))![1]!
    place.write(
      'product/wrangler.toml',
      printedIn('another-worker.md', 'toml wrangler.toml').replace('"acme"', `"${name}"`),
    )
    place.write('product/operate.ts', printedIn('operate.md', 'ts'))
    const compilerOptions = { ...strictest, types: ['@cloudflare/workers-types'] }
    place.write('product/tsconfig.json', JSON.stringify({ compilerOptions, files: ['index.ts', 'operate.ts'] }))
    await checkTypes('product')
    const url = `http://localhost:${await freePort()}`
    await place.startWorker([], url, '/', place.path('product'))
    const { authorization } = await signUp('margaret')
    const ask = async (headers: Record<string, string>) => {
      const answer = await fetch(url, { headers })
      return { status: answer.status, body: await answer.json() }
    }
    expect(await ask({ authorization })).toEqual({ status: 200, body: { hello: 'margaret' } })
    expect(await ask({ 'x-reports-key': 'nothing' })).toMatchObject({ status: 401, body: { code: 'INVALID_API_KEY' } })
  })
})

describe('guides/mobile.md', () => {
  it.each([
    ['1.2.9', '.'],
    ['the newest version', newest],
  ])('the published client lives on a token, without cookies: %s', async (_, folder) => {
    place.borrowFrom(folder, 'better-auth')
    const use = `
      const who = async () => (await auth.getSession()).data?.user.name ?? null
      const before = await who()
      await auth.signUp.email({ name: 'Alan', email: 'alan@${folder.length}.example.com', password: 'correct horse battery' })
      const during = await who()
      await auth.signOut()
      console.log(JSON.stringify({ before, during, after: await who() }))`
    place.write('phone.mjs', placed(printedIn('mobile.md', 'js phone.js')) + use)
    expect(JSON.parse(await place.run(place.path('phone.mjs'), []))).toEqual({
      before: null,
      during: 'Alan',
      after: null,
    })
  })
})
