import type { Page } from 'playwright-core'
import { it } from 'vitest'
import { openBrowser } from '/work/wt/app-look/client/e2e/browser.ts'
import { codeOf } from '/work/wt/app-look/worker/testing/authenticator.ts'
import { demoProviders, startOpenIdProvider } from '/work/wt/app-look/worker/testing/outside/openid-provider.ts'
import { startServer } from '/work/wt/app-look/worker/testing/server.ts'

const names = {
  'demo-google': 'Google',
  'demo-github': 'GitHub',
  'demo-microsoft': 'Microsoft',
  'demo-apple': 'Apple',
  'demo-gitlab': 'GitLab',
  'demo-work': 'Work',
}
const only = process.env.ONLY?.split(',')
it('pictures', async () => {
  let application = ''
  const provider = await startOpenIdProvider({ application: () => application, providerIds: Object.keys(names) })
  const server = await startServer({
    config: {
      genericOAuth: demoProviders(provider, names),
      phoneNumber: { signUpOnVerification: true },
      organization: { teams: { enabled: true } },
    } as never,
  })
  application = server.url
  const chrome = await openBrowser()
  const sizes = { s: { width: 360, height: 740 }, l: { width: 1280, height: 800 } }
  const context = await chrome.browser.newContext({ locale: process.env.LOC ?? 'en-US', viewport: sizes.l })
  const page = await context.newPage()
  page.setDefaultTimeout(8000)
  page.on('pageerror', (e) => console.log('PAGEERROR', e.message))
  const shot = async (name: string, full = false) => {
    if (only && !only.includes(name)) return
    for (const [size, viewport] of Object.entries(sizes))
      for (const scheme of ['light', 'dark'] as const) {
        if (process.env.FEW && !((size === 's' && scheme === 'light') || (size === 'l' && scheme === 'dark'))) continue
        await page.setViewportSize(viewport)
        await page.emulateMedia({ colorScheme: scheme })
        await page.waitForTimeout(250)
        await page.screenshot({ path: `/tmp/al/pics/${name}-${size}-${scheme}.png`, fullPage: full })
      }
    await page.setViewportSize(sizes.l)
  }
  const go = async (path: string) => {
    await page.goto(server.url + path)
    await page.locator('h1').waitFor()
    await page.waitForLoadState('networkidle')
  }
  const step = async (name: string, f: () => Promise<void>) => {
    try {
      await f()
    } catch (e) {
      console.log('STEP', name, String(e).split('\n').slice(0, 3).join(' '))
      await page.screenshot({ path: `/tmp/al/pics/FAIL-${name}.png` })
    }
  }
  await step('signin', async () => {
    await go('/sign-in')
    await shot('signin')
  })
  await step('signin-more', async () => {
    await go('/sign-in?error=access_denied&callbackURL=/account/security')
    await page.locator('summary').click()
    await page.locator('form button[type=submit]').click()
    await shot('signin-more', true)
  })
  await step('evil', async () => {
    await go('/sign-in?callbackURL=https://evil.example/')
    await shot('evil')
  })
  await step('signup', async () => {
    await go('/sign-up')
    await page.locator('[name=password]').fill('longish password')
    await shot('signup', true)
  })
  const person = { name: 'Ada Example', email: 'ada@example.com', password: 'first long password' }
  await step('signup2', async () => {
    for (const [k, v] of Object.entries(person)) await page.locator(`[name=${k}]`).fill(v)
    await page.locator('form button[type=submit]').click()
    await page.getByText(person.email).waitFor()
    await shot('confirm')
    await page.locator('main a').nth(1).click()
    await page.locator('#email').waitFor()
  })
  await step('profile', async () => {
    await go('/account/profile')
    await shot('profile', true)
  })
  await step('email-dialog', async () => {
    await page.locator('#email button').first().click()
    await page.waitForTimeout(200)
    await shot('dialog')
    await page.keyboard.press('Escape')
    await page.locator('#email button').first().click()
    await page.keyboard.press('Escape')
  })
  await step('delete', async () => {
    await page.locator('#delete button').first().click()
    await page.locator('dialog [name=password]').waitFor()
    await shot('delete')
    await page.keyboard.press('Escape')
  })
  await step('security', async () => {
    await go('/account/security')
    await shot('security', true)
  })
  await step('menu', async () => {
    await page.locator('header button').last().click()
    await page.waitForTimeout(200)
    await shot('menu')
    await page.keyboard.press('Escape')
  })
  await step('twofactor', async () => {
    await page.locator('#two-factor button').first().click()
    await page.locator('#two-factor [name=password]').fill(person.password)
    await page.locator('#two-factor form button[type=submit]').click()
    await page.locator('#two-factor svg[role=img]').waitFor()
    await shot('twofactor', true)
    const secret = ((await page.locator('p[translate=no]').textContent()) ?? '').replace(/\s/g, '')
    await page
      .locator('#two-factor [name=code]')
      .fill(await codeOf(`otpauth://totp/x?secret=${secret}&digits=6&period=30`, -1))
    await page.locator('ol li').first().waitFor()
    await shot('codes', true)
    await page.locator('#two-factor button').last().click()
    await page.waitForTimeout(500)
    await shot('security2', true)
  })
  await step('org', async () => {
    await go('/organizations/new')
    await page.locator('main [name=name]').fill('Zoë & Söhne')
    await page.waitForTimeout(600)
    await shot('orgnew', true)
    await page.locator('main form button[type=submit]').click()
    await page.waitForURL('**/members')
    await page.waitForTimeout(300)
    await shot('members', true)
    await go('/organization/invitations')
    await page.locator('main button').first().click()
    await page.waitForTimeout(300)
    await shot('invite')
    await page.locator('dialog [name=email]').fill('max@example.com')
    await page.locator('dialog button[type=submit]').click()
    await page.waitForTimeout(400)
    await shot('invitations', true)
    await go('/organization/teams')
    await shot('teams', true)
    await go('/organization/roles')
    await shot('roles', true)
    await go('/organization/settings')
    await shot('orgsettings', true)
  })
  await step('unsaved', async () => {
    await go('/account/profile')
    await page.locator('[name=name]').first().fill('Someone')
    await page.locator('a[href="/account/security"]').first().click()
    await page.waitForTimeout(200)
    await shot('unsaved')
    await page.locator('dialog[open] button').last().click()
  })
  await step('challenge', async () => {
    await page.evaluate(() => fetch('/api/auth/sign-out', { method: 'POST' }))
    await page.waitForTimeout(300)
    await go('/sign-in')
    await shot('signin-last')
    await page.locator('[name=identifier]').fill(person.email)
    await page.locator('form [name=password]').fill(person.password)
    await page.locator('form button[type=submit]').click()
    await page.waitForURL('**/two-factor**')
    await page.waitForTimeout(500)
    await shot('challenge', true)
  })
  await step('forgot', async () => {
    await go('/forgot-password')
    await shot('forgot')
  })
  await step('code', async () => {
    await go('/sign-in/code')
    await page.locator('[name=email]').fill('cody@example.com')
    await page.locator('form button[type=submit]').click()
    await page.locator('[name=code]').waitFor()
    await page.locator('[name=code]').fill('12345')
    await shot('code')
  })
  await step('misc', async () => {
    await go('/error?error=please_restart_the_process')
    await shot('error')
    await go('/nowhere')
    await shot('nowhere')
    await go('/verify-email')
    await shot('verify')
    await go('/accept-invitation?id=0123456789abcdef')
    await shot('invited')
  })
  await step('guest', async () => {
    await context.clearCookies()
    await go('/sign-in')
    await page.locator('summary').click()
    await page.locator('details button').last().click()
    await page.waitForURL('**/profile')
    await page.waitForTimeout(500)
    await shot('guest')
    await go('/sign-out')
    await shot('guestout')
  })
  await step('phone', async () => {
    await context.clearCookies()
    await go('/sign-in/phone')
    await page.locator('[name=phoneNumber]').fill('+15550001111')
    await page.locator('form button[type=submit]').click()
    await page.locator('[name=code]').waitFor()
    const code = (await server.mailbox()).find(({ to }) => to === '+15550001111')!.codes[0]!
    await page.locator('[name=code]').fill(code)
    await page.waitForURL('**/welcome**')
    await page.waitForTimeout(300)
    await shot('welcome')
    await page.locator('main button').last().click()
    await page.waitForURL('**/profile')
    await go('/account/security')
    await shot('phonesecurity', true)
  })
  await chrome.close()
  await server.close()
  await provider.close()
}, 300_000)
