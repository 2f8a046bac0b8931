import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { go, heading, member, nothingBroke, setTheStage } from './dead-ends/stage.ts'
import { lookAt } from './look-at.ts'

/** Actions, sections and dialogs by Ctrl-K and by their addresses. */
setTheStage()

const box = (page: Page) => page.getByRole('combobox')
const option = (page: Page, name: string) =>
  page
    .locator('dialog[data-commands]')
    .getByRole('option', { name: new RegExp(`^${name}`) })
    .first()
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })

/** The button of the menu has loaded, and so have its keys. */
const ready = (page: Page) => page.locator('[aria-keyshortcuts]').waitFor()

async function run(page: Page, text: string, name: string) {
  await ready(page)
  await page.keyboard.press('Control+k')
  await box(page).fill(text)
  await option(page, name).waitFor()
  await option(page, name).click()
  await box(page).waitFor({ state: 'detached' })
}

const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent')
const address = (page: Page) => page.evaluate<string>('location.pathname + location.hash')

describe('the command menu', () => {
  it('opens dialogs and sections, of this page and of others', async () => {
    const { page } = await member()
    await go(page, '/account/profile')
    await heading(page, 'Profile')
    await ready(page)
    await page.keyboard.press('Control+k')
    await box(page).waitFor()
    // Without a text: screens only.
    await expect.poll(() => option(page, 'Change password').count()).toBe(0)
    await box(page).fill('passw')
    await option(page, 'Change password').waitFor()
    await lookAt(page, 'commands-password')
    await page.keyboard.press('Escape')
    await box(page).waitFor({ state: 'detached' })

    await run(page, '2fa', 'Two-factor authentication')
    await heading(page, 'Security')
    await expect.poll(() => focused(page)).toBe('Two-factor authentication')
    await run(page, 'change passw', 'Change password')
    await dialog(page, 'Change password').waitFor()
    await expect.poll(() => address(page)).toBe('/account/security#change-password')
    await page.keyboard.press('Escape')
    await dialog(page, 'Change password').waitFor({ state: 'hidden' })
    await expect.poll(() => address(page)).toBe('/account/security')
    // Again, and from the page itself.
    await run(page, 'change passw', 'Change password')
    await dialog(page, 'Change password').waitFor()
    await page.keyboard.press('Escape')
    await dialog(page, 'Change password').waitFor({ state: 'hidden' })
    await run(page, 'sessions', 'Sessions and devices')
    await expect.poll(() => focused(page)).toBe('Sessions')
    await run(page, 'sessions', 'Sessions and devices')
    await expect.poll(() => focused(page)).toBe('Sessions')
    await run(page, 'delete', 'Delete account')
    await heading(page, 'Profile')
    await page.getByRole('dialog').getByLabel(/^Type/).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await run(page, 'company', 'New organization')
    await expect.poll(() => address(page)).toBe('/organizations/new')
  })

  it('chooses the theme and the language, and finds English words in another language', async () => {
    const { page } = await member()
    await go(page, '/account/profile')
    await heading(page, 'Profile')
    await run(page, 'dark', 'Dark theme')
    await expect.poll(() => page.evaluate<string>('document.documentElement.dataset.theme')).toBe('dark')
    await run(page, 'deutsch', 'Deutsch')
    await heading(page, 'Profil')
    await run(page, 'password', 'Passwort ändern')
    await dialog(page, 'Passwort ändern').waitFor()
    await page.keyboard.press('Escape')
    await dialog(page, 'Passwort ändern').waitFor({ state: 'hidden' })
    await run(page, 'hell', 'Helles Design')
    await expect.poll(() => page.evaluate<string>('document.documentElement.dataset.theme')).toBe('light')
    await run(page, 'abmelden', 'Abmelden')
    await expect.poll(() => address(page)).toBe('/sign-out')
    await page.getByRole('button', { name: 'Abmelden', exact: true }).waitFor()
  })
})

describe('an address', () => {
  it('opens its dialog, after the sign-in too, and moves to its section', async () => {
    const { page } = await member()
    await go(page, '/account/profile#change-email')
    await dialog(page, 'Change email').waitFor()
    await page.getByRole('dialog').getByRole('textbox').first().waitFor()
    await lookAt(page, 'address-dialog')
    await page.keyboard.press('Escape')
    await expect.poll(() => address(page)).toBe('/account/profile')
    await go(page, '/account/security#add-passkey')
    await expect.poll(() => focused(page)).toBe('Add a passkey')
    await go(page, '/account/security#set-up-two-factor')
    await page.getByRole('dialog').waitFor()
  })

  nothingBroke()
})
