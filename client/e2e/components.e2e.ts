import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { printedIn } from '../../worker/testing/consumer.ts'
import { freePort } from '../../worker/testing/ports.ts'
import { startServer, type TestServer } from '../../worker/testing/server.ts'
import { expectAccessible, inApp, type OpenBrowser, openBrowser, patience } from './browser.ts'

/** The components in the page of another product, on another port, with a running deployment. */

const root = join(import.meta.dirname, '../..')
mkdirSync(join(root, 'dist'), { recursive: true })
// Inside of the repository, for its React.
const folder = mkdtempSync(join(root, 'dist/components-page-'))
let accounts: TestServer
let chrome: OpenBrowser
let product: Server
let home: string
const person = { name: 'Ada Lovelace', email: 'ada@example.com', password: 'a long password of mine' }
const complaints: string[] = []

const app = (baseURL: string) => `
  import { createElement as h, useState } from 'react'
  import * as gatehouse from './built/embed/components.js'
  const { GatehouseProvider, SignIn, SignUp, SignedIn, SignedOut, Protect, UserButton, UserProfile } = gatehouse
  function Page() {
    const [user, setUser] = useState('unknown')
    const settings = {
      baseURL: '${baseURL}',
      onSessionChange: (user) => setUser(user ? user.name : 'signed out'),
      appearance: {
        variables: { accentFill: 'rgb(15, 118, 110)', radius: '3px', font: 'serif' },
        elements: { 'button-primary': 'of-the-page', title: { letterSpacing: '1px', ':hover': { letterSpacing: '2px' } } },
        slots: { top: 'Maintenance on Sunday', bottom: h('a', { href: '/help' }, 'Help of the page') },
      },
      localization: { language: 'en' },
    }
    return h(GatehouseProvider, settings,
      h('h1', { id: 'own-heading' }, 'Our product'),
      h('label', { id: 'own-label' }, 'Our label'),
      h('button', { id: 'own-button', type: 'button' }, 'Our button'),
      h('a', { id: 'own-link', href: '/other' }, 'Our link'),
      h('output', null, user),
      h(UserButton),
      h(SignedOut, null, h('p', null, 'Welcome, visitor'), h(SignIn)),
      h(SignedIn, null, h('p', null, 'Welcome back'),
        h(Protect, { role: 'admin', fallback: h('p', null, 'Not for you') }, h('p', null, 'Secret')),
        h(UserProfile)))
  }
  export const element = h(Page)
`

/** Rules of a page that reach into everything. */
const hostile = `
  html { font-size: 10px }
  body { text-transform: uppercase; letter-spacing: 4px; line-height: 3; color: rgb(255, 0, 0); font-family: serif; text-align: right }
  * { all: revert; margin: 7px !important; box-sizing: content-box !important }
  button { background: red !important; text-transform: uppercase !important; border-radius: 40px !important }
  label { display: none !important }
  input, h1, h2, p { color: rgb(255, 0, 0) !important; font-size: 40px !important; border: 9px solid lime !important }
  a { color: rgb(255, 0, 0) !important; text-decoration: none !important }
  .flex, .grid { display: block !important }
  .border, .rounded { border: 5px dashed lime !important; border-radius: 40px !important }
  .hidden, [hidden] { display: block !important }
  *::before { content: 'x' !important }
  dialog, [popover] { display: none !important }
`

const css = '<link rel="stylesheet" href="/built/embed.css">'
const pages: Record<string, string> = {
  '/': `<!doctype html><html lang="en"><title>Product</title>${css}<main id="app"></main><script type="module" src="/page.js"></script>`,
  '/guide': `<!doctype html><html lang="en"><title>Product</title>${css}<main id="app"></main><script type="module" src="/guide.js"></script>`,
  '/hostile': `<!doctype html><html lang="en"><title>Product</title><style>${hostile}</style>${css}<main id="app"></main><script type="module" src="/page.js"></script>`,
}
/** The policy of the guide. */
const policy = (styles: string) =>
  placed(printedIn('components.md', 'txt policy').trim()).replace("style-src 'self'", `style-src ${styles}`)

/** Printed code with the addresses of this run. */
const placed = (code: string) =>
  code
    .replaceAll('https://accounts.example.com', accounts.url)
    .replace("'gatehouse-auth/react/components'", "'./built/embed/components.js'")
    .replace(/^import 'gatehouse-auth\/react\/components.css'$/m, '')

