import type { Page, Route } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { codeOf, previousCode } from '../../worker/testing/authenticator.ts'
import { expectAccessible } from './browser.ts'
import {
  click,
  fill,
  go,
  heading,
  inPage,
  member,
  newest,
  nothingBroke,
  open,
  password,
  server,
  setTheStage,
} from './dead-ends/stage.ts'
import { lookAt } from './look-at.ts'
import { plugIn } from './virtual-authenticator.ts'

/** "Confirm that it is you": the dialog of a rejected operation, and how the operation continues. */
setTheStage({ socialProviders: { google: { clientId: 'id', clientSecret: 'secret' } } })

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it is you' })
const stale = (methods: string[]) => ({
  status: 403,
  json: { code: 'SESSION_IS_NOT_FRESH', message: 'Session is not fresh', methods },
})

/** A user whose session requires a step-up for a change of the address. */
async function stalePerson(methods: string[]) {
  const { page, email } = await member()
  const state = { fresh: false, changes: [] as unknown[], proofs: [] as any[] }
  await page.route('**/api/auth/change-email', (route: Route) => {
    state.changes.push(route.request().postDataJSON())
    return route.fulfill(state.fresh ? { json: { status: true } } : stale(methods))
  })
  await page.route('**/api/auth/step-up', (route: Route) => {
    const proof = route.request().postDataJSON()
    state.proofs.push(proof)
    const wrong = { password: 'INVALID_PASSWORD', totp: 'INVALID_CODE', 'backup-code': 'INVALID_BACKUP_CODE' }[
      proof.method as string
    ]
    if (/wrong|000000/.test(proof.password ?? proof.code)) {
      return route.fulfill({ status: 400, json: { code: wrong ?? 'INVALID_OTP', message: 'Wrong' } })
    }
    state.fresh = true
    return route.fulfill({ json: { authenticatedAt: new Date().toISOString(), amr: ['pwd'] } })
  })
  await page.route('**/api/auth/step-up/methods', (route: Route) =>
    route.fulfill({ json: { methods, authenticatedAt: new Date().toISOString(), fresh: state.fresh } }),
  )
  await page.route('**/api/auth/step-up/send-code', (route: Route) => route.fulfill({ json: { status: true } }))
  return { page, email, state }
}

/** Requests another address and waits for the dialog. */
async function askForChange(page: Page, to = 'new@example.com') {
  await go(page, '/account/profile#email')
  await click(page, 'Change email')
  await fill(page, 'New email', to)
  await page.getByRole('dialog', { name: 'Change email' }).getByRole('button', { name: 'Change email' }).click()
  await dialog(page).waitFor()
}

const changed = (page: Page, email = 'new@example.com') => page.getByText(email).first().waitFor()

