import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../worker/testing/server.ts'
import { ask, expectAccessible, type OpenBrowser, openBrowser, openDevice } from './browser.ts'

/** The list screens, with many rows and long names. */
let server: TestServer
let chrome: OpenBrowser
let page: Page
let owner = ''

const password = 'a long password of mine'
const longName = 'Wilhelmina Konstantinopolitanskaja-Dudelsackpfeifenmacher von und zu Hohenstaufen'
const longCompany = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft & Partners'
const arabicName = 'محمد العبد الله'
const longAddress = (n: number) =>
  `wilhelmina.konstantinopolitanskaja-dudelsackpfeifenmacher.${n}@subsidiary.example.com`
/** More than an answer has: the owner, the newest member, is not among them. */
const members = 200
const browser =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36'

/** Of a member without a name or an address. */
const number = '+4915123456789'

/** Users, members, invitations, sessions and events of the owner, straight into the database. */
async function fill(owner: string, organization: string): Promise<void> {
  const database = await server.database()
  const now = Date.now()
  const statements = Array.from({ length: members }, (_, n) => {
    const [id, time] = [`user-${n}`, now - n * 60_000]
    return [
      database
        .prepare(
          'insert into users (id, name, email, email_verified, created_at, updated_at) values (?, ?, ?, 1, ?, ?)',
        )
        .bind(
          id,
          n === members - 2 ? number : `${n % 5 === 1 ? arabicName : longName} ${n}`,
          n === members - 2 ? `${number.slice(1)}-abcdefghijkl@phone.localhost` : longAddress(n),
          time,
          time,
        ),
      database
        .prepare(
          "insert into members (id, organization_id, user_id, role, created_at) values (?, ?, ?, 'admin,member', ?)",
        )
        .bind(`member-${n}`, organization, id, time),
      database
        .prepare(
          "insert into invitations (id, organization_id, email, role, status, expires_at, inviter_id, created_at) values (?, ?, ?, 'member', 'pending', ?, ?, ?)",
        )
        .bind(
          `invitation-${n}`,
          organization,
          n === 0 ? 'short@example.com' : longAddress(n + members),
          now + 1e9,
          owner,
          time,
        ),
    ]
  }).flat()
  const own = Array.from({ length: 15 }, (_, n) => {
    const [id, time] = [`filled-${n}`, now - (n + 60) * 60_000]
    return [
      database
        .prepare(
          "insert into security_events (id, user_id, type, outcome, method, ip_address, user_agent, city, country, request_id, created_at) values (?, ?, 'sign-in', 'success', 'email', '2001:db8:1234:5678:9abc:def0:1234:5678', ?, 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch', 'GB', ?, ?)",
        )
        .bind(id, owner, browser, id, time),
      database
        .prepare(
          "insert into sessions (id, user_id, token, expires_at, ip_address, user_agent, created_at, updated_at, method, city, country) values (?, ?, ?, ?, '2001:db8:1234:5678:9abc:def0:1234:5678', ?, ?, ?, 'email', ?, 'GB')",
        )
        .bind(
          id,
          owner,
          id,
          now + 1e9,
          browser,
          time,
          time,
          n % 2 ? 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch' : 'London',
        ),
    ]
  }).flat()
  await database.batch([...statements, ...own, ...otherRows(database, owner, now)])
}

/** Rows of the console's other lists. */
const otherRows = (database: Awaited<ReturnType<TestServer['database']>>, owner: string, now: number) => [
  database
    .prepare(
      "insert into passkeys (id, name, public_key, user_id, credential_id, counter, device_type, backed_up, created_at, aaguid, last_used_at) values ('passkey', ?, 'key', ?, 'credential', 0, 'multiDevice', 1, ?, '00000000-0000-0000-0000-000000000000', ?)",
    )
    .bind(longName, owner, now, now),
  database
    .prepare(
      "insert into jobs (id, kind, key, payload, attempts, next_at, state, settled_at, last_error, created_at) values ('job', 'mail', ?, '{}', 9, ?, 'failed', ?, ?, ?)",
    )
    .bind(longAddress(1), now + 1e9, now, `SMTP 550 5.1.1 The address ${longAddress(1)} does not exist`, now),
  database
    .prepare(
      "insert into attacks (id, key, kind, network, asn, country, started_at, until) values ('attack', 'k', 'network', '2001:db8:1234:5678::/64', 64500, 'DE', ?, ?)",
    )
    .bind(now, now + 1e9),
  database
    .prepare(
      "insert into defences (id, kind, network, created_by, created_at, expires_at) values ('defence', 'block', '203.0.113.0/24', ?, ?, ?)",
    )
    .bind(owner, now, now + 1e9),
  database
    .prepare(
      "insert into server_keys (id, name, start, key_hash, permissions, addresses, created_by, created_at) values ('key', ?, 'gh_ab', 'hash', ?, ?, ?, ?)",
    )
    .bind(longName, '["sessions:read","users:read"]', '["203.0.113.0/24","2001:db8:1234:5678::/64"]', owner, now),
]

