import { describe, expect, it } from 'vitest'
import { watchChannel } from './browser.ts'
import { go, heading, inPage, member, nothingBroke, open, password, setTheStage } from './dead-ends/stage.ts'

/** Open tabs that learn at once about what happens elsewhere. No test here gives the page another reason to load. */
setTheStage()

/** A second device of the same user. */
async function another(email: string) {
  const page = await open()
  await go(page, '/goodbye')
  await inPage(page, '/sign-in/email', { email, password })
  return page
}

describe('the live channel', () => {
  it('shows the sign-in when the session is revoked elsewhere, and leads back', async () => {
    const { page, email } = await member()
    const connected = await watchChannel(page)
    await go(page, '/account/security')
    await heading(page, 'Security')
    await connected()
    const elsewhere = await another(email)
    await inPage(elsewhere, '/revoke-other-sessions')
    await page.getByText('Your session has ended.').waitFor()
    await expect.poll(() => new URL(page.url()).searchParams.get('callbackURL')).toBe('/account/security')
  })

  it('shows a new device, a changed name and a new organization', async () => {
    const { page, email } = await member()
    const connected = await watchChannel(page)
    await go(page, '/account/security#sessions')
    await page.locator('#sessions').getByText('You are not signed in anywhere else.').waitFor()
    await connected()
    const elsewhere = await another(email)
    await page.locator('#sessions').getByRole('button', { name: 'Sign out all others' }).waitFor()
    await inPage(elsewhere, '/update-user', { name: 'Ada Lovelace' })
    await inPage(elsewhere, '/organization/create', { name: 'Analytical Engines', slug: `engines-${Date.now()}` })
    await page.getByRole('button', { name: /Account: / }).click()
    await page.getByText('Ada Lovelace').waitFor()
    await page.getByRole('link', { name: 'Members' }).first().waitFor()
  })

  it('shows a change of another device in the recent activity; a hidden page asks when it is shown again', async () => {
    const { page, email } = await member()
    const elsewhere = await another(email)
    let [asked, all, messages] = [0, 0, 0]
    page.on('request', (request) => {
      if (request.url().includes('/security-events')) asked += 1
    })
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        all += 1
        // Messages from before the page was loaded say how old they are.
        if (/credentials(?!.*ago)/.test(String(payload))) messages += 1
      }),
    )
    await go(page, '/account/security')
    const activity = page.locator('#activity')
    await activity.getByRole('row').nth(1).waitFor()
    // The channel is open when it has a message.
    await expect
      .poll(async () => {
        await inPage(elsewhere, '/update-user', { name: `Ada ${all}` })
        return all
      })
      .toBeGreaterThan(0)
    const change = (currentPassword: string, newPassword: string) =>
      inPage(elsewhere, '/change-password', { currentPassword, newPassword })
    await change(password, 'another long password of mine')
    await activity.getByText('Password changed').first().waitFor()
    await expect.poll(() => messages).toBe(1)
    await page.evaluate(`Object.defineProperty(document, 'hidden', { configurable: true, get: () => true })`)
    const before = asked
    await change('another long password of mine', password)
    await expect.poll(() => messages).toBe(2)
    await expect.poll(() => page.evaluate<number>('document.hidden ? 1 : 0')).toBe(1)
    expect(asked).toBe(before)
    await page.evaluate(`{
      delete document.hidden
      document.dispatchEvent(new Event('visibilitychange'))
    }`)
    await expect.poll(() => asked).toBeGreaterThan(before)
  })

  it('connects again after the connection is lost, and catches up', async () => {
    const { page, email } = await member()
    const connections: { close(): Promise<void> }[] = []
    let refuses = false
    await page.routeWebSocket('**/api/auth/live?*', async (socket) => {
      if (refuses) return socket.close({ code: 1011 })
      socket.connectToServer()
      connections.push(socket)
    })
    await go(page, '/account/profile')
    await expect.poll(() => connections.length).toBe(1)
    refuses = true
    await connections[0]!.close()
    const elsewhere = await another(email)
    await inPage(elsewhere, '/update-user', { name: 'Grace Hopper' })
    refuses = false
    await expect.poll(() => connections.length).toBe(2)
    await page.getByRole('button', { name: /Account: / }).click()
    await page.getByText('Grace Hopper').waitFor()
  })

  it.each([
    ['shows what changed', '/update-user', { name: 'Hedy Lamarr' }, 'Hedy Lamarr'],
    ['shows the sign-in after the session was revoked', '/revoke-other-sessions', {}, 'Your session has ended.'],
  ])('%s between the load of the page and its first connection', async (_what, path, body, shown) => {
    const { page, email } = await member()
    const elsewhere = await another(email)
    let connect = () => {}
    let attempts = 0
    const held = new Promise<void>((resolve) => {
      connect = resolve
    })
    await page.routeWebSocket('**/api/auth/live?*', async (socket) => {
      attempts += 1
      await held
      socket.connectToServer()
    })
    const asked: string[] = []
    // The page before it may still load something.
    page.on('framenavigated', () => asked.splice(0))
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith('/api/')) asked.push(pathname)
    })
    await go(page, '/account/profile')
    await heading(page, 'Profile')
    await page.waitForLoadState('networkidle')
    await expect.poll(() => attempts).toBe(1)
    expect(asked).toContain('/api/auth/organization/list')
    expect(asked.length, asked.join('\n')).toBe(new Set(asked).size)
    await inPage(elsewhere, path, body)
    connect()
    if (path === '/update-user') await page.getByRole('button', { name: /Account: / }).click()
    await page.getByText(shown).waitFor()
  })

  it('shows what changed before a later connection', async () => {
    const { page, email } = await member()
    let attempts = 0
    let refuses = true
    await page.routeWebSocket('**/api/auth/live?*', (socket) => {
      attempts += 1
      if (refuses) return socket.close({ code: 1011 })
      socket.connectToServer()
    })
    await go(page, '/account/profile')
    await expect.poll(() => attempts).toBeGreaterThan(0)
    await inPage(await another(email), '/update-user', { name: 'Katherine Johnson' })
    refuses = false
    await page.getByRole('button', { name: /Account: / }).click()
    await page.getByText('Katherine Johnson').waitFor()
  })

  nothingBroke()
})
