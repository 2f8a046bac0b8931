import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { ask, focusOn, inApp, openDevice } from './browser.ts'
import { chrome, openStage, server } from './dead-ends/stage.ts'
import { newest } from './mailbox.ts'
import { plugIn } from './virtual-authenticator.ts'

/** What a returning user presses and types until the session, on the pages of the deployment, by each way. */
const names = { 'demo-google': 'Google' }
const password = 'a long password of mine'
const ada = { name: 'Ada Lovelace', email: 'ada@example.com', password }
const grace = { name: 'Grace Hopper', email: 'grace.hopper@example.com', password }

openStage({ providers: names })

beforeAll(async () => {
  for (const person of [ada, grace]) {
    await fetch(`${server.url}/api/auth/sign-up/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(person),
    })
  }
})

async function device(): Promise<Page> {
  const { page } = await openDevice(chrome.browser)
  // Counted in the page: what the user does, not what the test calls.
  await page.addInitScript(`
    for (const [type, name] of [['pointerdown', 'presses'], ['keydown', 'keys']])
      addEventListener(type, (event) => event.isTrusted && sessionStorage.setItem(name, Number(sessionStorage.getItem(name)) + 1), true)
    // The suggestions of a field would use the passkey before any press.
    if (globalThis.PublicKeyCredential) PublicKeyCredential.isConditionalMediationAvailable = async () => false
  `)
  await page.goto(`${server.url}/sign-up`)
  return page
}

/** The presses and keys from the sign-in on, in a browser that remembers its accounts or in one that does not. */
async function counted(page: Page, remembers: boolean, signIn: () => Promise<void>) {
  if (remembers) await ask(page, '/sign-out')
  if (!remembers) await page.context().clearCookies()
  await page.goto(`${server.url}/sign-in`)
  await inApp(page)
  await page.evaluate("for (const name of ['presses', 'keys']) sessionStorage.removeItem(name)")
  await signIn()
  await page.waitForURL('**/account/profile')
  const read = (name: string) => page.evaluate<number>(`Number(sessionStorage.getItem('${name}'))`)
  return [await read('presses'), await read('keys')]
}

const chip = (page: Page, name: string) => page.getByRole('button', { name: `Continue as ${name}` })

/** As a password manager: without a press or a key of the user in the field. */
const fillIn = (page: Page, selector: string, value: string) =>
  page.evaluate(`{
    const field = document.querySelector(${JSON.stringify(selector)})
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, ${JSON.stringify(value)})
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }`)

describe('a returning user', () => {
  it('with a passkey: one press', async () => {
    const page = await device()
    await plugIn(page)
    await ask(page, '/sign-in/email', { email: ada.email, password })
    await page.goto(`${server.url}/account/security#passkeys`)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('heading', { name: 'Name your passkey' }).waitFor()
    const byButton = async () => {
      // The password was used last: the passkey is behind the other ways.
      await page.getByText('Other ways to sign in').click()
      await page.getByRole('button', { name: 'Continue with a passkey' }).click()
    }
    await page.reload()
    expect(await counted(page, false, byButton)).toEqual([2, 0])
    expect(await counted(page, true, () => chip(page, 'Ada').click())).toEqual([1, 0])
    await page.context().close()
  })

  it('with a password manager: two keys, no press', async () => {
    const page = await device()
    await ask(page, '/sign-in/email', { email: ada.email, password })
    const enter = async () => {
      await page.getByText(ada.email, { exact: true }).waitFor()
      await focusOn(page, '[name=password]')
      await fillIn(page, '[autocomplete="current-password"]', password)
      await page.keyboard.press('Enter')
    }
    const byAddress = async () => {
      await focusOn(page, '[name=identifier]')
      await fillIn(page, '[name=identifier]', ada.email)
      await page.keyboard.press('Enter')
      await enter()
    }
    const byChip = async () => {
      await focusOn(page, '[name=account]')
      await page.keyboard.press('Enter')
      await enter()
    }
    expect(await counted(page, false, byAddress)).toEqual([0, 2])
    expect(await counted(page, true, byChip)).toEqual([0, 2])
    await page.context().close()
  })

  it('with a provider: one press', async () => {
    const page = await device()
    await page.goto(`${server.url}/sign-in`)
    await page.getByRole('button', { name: 'Continue with Google' }).click()
    await page.locator('input[name="login"]').fill('grace')
    await page.locator('input[name="password"]').fill('any')
    await page.locator('button[type="submit"]').click()
    await page.locator('form button[type="submit"]').click()
    await page.waitForURL('**/account/profile')
    expect(
      await counted(page, true, () =>
        page.getByRole('list', { name: 'Accounts of this browser' }).getByRole('button').first().click(),
      ),
    ).toEqual([1, 0])
    await page.context().close()
  })

  it('with a code: one press and its six digits, in place of the address', async () => {
    const page = await device()
    const typeCode = async () => {
      await page.getByRole('heading', { name: 'Enter the code' }).waitFor()
      const code = await newest(server, grace.email, 'codes')
      await focusOn(page, '[name=code]')
      await page.keyboard.type(code)
    }
    const byAddress = async () => {
      await focusOn(page, '[name=identifier]')
      await page.keyboard.type(grace.email)
      await page.keyboard.press('Enter')
      await page
        .getByText(/^Email me a (sign-in )?code/)
        .filter({ visible: true })
        .first()
        .click()
      await typeCode()
    }
    const byChip = async () => {
      await chip(page, 'Grace').click()
      await typeCode()
    }
    expect(await counted(page, false, byAddress)).toEqual([1, grace.email.length + 1 + 6])
    expect(await counted(page, true, byChip)).toEqual([1, 6])
    await page.context().close()
  })
})