beforeAll(async () => {
  ;[server, chrome] = await Promise.all([
    startServer({
      vars: { ADMIN_EMAILS: 'ada@example.com' },
      config: { enterprise: { enabled: true }, organization: { teams: { enabled: true }, membershipLimit: 199 } },
    }),
    openBrowser(),
  ])
  ;({ page } = await openDevice(chrome.browser, { viewport: { width: 360, height: 740 } }))
  await page.goto(`${server.url}/goodbye`)
  const { user } = await ask(page, '/sign-up/email', { name: longName, email: 'ada@example.com', password })
  await (await server.database()).prepare("update users set email_verified = 1, role = 'admin'").run()
  await ask(page, '/sign-in/email', { email: 'ada@example.com', password })
  const { id } = await ask(page, '/organization/create', { name: longCompany, slug: 'company' })
  await ask(page, '/api-key/create', { name: longName.slice(0, 32) })
  await page.evaluate(`fetch('/api/auth/oauth2/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: ${JSON.stringify(JSON.stringify({ client_name: longCompany, redirect_uris: ['https://app.example.com/callback'] }))},
  })`)
  owner = user.id
  await fill(owner, id)
})

afterAll(async () => {
  await chrome?.close()
  await server?.close()
})

const rows = 'main tbody tr, #sessions li, #accounts li, #passkeys li'
const tallest = `Math.max(...[...document.querySelectorAll('${rows}')]
  .filter((row) => row.checkVisibility())
  .map((row) => row.getBoundingClientRect().height))`

const lists = [
  '/organization/members',
  '/organization/invitations',
  '/organization/teams',
  '/organization/audit',
  '/organization/audit/access-review',
  '/account/security',
  '/admin/users',
  '/admin/organizations',
  '/admin/events',
  '/admin/audit',
  '/admin/undelivered',
  '/admin/threats',
  '/admin/server-keys',
  '/developers/api-keys',
  '/developers/clients',
]

describe.for(['en', 'de', 'ar'])('with long names, in %s', (language) => {
  it('no row of a list is taller than 72 px on a phone, and nothing is wider than the window', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    await page.evaluate(`localStorage.setItem('language', '${language}')`)
    for (const path of lists) {
      await page.goto(server.url + path)
      await page.locator(rows).first().waitFor()
      await expect.poll(() => page.evaluate<number>(tallest), { message: path }).toBeLessThanOrEqual(72)
      const over = () => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
      await expect.poll(over, { message: path }).toBeLessThanOrEqual(0)
    }
  })
})

/** Words and numbers that continue in the next line, other than at a place for a hyphen. Ids and very long words may. */
const broken = `(() => {
  const found = []
  const texts = document.createTreeWalker(document.querySelector('#app'), NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const node = texts.currentNode
    if (!node.parentElement.checkVisibility() || node.parentElement.closest('code, pre, .font-mono, .sr-only')) continue
    for (const { 0: word, index } of node.data.matchAll(/(?<!\\u00ad)[\\p{L}\\p{N}]{2,24}(?![\\p{L}\\p{N}\\u00ad])/gu)) {
      const range = document.createRange()
      range.setStart(node, index)
      range.setEnd(node, index + word.length)
      const boxes = [...range.getClientRects()].filter(({ width }) => width > 0)
      if (boxes.some(({ top, height }) => top > boxes[0].top + height / 2)) found.push(word)
    }
  }
  return found
})()`

/** Names in cells that do not begin where their column begins. */
const shifted = `(() => {
  const isRight = getComputedStyle(document.body).direction === 'rtl'
  return [...document.querySelectorAll('main td bdi.truncate')]
    .filter((text) => text.checkVisibility() && !text.closest('.sm\\\\:text-end'))
    .filter((text) => {
      const range = document.createRange()
      range.selectNodeContents(text)
      const [inner, outer] = [range.getBoundingClientRect(), text.getBoundingClientRect()]
      const away = isRight ? outer.right - inner.right : inner.left - outer.left
      return inner.width < outer.width && away > 1
    })
    .map((text) => text.textContent)
})()`

