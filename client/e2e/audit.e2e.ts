import { describe, expect, it } from 'vitest'
import { go, heading, inPage, member, nothingBroke, open, password, setTheStage } from './dead-ends/stage.ts'
import { lookAt } from './look-at.ts'

/** The audit log of an organization, as its owner uses it. */
setTheStage({ enterprise: { enabled: true } })

const longName = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft & Partners Ltd'

describe('the audit log of an organization', () => {
  it('shows what another device does at once, with details, a filter in the address, and streams', async () => {
    const { page, email } = await member()
    const organization = (await inPage(page, '/organization/create', {
      name: longName,
      slug: `audit-${Date.now()}`,
    })) as { id: string }
    await go(page, '/organization/audit')
    await heading(page, 'Audit log')
    const table = page.getByRole('table')
    await table.getByText('Created the organization').waitFor()
    await page.getByRole('link', { name: 'Audit log' }).first().waitFor()
    const elsewhere = await open()
    await go(elsewhere, '/goodbye')
    await inPage(elsewhere, '/sign-in/email', { email, password })
    await inPage(elsewhere, '/organization/update', {
      organizationId: organization.id,
      data: { name: `${longName} of Vienna` },
    })
    await table.getByText('Changed the organization').waitFor()
    await page.getByRole('button', { name: 'Details: Changed the organization' }).click()
    await page.getByRole('dialog').getByText('organization.').first().waitFor()
    await lookAt(page, 'audit-details')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByRole('combobox', { name: 'Action' }).fill('organization changed')
    await lookAt(page, 'audit-filter-search')
    await page.keyboard.press('Enter')
    await table.getByText('Created the organization').waitFor({ state: 'detached' })
    await expect.poll(() => new URL(page.url()).searchParams.get('kind')).toBe('organization.update')
    await page.getByRole('button', { name: 'Clear the filter' }).click()
    await table.getByText('Created the organization').waitFor()
    await lookAt(page, 'audit')
    await inPage(page, '/api-key/create', { organizationId: organization.id, name: 'Deployment' })
    await page.getByRole('link', { name: 'Access review' }).click()
    const members = page.getByRole('table', { name: 'Members and their access' })
    await members.getByText('Created the organization').waitFor()
    await expect.poll(() => members.textContent()).toContain(email)
    await page.getByRole('table', { name: 'Keys and agents' }).getByText('Deployment').waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    expect((await download).suggestedFilename()).toMatch(/^access-review-.*\.csv$/)
    await lookAt(page, 'access-review')
    await page.getByRole('link', { name: 'Streams' }).click()
    await page.getByRole('button', { name: 'Create a stream' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('SIEM')
    await dialog.getByLabel('Send to').selectOption('s3')
    await lookAt(page, 'audit-stream-form')
    await dialog.getByLabel('Send to').selectOption('http')
    await dialog.getByLabel('URL').fill('http://127.0.0.1:9/audit')
    await dialog.getByRole('button', { name: 'Create a stream' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Actions for SIEM' }).waitFor()
    await lookAt(page, 'audit-streams')
    const testing = page.waitForRequest(/test-audit-stream/)
    await page.route(/test-audit-stream/, async (route) => {
      await page.getByRole('dialog').getByText('Sending a test record…').waitFor()
      await route.continue()
    })
    await page.getByRole('button', { name: 'Actions for SIEM' }).click()
    await page.getByRole('button', { name: 'Send a test record' }).click()
    await testing
    await page.getByRole('dialog').getByText('The receiver').waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await expect.poll(() => page.getByRole('table').textContent()).toContain('SIEM')
  })
})

/** Texts whose first letter is cut off, as by a line that runs in the other direction. */
const beheaded = `[...document.querySelectorAll('tbody bdi')].filter((node) => node.checkVisibility()).filter((node) => {
  const range = document.createRange()
  range.setStart(node.firstChild, 0)
  range.setEnd(node.firstChild, 1)
  const letter = range.getBoundingClientRect()
  for (let box = node; box.localName !== 'td'; box = box.parentElement) {
    const { left, right, top, bottom } = box.getBoundingClientRect()
    if (getComputedStyle(box).overflowX !== 'hidden' || letter.top >= bottom || letter.bottom <= top) continue
    if (letter.left < left - 1 || letter.right > right + 1) return true
  }
  return false
}).map((node) => node.textContent)`

it('in Arabic, addresses and names keep their beginning, and values have words', async () => {
  const { page } = await member()
  const { id: organizationId } = (await inPage(page, '/organization/create', {
    name: longName,
    slug: `audit-ar-${Date.now()}`,
  })) as { id: string }
  await inPage(page, '/organization/invite-member', {
    organizationId,
    role: 'member',
    email: 'wilhelmina.konstantinopolitanskaja-dudelsackpfeifenmacher@subsidiary.department.example.com',
  })
  await inPage(page, '/sso/create-connection', {
    organizationId,
    name: longName.slice(0, 60),
    type: 'oidc',
    mapping: { required: [{ name: 'department', values: ['sales', 'support'] }] },
  })
  await page.evaluate(`localStorage.setItem('language', 'ar')`)
  await go(page, '/organization/audit')
  const rows = page.locator('tbody tr')
  await rows.nth(2).waitFor()
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    await expect.poll(() => page.evaluate(beheaded), { message: `at ${width}` }).toEqual([])
  }
  const changes = await rows.first().locator('td').first().innerText()
  expect(changes).toContain('مسودة')
  await expect.poll(() => rows.first().innerHTML()).toContain('department: sales')
  await lookAt(page, 'audit-arabic')
})

nothingBroke()
