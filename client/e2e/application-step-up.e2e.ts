import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { expectAccessible } from './browser.ts'
import { click, go, member, nothingBroke, setTheStage } from './dead-ends/stage.ts'
import { lookAt } from './look-at.ts'

/** /step-up: an application requires a recent authentication before its authorization continues. */
setTheStage()

const way = '/step-up?callbackURL=%2Faccount%2Fsecurity%3Fresumed'
const resumed = (page: Page) => page.waitForURL('**/account/security?resumed')

/** A signed-in user, and the time of their last authentication. */
async function user() {
  const { page } = await member()
  const state = { at: '2026-01-01T00:00:00.000Z' }
  const json = () => ({ methods: ['password'], authenticatedAt: state.at, fresh: true })
  await page.route('**/api/auth/step-up/methods', (route) => route.fulfill({ json: json() }))
  await page.route('**/api/auth/step-up', (route) => {
    state.at = '2026-01-02T00:00:00.000Z'
    return route.fulfill({ json: { authenticatedAt: state.at, amr: ['pwd'] } })
  })
  return { page, state }
}

describe('/step-up', () => {
  it('asks in the dialog, and continues with the authorization', async () => {
    const { page } = await user()
    await go(page, way)
    await page.getByText('An application asks for it before it continues.').waitFor()
    await expectAccessible(page)
    await lookAt(page, 'application-step-up')
    await click(page, 'Confirm')
    await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill('the right one')
    await page.keyboard.press('Enter')
    await resumed(page)
    await expect.poll(() => page.evaluate('sessionStorage.getItem("step-up-asked")')).toBeNull()
  })

  it('continues for a user who returns from a provider, and waits for one who did not confirm', async () => {
    const { page, state } = await user()
    await go(page, way)
    await page.getByRole('button', { name: 'Confirm' }).waitFor()
    await go(page, '/account/profile')
    await go(page, way)
    await page.getByRole('button', { name: 'Confirm' }).waitFor()
    state.at = '2026-01-03T00:00:00.000Z'
    await page.goto(page.url())
    await resumed(page)
  })
})

nothingBroke()