/** Days and times that are cut. */
const cutTimes = `[...document.querySelectorAll('main td time')]
  .filter((time) => time.checkVisibility() && [time, time.parentElement].some((box) => box.scrollWidth > box.clientWidth + 1
    && getComputedStyle(box).overflowX === 'hidden'))
  .map((time) => time.textContent)`

describe.for(['en', 'de', 'ar'])('on a desk, with long names, in %s', (language) => {
  it('no word is broken, and each column of names has one edge', async () => {
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.evaluate(`localStorage.setItem('language', '${language}')`)
    for (const path of [...lists, `/admin/users/${owner}`]) {
      await page.goto(server.url + path)
      await page.locator(rows).first().waitFor()
      expect(await page.evaluate<string[]>(broken), path).toEqual([])
      expect(await page.evaluate<string[]>(shifted), path).toEqual([])
      expect(await page.evaluate<string[]>(cutTimes), path).toEqual([])
      expect(await page.evaluate<string[]>(cutFields), path).toEqual([])
      const over = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
      expect(over, path).toBeLessThanOrEqual(0)
    }
  })
})

/** Fields whose choice is cut, or that reach into the next cell. */
const cutFields = `[...document.querySelectorAll('main td select')].filter((field) => {
  const text = document.createElement('canvas').getContext('2d')
  const style = getComputedStyle(field)
  text.font = style.font
  const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)
  const [box, cell] = [field.getBoundingClientRect(), field.closest('td').getBoundingClientRect()]
  return text.measureText(field.selectedOptions[0].text).width > room + 1 || box.left < cell.left || box.right > cell.right
}).map((field) => field.selectedOptions[0].text)`

describe.for(['de', 'fr', 'ja', 'ar'])('a toolbar with a filter, in %s', (language) => {
  it('is one line on a desk and on a phone', async () => {
    await page.evaluate(`localStorage.setItem('language', '${language}')`)
    for (const path of ['/admin/audit?kind=organization', '/organization/audit?q=a', '/admin/users?show=unverified']) {
      await page.goto(server.url + path)
      const toolbar = page.locator('main search form')
      for (const width of [1280, 360]) {
        await page.setViewportSize({ width, height: 800 })
        const height = async () => (await toolbar.boundingBox())?.height ?? 100
        await expect.poll(height, { message: `${path} at ${width}` }).toBeLessThan(50)
      }
    }
  })
})

/** Lines of several texts whose first is cut although the line has room for more of it. */
const wasteful = `[...document.querySelectorAll('main .h-lh')].filter((line) => {
  if (!line.checkVisibility() || line.children.length < 2) return false
  const [first, second] = line.children
  const text = first.querySelector('bdi')
  return text && text.scrollWidth > text.clientWidth && second.offsetTop > first.offsetTop
    && line.clientWidth - first.clientWidth > 2
}).map((line) => line.textContent)`

describe.for(['en', 'de', 'ar'])('on a phone, in %s', (language) => {
  it('the first text of a line has the room that a second one has not', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    await page.evaluate(`localStorage.setItem('language', '${language}')`)
    for (const path of ['/organization/audit', '/admin/audit', '/admin/events']) {
      await page.goto(server.url + path)
      await page.locator(rows).first().waitFor()
      await expect.poll(() => page.evaluate<string[]>(wasteful), { message: path }).toEqual([])
    }
  })

  it('the address of an invitation breaks at its signs alone', async () => {
    await page.goto(`${server.url}/accept-invitation?id=invitation-1`)
    await page.locator('main dl').waitFor()
    await expect.poll(() => page.evaluate<string[]>(broken)).toEqual([])
  })
})

describe('a line of the log', () => {
  it('has words, and no names of the interface for programs', async () => {
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.evaluate(`localStorage.setItem('language', 'de')`)
    await ask(page, '/admin/raise-risk-level', { duration: 600 })
    await ask(page, '/admin/block-network', { network: '198.51.100.0/24', duration: 600 })
    await page.goto(`${server.url}/admin/audit`)
    const lines = page.getByRole('table')
    const visible = (text: string) => lines.getByText(text).filter({ visible: true }).first()
    await visible('Lesen und ändern').waitFor()
    await visible('198.51.100.0/24').waitFor()
    await expect
      .poll(async () =>
        (await lines.innerText()).match(/\b(?!macOS)[a-z]+[A-Z]\w*|\b[a-z]+_[a-z]+|: (full|level|network)\b/g),
      )
      .toBeNull()
  })
})

