import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { extname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OpenBrowser, openBrowser } from '../../client/e2e/browser.ts'
import { root } from '../scripts/tools.ts'
import { printedIn, Workplace, wrangler } from '../testing/consumer.ts'
import { checkTypes, command, strictest } from '../testing/packed-product.ts'
import { freePort } from '../testing/ports.ts'

/** Follows guides with their printed code, in a folder with the package. Only the addresses are changed to free ones. */
const place = new Workplace()
const newest = 'worker/testing/better-auth-newest'
const ports: Record<string, string> = {}
let browser: OpenBrowser
let accounts: string

/** Printed code with the addresses of this run. */
const placed = (code: string) => Object.entries(ports).reduce((text, [from, to]) => text.replaceAll(from, to), code)

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
  await place.run(command(place), ['init', 'Acme'])
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
})
afterAll(async () => {
  await browser?.close()
  await place.close()
})

describe('guides/install.md', () => {
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

it.each(['quick-start.md', 'install.md', 'examples.md'])('guides/%s: its code has no type error', async (guide) => {
  place.borrow('hono')
  place.write('printed/index.ts', printedIn(guide, 'ts'))
  const compilerOptions = { ...strictest, types: ['@cloudflare/workers-types'] }
  place.write('printed/tsconfig.json', JSON.stringify({ compilerOptions, files: ['index.ts'] }))
  await checkTypes(place, 'printed')
})

/** The blocks of JavaScript of a guide. */
const jsBlocks = (guide: string) =>
  [...readFileSync(join(root, 'worker/guides', guide), 'utf8').matchAll(/^```js[^\n]*\n([\s\S]+?)^```/gm)].map(
    ([, code]) => code!,
  )

/** Guides with calls of the client. */
const withClient = [
  ...['admin.md', 'api-keys.md', 'email-and-password.md', 'generic-oauth.md', 'live.md', 'magic-links-and-codes.md'],
  ...['organizations.md', 'passkeys.md', 'phone.md', 'roles-and-permissions.md', 'social-sign-in.md', 'two-factor.md'],
]

it('the calls of all guides exist, with their inputs and answers', async () => {
  for (const guide of withClient) {
    // Each block is a module; later ones use what the first has created.
    const [first = '', ...later] = jsBlocks(guide).filter((code) => /\bauth\./.test(code))
    expect(first).toContain("from 'gatehouse-auth/client'")
    const functions = later.map((code) => `;(async () => {\n${code}\n})`)
    place.write(
      `calls/${guide.replace('.md', '.ts')}`,
      [first.replaceAll('export ', ''), ...functions, 'export {}'].join('\n'),
    )
  }
  const compilerOptions = {
    ...{ target: 'es2024', module: 'esnext', moduleResolution: 'bundler', lib: ['es2024', 'dom'], types: [] },
    ...{ strict: false, skipLibCheck: true, noEmit: true },
  }
  // The compiler does not know which elements a script finds.
  const page =
    'interface ParentNode { querySelector(selectors: string): any }\ninterface Credential { toJSON(): any }\n'
  place.write('calls/page.d.ts', page)
  place.write('calls/tsconfig.json', JSON.stringify({ compilerOptions, include: ['.'] }))
  await checkTypes(place, 'calls')
  place.write('calls/admin.ts', place.read('calls/admin.ts').replace('listUsers', 'listUser'))
  await expect(checkTypes(place, 'calls')).rejects.toThrow("Property 'listUser' does not exist")
})

it('guides/customise-fields.md: the client has the fields of the deployment', async () => {
  const deployment = place.read('src/index.ts')
  const fields = "user: { additionalFields: { team: { type: 'string', required: true, signUp: true } } },"
  place.write('accounts/src/index.ts', deployment.replace(/trustedOrigins: .*/, fields))
  place.write('product/join.ts', printedIn('customise-fields.md', 'ts join.ts'))
  const compilerOptions = { ...strictest, lib: ['es2024', 'dom'], types: [], skipLibCheck: true }
  place.write('product/tsconfig.json', JSON.stringify({ compilerOptions, files: ['join.ts'] }))
  await checkTypes(place, 'product')
  place.write('product/join.ts', place.read('product/join.ts').replace('password, team }', 'password, tema: team }'))
  await expect(checkTypes(place, 'product')).rejects.toThrow('tema')
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
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
    await page.getByRole('link', { name: 'Sign in to Acme' }).waitFor()
    await context.close()
  })

  it('hooks of React with `live` learn at once that the session has ended', async () => {
    const code = placed(printedIn('single-page-app.md', 'jsx account.jsx'))
    place.write(
      'app/live.jsx',
      code.replace('createGatehouseHooks(auth)', 'createGatehouseHooks(auth, { live: true })'),
    )
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
    await page.getByRole('link', { name: 'Sign in to Acme' }).waitFor()
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
    await checkTypes(place, 'product')
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

describe('a token in place of cookies', () => {
  it.each([
    ['the client', 'mobile.md', newest],
    ['the published client 1.2.9', 'better-auth-clients.md', '.'],
    ['the newest published client', 'better-auth-clients.md', newest],
  ])('%s lives on it', async (name, guide, folder) => {
    place.borrowFrom(folder, 'better-auth')
    const email = `alan@${name.length}.example.com`
    const use = `
      const who = async () => (await auth.getSession()).data?.user.name ?? null
      const before = await who()
      await auth.signUp.email({ name: 'Alan', email: '${email}', password: 'correct horse battery' })
      const during = await who()
      await auth.signOut()
      console.log(JSON.stringify({ before, during, after: await who() }))`
    place.write('phone.mjs', placed(printedIn(guide, 'js phone.js')) + use)
    expect(JSON.parse(await place.run(place.path('phone.mjs'), []))).toEqual({
      before: null,
      during: 'Alan',
      after: null,
    })
  })
})