async function built(name: string, code: string, platform: 'browser' | 'node') {
  writeFileSync(join(folder, `${name}.source.jsx`), code)
  const bundle = await rolldown({
    input: { [name]: join(folder, `${name}.source.jsx`) },
    platform,
    logLevel: 'silent',
    transform: { define: { 'process.env.NODE_ENV': '"development"' } },
  })
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: platform === 'node' ? '[name].mjs' : '[name].js' })
}

beforeAll(async () => {
  const port = await freePort()
  home = `http://localhost:${port}`
  cpSync(join(root, 'dist/client'), join(folder, 'built'), { recursive: true })
  ;[accounts, chrome] = await Promise.all([
    startServer({ config: { trustedOrigins: [home], admin: { enabled: true } } as never }),
    openBrowser(),
  ])
  const api = `${accounts.url}/api/auth`
  writeFileSync(join(folder, 'app.js'), app(api))
  await built(
    'page',
    `import { createRoot } from 'react-dom/client'
     import { element } from './app.js'
     createRoot(document.getElementById('app')).render(element)`,
    'browser',
  )
  await built('guide', placed(printedIn('components.md', 'jsx app.jsx')), 'browser')
  await built(
    'hydrated',
    `import { hydrateRoot } from 'react-dom/client'
     import { element } from './app.js'
     hydrateRoot(document.getElementById('app'), element, {
       onRecoverableError: (error) => console.error('recovered: ' + error.message),
     })`,
    'browser',
  )
  await built(
    'server',
    `import { renderToString } from 'react-dom/server'
     import { element } from './app.js'
     export const html = renderToString(element)`,
    'node',
  )
  const { html } = (await import(join(folder, 'server.mjs'))) as { html: string }
  pages['/rendered'] =
    `<!doctype html><html lang="en"><title>Product</title>${css}<main id="app">${html}</main><script type="module" src="/hydrated.js"></script>`
  product = createServer(({ url = '/' }, response) => {
    const path = url.split('?')[0]!
    const page = pages[path]
    const type = page ? 'text/html' : path.endsWith('.css') ? 'text/css' : 'text/javascript'
    response.setHeader('content-security-policy', policy(path === '/hostile' ? "'self' 'unsafe-inline'" : "'self'"))
    try {
      response.writeHead(200, { 'content-type': type }).end(page ?? readFileSync(join(folder, path)))
    } catch {
      response.writeHead(404).end()
    }
  }).listen(port)
})

afterAll(async () => {
  await chrome?.close()
  await accounts?.close()
  product?.close()
  rmSync(folder, { recursive: true, force: true })
})

async function open(path: string): Promise<Page> {
  const page = await (await chrome.browser.newContext({ locale: 'en-US' })).newPage()
  page.setDefaultTimeout(patience)
  page.on('pageerror', (error) => complaints.push(`${path}: ${error.message}`))
  page.on('console', (message) => {
    // What a page loads during a sign-out is refused.
    if (message.text().includes('status of 401')) return
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(`${path}: ${message.text()}`)
  })
  await page.goto(home + path)
  return page
}

/** The computed style of an element. */
const style = (page: Page, selector: string, names: string[]) =>
  page.evaluate<Record<string, string>>(`(() => {
    const style = getComputedStyle(document.querySelector(${JSON.stringify(selector)}))
    return Object.fromEntries(${JSON.stringify(names)}.map((name) => [name, style.getPropertyValue(name)]))
  })()`)

const shape = [
  'background-color',
  'color',
  'font-size',
  'border-radius',
  'text-transform',
  'letter-spacing',
  'display',
  'padding-left',
  'margin-left',
  'min-height',
  'text-decoration-line',
  'border-left-width',
  'line-height',
  'text-align',
]