describe('the filter of a log', () => {
  it('is closed by Escape, which gives the focus back', async () => {
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.evaluate(`localStorage.setItem('language', 'en')`)
    await page.goto(`${server.url}/admin/events`)
    const button = page.getByRole('search').getByRole('button', { name: 'Filter', exact: true })
    await button.click()
    await page.getByLabel('From', { exact: true }).focus()
    await page.keyboard.press('Escape')
    await expect.poll(() => button.getAttribute('aria-expanded')).toBe('false')
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Filter')
  })
})

describe('a refused registration of an application', () => {
  it('is explained at its field, in the language of the page', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    await page.evaluate(`localStorage.setItem('language', 'de')`)
    await page.goto(`${server.url}/developers/clients#register`)
    const form = page.getByRole('dialog')
    await form.getByLabel('Name').fill('Notizen')
    await form.getByLabel('Redirect-URIs').fill('http://app.example.com/callback')
    await form.locator('[type=submit]').click()
    await form.getByText('Eine der Adressen ist nicht erlaubt').waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('redirectURLs')
    await expectAccessible(page)
    await page.keyboard.press('Escape')
  })
})

describe('a row with more cells', () => {
  it('shows them on a phone after a press', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    await page.evaluate(`localStorage.setItem('language', 'en')`)
    await page.goto(`${server.url}/admin/undelivered`)
    const error = page.getByText(/^SMTP 550/)
    const more = page.getByRole('cell').getByRole('button', { name: 'More', expanded: false })
    await more.waitFor()
    await expect.poll(() => error.isVisible()).toBe(false)
    await more.click()
    await error.waitFor()
    await expectAccessible(page)
    await page.setViewportSize({ width: 1280, height: 800 })
    await expect.poll(() => page.getByRole('button', { name: 'More' }).filter({ visible: true }).count()).toBe(0)
    await expect.poll(() => error.isVisible()).toBe(true)
  })
})

describe('a member who is named after a number', () => {
  it('is shown without it, in the words for screen readers as well', async () => {
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.evaluate(`localStorage.setItem('language', 'en')`)
    await page.goto(`${server.url}/organization/members`)
    const row = page.getByRole('row').filter({ hasText: 'No name' })
    await row.waitFor()
    await expect.poll(() => row.innerHTML()).not.toContain(number)
  })
})

describe('200 members', () => {
  it('come in pages without jumps, also by keyboard', async () => {
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.evaluate(`localStorage.setItem('language', 'en')`)
    await page.goto(`${server.url}/organization/members`)
    const shown = page.getByRole('table', { name: /members/i }).getByRole('row')
    await shown.nth(50).waitFor()
    await expect.poll(() => shown.count()).toBe(51)
    const more = page.getByRole('button', { name: 'Show 50 more' })
    await more.focus()
    const before = await page.evaluate<number>('scrollY')
    await page.keyboard.press('Enter')
    await shown.nth(100).waitFor()
    await expect.poll(() => page.evaluate<number>('scrollY')).toBe(before)
    // The focus is on the first of the new rows.
    const at = `[...document.querySelectorAll('main tbody tr')].indexOf(document.activeElement.closest('tr'))`
    await expect.poll(() => page.evaluate<number>(at)).toBe(50)
    await expectAccessible(page)
    await page.getByRole('searchbox').fill(`${members - 1}@`)
    await expect.poll(() => shown.count()).toBe(2)
  })
})

describe('the page of a user in the console', () => {
  it('has one timeline of events and records, and the newest five sessions', async () => {
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(`${server.url}/admin/users/${owner}`)
    const lines = page.getByRole('table').getByRole('row')
    await lines.getByText('15 sign-ins from Chrome 131 on macOS').waitFor()
    // The toolbar is one line; filters and exports are behind its button.
    const toolbar = page.locator('main search form')
    await expect.poll(async () => (await toolbar.boundingBox())?.height ?? 100).toBeLessThan(50)
    const exports = page.getByRole('button', { name: 'Security events' })
    await expect.poll(() => exports.count()).toBe(0)
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await exports.waitFor()
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await expect.poll(() => page.getByRole('table').count()).toBe(1)
    // The sign-up is an event and a record of one request: one line.
    await expect.poll(() => lines.filter({ hasText: /^(Signed up|Signed in)/ }).count()).toBeLessThanOrEqual(3)
    await lines.getByText('Created the organization').waitFor()
    await expect.poll(() => page.getByRole('button', { name: /^End the session: / }).count()).toBe(5)
    await page.getByRole('button', { name: /^Show \d+ more$/ }).click()
    await expect.poll(() => page.getByRole('button', { name: /^End the session: / }).count()).toBeGreaterThan(15)
    await expectAccessible(page)
  })
})
