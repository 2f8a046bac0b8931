import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { extname, join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import type { Page } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../worker/testing/ports.ts'
import { startServer, type TestServer } from '../../worker/testing/server.ts'
import type { Registry, RegistryItem } from '../registry/registry.ts'
import { ask, type OpenBrowser, openBrowser, openDevice } from './browser.ts'
import { lookAt } from './look-at.ts'
import { RegistryProduct } from './registry-product.ts'

// A product that has copied the items from a running Worker, in a browser.

const main = `
import './style.css'
import { createRoot } from 'react-dom/client'
import { MembersTable } from '@/components/members-table'
import { OrganizationSwitcher } from '@/components/organization-switcher'
import { SignIn } from '@/components/sign-in'
import { SignUp } from '@/components/sign-up'
import { UserButton } from '@/components/user-button'

const screens: Record<string, React.ReactNode> = {
  '/sign-in': <SignIn providers={{ github: 'GitHub' }} />,
  '/sign-up': <SignUp />,
  '/': (
    <>
      <h1>Acme</h1>
      <header className="flex justify-between"><OrganizationSwitcher /><UserButton /></header>
      <MembersTable />
    </>
  ),
}
createRoot(document.querySelector('main')!).render(screens[location.pathname])
`
const colours = ['background', 'foreground', 'card', 'popover', 'muted', 'secondary', 'primary-foreground']
const style = `@import 'tailwindcss';
@theme inline { ${[...colours, 'primary', 'destructive', 'muted-foreground', 'border'].map((name) => `--color-${name}: var(--${name});`).join(' ')} }
:root { color-scheme: light dark; ${colours.map((name) => `--${name}: light-dark(white, black);`).join(' ')}
  --foreground: light-dark(black, white); --primary: var(--foreground); --destructive: light-dark(#b91c1c, #fca5a5);
  --muted-foreground: light-dark(#555, #bbb); --border: #888 }
body { background: var(--background); color: var(--foreground) }
* { border-color: var(--border) }`
const html =
  '<!doctype html><html lang="en"><title>Acme</title><meta name="viewport" content="width=device-width"><main class="p-4"></main><script type="module" src="/main.tsx"></script></html>'

const requireEmailVerification = { emailAndPassword: { requireEmailVerification: true } }

const ada = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery staple' }
const bob = { name: 'Bob', email: 'bob@example.com', password: 'battery staple correct horse' }

let server: TestServer
let product: RegistryProduct
let pages: Server
let origin: string
let chrome: OpenBrowser
let page: Page
const config = () => ({
  appName: 'Acme',
  trustedOrigins: [origin],
  socialProviders: { github: { clientId: 'id', clientSecret: 'secret' } },
})

const documentOf = async <T>(name: string) => (await (await fetch(`${server.url}/registry/${name}.json`)).json()) as T

beforeAll(async () => {
  const port = await freePort()
  origin = `http://localhost:${port}`
  server = await startServer({ config: config() })
  product = new RegistryProduct()
  chrome = await openBrowser()
  page = (await openDevice(chrome.browser)).page
  pages = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, origin)
    const file = extname(pathname) ? pathname : 'index.html'
    const types: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css' }
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'text/html' })
    response.end(extname(file) === '.ico' ? '' : readFileSync(join(product.folder, 'dist', file)))
  }).listen(port)
})
afterAll(async () => {
  pages?.close()
  product?.close()
  await chrome?.close()
  await server?.close()
})

/** The product's page; the app's helper waits for markup of the Worker, which it does not have. */
const open = (path: string) => page.goto(origin + path, { waitUntil: 'load' })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const fill = async (values: Record<string, string>) => {
  for (const [label, value] of Object.entries(values)) await page.getByLabel(label, { exact: true }).fill(value)
}
const focused = () => page.evaluate('document.activeElement.getAttribute("name")')

describe('the registry of a deployment', () => {
  it('serves its items with its own address; another name is not found', async () => {
    const { items, homepage } = await documentOf<Registry>('registry')
    expect(homepage).toBe(server.url)
    expect(items.flatMap(({ files }) => files.map(({ content }) => content))).not.toContainEqual(expect.anything())
    const added = new Set<string>()
    const add = async (url: string) => {
      if (!url.startsWith(server.url) || added.has(url)) return
      added.add(url)
      const item = (await (await fetch(url)).json()) as RegistryItem
      product.add(item)
      for (const next of item.registryDependencies) await add(next)
    }
    for (const name of ['sign-in', 'sign-up', 'user-button', 'organization-switcher', 'members-table'])
      await add(`${server.url}/registry/${name}.json`)
    expect(added.size).toBe(items.length)
    expect(readFileSync(join(product.folder, 'lib/auth-client.ts'), 'utf8')).toContain(`accounts = '${server.url}'`)
    const missing = await fetch(`${server.url}/registry/nothing.json`)
    expect([missing.status, ((await missing.json()) as { code: string }).code]).toEqual([404, 'NOT_FOUND'])
  })

  it('a product builds with them', async () => {
    product.write('main.tsx', main)
    product.write('style.css', style)
    product.write('index.html', html)
    await build({
      root: product.folder,
      configFile: false,
      logLevel: 'error',
      resolve: { alias: { '@': product.folder } },
      plugins: [tailwindcss()],
    })
  })
})