describe('the components in the page of a product', () => {
  it('sign up, show the user, protect a part, and sign out; the address of the page stays', async () => {
    const page = await open('/')
    await page.getByText('Welcome, visitor').waitFor()
    await expect.poll(() => page.locator('output').textContent()).toBe('signed out')
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.getByLabel('Name', { exact: true }).fill(person.name)
    await page.getByLabel('Email', { exact: true }).fill(person.email)
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByText('Welcome back').waitFor()
    await page.getByText('Not for you').waitFor()
    await expect.poll(() => page.locator('output').textContent()).toBe(person.name)
    await expect.poll(() => page.title()).toBe('Product')
    await page.getByRole('heading', { name: 'Profile' }).waitFor()
    await page.getByRole('link', { name: 'Security', exact: true }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Security' }).waitFor()
    await expect.poll(() => page.url()).toBe(`${home}/`)
    await expectAccessible(page)
    await page.getByRole('button', { name: /Account: / }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('Welcome, visitor').waitFor()
    await expect.poll(() => page.locator('output').textContent()).toBe('signed out')
    await page.context().close()
  })

  it('show slots of the page, and take declarations of elements under its policy', async () => {
    const page = await open('/')
    await page.locator('.gh-card').getByText('Maintenance on Sunday').waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'Help of the page' }).getAttribute('href')).toBe('/help')
    const spacing = () => page.evaluate<string>("getComputedStyle(document.querySelector('.gh-title')).letterSpacing")
    await page.locator('.gh-title').waitFor()
    await expect.poll(spacing).toBe('1px')
    await page.locator('.gh-title').hover()
    await expect.poll(spacing).toBe('2px')
    await page.context().close()
  })

  it('neither take rules of a hostile page nor change its elements', async () => {
    const inside = ['.gh-card', '.gh-title', '.gh-label', '.gh-control', '.gh-button-primary', '.gh-card a.gh-link']
    const outside = ['#own-heading', '#own-button', '#own-link', 'body']
    const read = async (page: Page, selectors: string[]) =>
      Object.fromEntries(
        await Promise.all(selectors.map(async (selector) => [selector, await style(page, selector, shape)] as const)),
      )
    const friendly = await open('/')
    const page = await open('/hostile')
    await Promise.all([friendly, page].map((one) => one.locator('.gh-card').getByRole('button').first().waitFor()))
    const expected = await read(friendly, inside)
    // The same screen, hosted.
    const hosted = await (await chrome.browser.newContext({ locale: 'en-US' })).newPage()
    await hosted.goto(`${accounts.url}/sign-in`)
    await inApp(hosted)
    await hosted.locator('.button-secondary').first().waitFor()
    const same = ['font-size', 'border-left-width', 'padding-left', 'min-height', 'margin-left', 'text-decoration-line']
    for (const [selector, original] of [
      ['.gh-title', '.title'],
      ['.gh-control', '.control'],
      ['.gh-button-secondary', '.button-secondary'],
    ] as const) {
      await expect
        .poll(() => style(friendly, selector, same), { message: selector })
        .toEqual(await style(hosted, original, same))
    }
    // The card is in the middle of a place of another width.
    delete expected['.gh-card']!['margin-left']
    await expect.poll(() => read(page, inside)).toMatchObject(expected)
    expect(expected['.gh-button-primary']).toMatchObject({
      'background-color': 'rgb(15, 118, 110)',
      'border-radius': '3px',
      'text-transform': 'none',
    })
    for (const one of [friendly, page]) {
      const before = await read(one, outside)
      await one.evaluate(`document.querySelector('link[rel=stylesheet]').disabled = true`)
      expect(await read(one, outside)).toEqual(before)
      expect((await style(one, '.gh-button-primary', ['background-color']))['background-color']).not.toBe(
        'rgb(15, 118, 110)',
      )
    }
    await Promise.all([friendly, page].map((one) => one.context().close()))
  })

  it('are rendered on a server without the user, and hydrated without a difference', async () => {
    expect(pages['/rendered']).toContain('Our product')
    expect(pages['/rendered']).not.toMatch(/Welcome|gh-card/)
    const page = await open('/rendered')
    await page.getByText('Welcome, visitor').waitFor()
    await page.locator('.gh-card').getByRole('button').first().waitFor()
    await page.context().close()
  })

  it('the page of the guide signs in with a password, and knows the user after a reload', async () => {
    const page = await open('/guide')
    await page.locator('input[name="identifier"]').fill(person.email)
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('Your reports').waitFor()
    await page.getByRole('button', { name: /Account: / }).waitFor()
    await page.reload()
    await page.getByText('Your reports').waitFor()
    await page.context().close()
  })

  it('the page of the guide names what to add where the deployment does not trust it', async () => {
    const page = await (await chrome.browser.newContext({ locale: 'en-US' })).newPage()
    page.setDefaultTimeout(patience)
    const told: string[] = []
    page.on('console', (message) => told.push(message.text()))
    const other = home.replace('localhost', '127.0.0.1')
    const advice = `add ${other} to trustedOrigins`
    await page.goto(`${other}/guide`)
    await page.getByText(advice).waitFor()
    expect(told.filter((text) => text.includes(advice))).toHaveLength(1)
    await page.context().close()
  })

  it('the browser reports no errors: no violation of the policy, no difference after the hydration', () => {
    expect(complaints).toEqual([])
  })
})