describe('an operation that requires a recent authentication', () => {
  it('continues after the password, and is sent as it was', async () => {
    const { page, state } = await stalePerson(['password', 'email-otp'])
    await askForChange(page)
    await lookAt(page, 'step-up-password')
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('password')
    await dialog(page).getByRole('button', { name: 'Confirm', exact: true }).click()
    await dialog(page).getByText('Enter your password.').waitFor()
    await dialog(page).getByLabel('Password', { exact: true }).fill('a wrong one')
    await page.keyboard.press('Enter')
    await dialog(page).getByText('The password is incorrect.').waitFor()
    await expectAccessible(page)
    await dialog(page).getByLabel('Password', { exact: true }).fill('the right one')
    await page.keyboard.press('Enter')
    await dialog(page).waitFor({ state: 'detached' })
    await changed(page)
    expect(state.changes).toEqual([0, 1].map(() => expect.objectContaining({ newEmail: 'new@example.com' })))
    expect(state.proofs.at(-1)).toEqual({ method: 'password', password: 'the right one' })
  })

  it('is not done when it is canceled, and the focus returns', async () => {
    const { page, state } = await stalePerson(['password'])
    await askForChange(page)
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    const first = page.getByRole('dialog', { name: 'Change email' })
    await first.getByText('You did not confirm that it is you').waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Change email')
    await expect.poll(() => page.getByLabel('New email').inputValue()).toBe('new@example.com')
    expect(state.changes).toHaveLength(1)
    await expectAccessible(page)
    await first.getByRole('button', { name: 'Change email' }).click()
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => state.changes.length).toBe(2)
    await dialog(page).waitFor({ state: 'detached' })
  })

  it('takes the code of the app, a backup code, and a mailed one', async () => {
    const { page, email, state } = await stalePerson(['totp', 'backup-code', 'email-otp'])
    await askForChange(page)
    await lookAt(page, 'step-up-totp')
    await dialog(page).getByLabel('Code', { exact: true }).fill('000 000')
    await dialog(page).getByText('This code is incorrect.').waitFor()
    await dialog(page).getByRole('button', { name: 'Use a backup code' }).click()
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('code')
    await dialog(page).getByLabel('Backup code').fill('wrong')
    await page.keyboard.press('Enter')
    await dialog(page).getByText('not one of your unused backup codes').waitFor()
    await lookAt(page, 'step-up-backup-code')
    await dialog(page).getByRole('button', { name: 'Get a code by email' }).click()
    await dialog(page).getByText(`We’ll email a code to ${email}.`).waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Send code')
    await page.keyboard.press('Enter')
    await dialog(page).getByLabel('Code', { exact: true }).waitFor()
    await lookAt(page, 'step-up-email-otp')
    await dialog(page).getByLabel('Code', { exact: true }).fill('123456')
    await dialog(page).waitFor({ state: 'detached' })
    await changed(page)
    expect(state.proofs.map(({ method }) => method)).toEqual(['totp', 'backup-code', 'email-otp'])
  })

  it('returns from a provider: shows it, keeps the typed text but no password, and waits for the button', async () => {
    const { page, state } = await stalePerson(['provider:google'])
    await page.route('**/api/auth/step-up/provider', (route: Route) => {
      const { provider, callbackURL, errorCallbackURL } = route.request().postDataJSON()
      expect({ provider, callbackURL, errorCallbackURL }).toEqual({
        provider: 'google',
        callbackURL: '/account/profile#email',
        errorCallbackURL: '/account/profile#email',
      })
      return route.fulfill({ json: { url: `${server.url}/goodbye`, redirect: true } })
    })
    await askForChange(page, 'kept@example.com')
    await dialog(page).getByText('You go to Google and come back').waitFor()
    await lookAt(page, 'step-up-provider')
    await dialog(page).getByRole('button', { name: 'Continue with Google' }).click()
    await page.waitForURL('**/goodbye')

    // The browser's Back button does not complete the step-up.
    await go(page, '/account/profile#email')
    await page.getByText('It was not confirmed that it is you').waitFor()
    await expectAccessible(page)

    await askForChange(page, 'kept@example.com')
    await dialog(page).getByRole('button', { name: 'Continue with Google' }).click()
    await page.waitForURL('**/goodbye')
    state.fresh = true
    await go(page, '/account/profile#email')
    await page.getByText('You confirmed that it is you. Press “Change email” again').waitFor()
    await lookAt(page, 'step-up-returned')
    await click(page, 'Change email')
    await expect.poll(() => page.getByLabel('New email').inputValue()).toBe('kept@example.com')
    await page.getByRole('dialog').getByRole('button', { name: 'Change email' }).click()
    await changed(page, 'kept@example.com')
    await expect.poll(() => page.evaluate('sessionStorage.getItem("step-up")')).toBeNull()
  })

  it('keeps no password for the way back', async () => {
    const { page } = await member()
    await page.route('**/api/auth/change-password', (route) => route.fulfill(stale(['provider:google'])))
    await page.route('**/api/auth/step-up/provider', (route) => route.fulfill({ json: { status: true } }))
    await go(page, '/account/security')
    await click(page, 'Change password')
    await fill(page, 'Current password', 'a secret of mine')
    await fill(page, 'New password', 'another secret of mine')
    await page.getByRole('dialog').getByRole('button', { name: 'Show password' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Change password' }).click()
    await dialog(page).getByRole('button', { name: 'Continue with Google' }).click()
    await expect.poll(() => page.evaluate<string>('sessionStorage.getItem("step-up")')).toContain('Change password')
    expect(await page.evaluate<string>('sessionStorage.getItem("step-up")')).not.toContain('secret')
  })

  it('requires a new sign-in if the account has no method', async () => {
    const { page, state } = await stalePerson([])
    await askForChange(page)
    await dialog(page).getByText('This cannot be confirmed in your current session.').waitFor()
    await lookAt(page, 'step-up-none')
    await dialog(page).getByRole('button', { name: 'Sign in again' }).click()
    await heading(page, 'Sign in to Gatehouse')
    await expect.poll(() => new URL(page.url()).searchParams.get('callbackURL')).toBe('/account/profile')
    expect(state.changes).toHaveLength(1)
  })
})

describe('with the server', () => {
  /** A user whose session was authenticated long ago. */
  const age = async () => {
    const database = await server.database()
    await database.prepare('update sessions set authenticated_at = 1').run()
  }

  it('the password lets another address be set', async () => {
    const { page, email } = await member()
    await age()
    await askForChange(page, 'password@example.com')
    await dialog(page).getByLabel('Password', { exact: true }).fill('not my password')
    await page.keyboard.press('Enter')
    await dialog(page).getByText('The password is incorrect.').waitFor()
    await dialog(page).getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await dialog(page).waitFor({ state: 'detached' })
    await page.getByText('password@example.com').first().waitFor()
    await expect.poll(() => page.locator('#email').innerText()).not.toContain(email)
  })

  it('with a second factor only that counts: its code makes an API key', async () => {
    const { page } = await member()
    const { totpURI } = (await inPage(page, '/two-factor/enable', { password })) as { totpURI: string }
    await inPage(page, '/two-factor/verify-totp', { code: await previousCode(totpURI) })
    await age()
    await go(page, '/developers/api-keys')
    await click(page, 'Create a key')
    await page.getByRole('dialog').getByRole('button', { name: 'Create a key' }).click()
    await dialog(page).getByText('Enter the code from your authenticator app.').waitFor()
    await expect.poll(() => dialog(page).getByRole('button', { name: 'Use your password' }).count()).toBe(0)
    await dialog(page)
      .getByLabel('Code', { exact: true })
      .fill(await codeOf(totpURI))
    await dialog(page).waitFor({ state: 'detached' })
    await page.getByText('It is shown only this once.').waitFor()
  })

  it('a passkey does, in the middle of making another one', async () => {
    const { page } = await member()
    await plugIn(page)
    await go(page, '/account/security#passkeys')
    await click(page, 'Add a passkey')
    await click(page, 'Not now')
    await age()
    await click(page, 'Add a passkey')
    await dialog(page).getByRole('button', { name: 'Use a passkey' }).click()
    await dialog(page).waitFor({ state: 'detached' })
    // The registration continues: the only authenticator has created its passkey already.
    await page.getByText('This device or password manager already has a passkey for your account.').waitFor()
  })

  it('a code by email deletes an account without a password', async () => {
    const page = await open()
    await go(page, '/sign-in/code')
    await server.clearMailbox()
    await fill(page, 'Email', 'code@example.com')
    await click(page, 'Send code')
    await fill(page, 'Code', await newest('code@example.com', 'codes'))
    await click(page, 'Skip')
    await heading(page, 'Profile')
    await age()
    await server.clearMailbox()
    await click(page, 'Delete account')
    await fill(page, 'Type “code@example.com” to confirm', 'code@example.com')
    await click(page, 'Delete my account')
    await dialog(page).getByRole('button', { name: 'Send code' }).click()
    await dialog(page)
      .getByLabel('Code', { exact: true })
      .fill(await newest('code@example.com', 'codes'))
    await page.waitForURL('**/goodbye?for=deletion')
  })
})

nothingBroke()