describe('a visitor of the product', () => {
  it('signs up: the first field with an error has the focus, and errors of the server are sentences', async () => {
    await open('/sign-up')
    await button('Create account').click()
    await page.getByText('Enter your name.').waitFor()
    await expect.poll(focused).toBe('name')
    await fill({ Name: 'Ada', Email: ada.email, Password: 'short' })
    await button('Create account').click()
    await page.getByText('Use at least 8 characters.').waitFor()
    await expect.poll(focused).toBe('password')
    const described = await page.getByLabel('Password').getAttribute('aria-describedby')
    expect(described!.split(' ').map((id) => id.split('-').at(-1))).toEqual(['hint', 'problem'])
    await lookAt(page, 'registry-sign-up')
    await ask(await visitor(), '/sign-up/email', bob)
    await fill({ Email: bob.email, Password: ada.password })
    await button('Create account').click()
    await page.getByText('An account with this email address exists. Sign in instead.').waitFor()
    await expect.poll(focused).toBe('email')
    await fill({ Email: ada.email })
    await button('Create account').click()
    await page.getByRole('heading', { name: 'Acme' }).waitFor()
    await button('Account of Ada').waitFor()
  })

  it('creates organizations, switches, and manages their members', async () => {
    await page.getByText('Choose an organization to see its members.').waitFor()
    for (const name of ['Engines', 'Poems']) {
      await page.getByRole('button', { name: /^Organization:/ }).click()
      await page.getByRole('menuitem', { name: 'Create an organization' }).click()
      await page.getByRole('dialog').getByLabel('Name').fill(name)
      await button('Create').click()
      await page.getByRole('table', { name: `Members of ${name}` }).waitFor()
    }
    await button('Organization: Poems').click()
    await page.getByRole('menuitemradio', { name: 'Engines' }).click()
    await page.getByRole('table', { name: 'Members of Engines' }).waitFor()
    await fill({ 'Invite by email': bob.email })
    await button('Send an invitation').click()
    await page.getByText(`We sent an invitation to ${bob.email}.`).waitFor()
    await (await server.database()).prepare('UPDATE users SET email_verified = 1').run()
    const other = await visitor()
    await ask(other, '/sign-in/email', bob)
    const [invitation] = (await (await server.database()).prepare('SELECT id FROM invitations').all<{ id: string }>())
      .results
    await ask(other, '/organization/accept-invitation', { invitationId: invitation!.id })
    await page.reload({ waitUntil: 'load' })
    const row = page.getByRole('row', { name: /Bob/ })
    await row.getByText('Member', { exact: true }).filter({ visible: true }).waitFor()
    await lookAt(page, 'registry-members')
    await button('Change Bob').click()
    await page.getByRole('menuitemradio', { name: 'Administrator' }).click()
    await row.getByText('Administrator').waitFor()
    await button('Change Bob').click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByRole('dialog', { name: 'Remove Bob?' }).waitFor()
    await button('Remove from the organization').click()
    await row.waitFor({ state: 'detached' })
  })

  it('signs out and in; a second factor leads to the deployment', async () => {
    await button('Account of Ada').click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await fill({ Email: ada.email, Password: 'incorrect horse' })
    await button('Sign in').click()
    await page.getByRole('alert').getByText('The email or password is incorrect.').waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.getAttribute("role")')).toBe('alert')
    await lookAt(page, 'registry-sign-in')
    await fill({ Password: ada.password })
    await button('Sign in').click()
    await button('Account of Ada').waitFor()
    await (await server.database()).prepare('UPDATE users SET two_factor_enabled = 1').run()
    await open('/sign-in')
    await fill({ Email: ada.email, Password: ada.password })
    await button('Sign in').click()
    const back = encodeURIComponent(`${origin}/`)
    await page.waitForURL(`${server.url}/two-factor?callbackURL=${back}`)
    await (await server.database()).prepare('UPDATE users SET two_factor_enabled = 0').run()
  })

  it('is led to a provider, and to the other pages of the deployment', async () => {
    await open('/sign-in')
    await page.route('https://github.com/**', (route) => route.fulfill({ body: 'GitHub' }))
    await button('Continue with GitHub').click()
    await page.waitForURL(/^https:\/\/github\.com\/login\/oauth\/authorize/)
    await open('/sign-in')
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await page.waitForURL(`${server.url}/forgot-password?callbackURL=${encodeURIComponent(`${origin}/`)}`)
  })

  it('confirms the address where the deployment requires it', async () => {
    await server.restart({ ...config(), ...requireEmailVerification })
    await page.context().clearCookies()
    const [email, password] = ['eve@example.com', ada.password]
    // The new isolates take over a moment later.
    const probe = async (body: object) => {
      const headers = { origin, 'content-type': 'application/json' }
      const request = { method: 'POST', headers, body: JSON.stringify(body) }
      return (await (await fetch(`${server.url}/api/auth/sign-up/email`, request)).json()) as { token: string | null }
    }
    let count = 0
    await expect.poll(async () => (await probe({ ...bob, email: `probe-${++count}@example.com` })).token).toBeNull()
    await open('/sign-up')
    await fill({ Name: 'Eve', Email: email, Password: password })
    await button('Create account').click()
    await page.getByRole('heading', { name: 'Confirm your email address' }).waitFor()
    await page.getByText(`We sent a link to ${email}. Open it to sign in.`).waitFor()
    await open('/sign-in')
    await fill({ Email: email, Password: password })
    await button('Sign in').click()
    await page.getByText('Confirm your email address first.').waitFor()
    await button('Send me a new link').click()
    await page.getByText('We sent you a link. Open it to confirm your address.').waitFor()
  })
})

/** A page of the deployment on another device. */
async function visitor(): Promise<Page> {
  const other = (await openDevice(chrome.browser)).page
  await other.goto(`${server.url}/sign-in`)
  return other
}
