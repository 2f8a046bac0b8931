import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { ask, expectAccessible } from './browser.ts'
import { go, heading, inPage, member, nothingBroke, open, password, setTheStage } from './dead-ends/stage.ts'
import { lookAt } from './look-at.ts'

/** Teams of an organization, by its owner. */
setTheStage({ organization: { teams: { enabled: true } } })

let page: Page
const max = { name: 'Max Member', email: 'max@example.com' }

beforeAll(async () => {
  ;({ page } = await member())
  await ask(page, '/organization/create', { name: 'Zoë & Söhne', slug: 'zoe' })
  const invitation = { email: max.email, role: 'admin' }
  const { id: invitationId } = await ask<{ id: string }>(page, '/organization/invite-member', invitation)
  const other = await open()
  await go(other, '/goodbye')
  await inPage(other, '/sign-up/email', { ...max, password })
  await ask(other, '/organization/accept-invitation', { invitationId })
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
const field = (label: string) => page.getByLabel(label, { exact: true })
const dialog = () => page.getByRole('dialog')
const row = (text: string) => page.getByRole('row').filter({ hasText: text })
const told = (text: string) => page.getByText(text).filter({ visible: true }).first().waitFor()

// One walk: each step begins where the previous one ended.
describe('an organization', () => {
  it('has teams', async () => {
    await go(page, '/organization/teams')
    await told('Your own team')
    await button('New team').click()
    await field('Name').fill('Design')
    await button('Create team').click()
    await row('Design').waitFor()
    await button('Actions for Design').click()
    await button('Rename').click()
    await field('Name').fill('Product')
    await button('Save').click()
    await row('Product').waitFor()
    await expectAccessible(page)
  })

  it('a team is opened; members of the organization are added and removed', async () => {
    await row('Product').getByRole('link', { name: 'Product' }).click()
    await heading(page, 'Product')
    await told('This team has no members yet.')
    await button('Add people').click()
    await dialog()
      .getByLabel('Person')
      .selectOption({ label: `${max.name} (${max.email})` })
    await expectAccessible(page)
    await dialog().getByRole('button', { name: 'Add people' }).click()
    await told(`${max.name} is now in Product.`)
    await row(max.email).waitFor()
    await lookAt(page, 'team')
    await button(`Remove ${max.name} from the team`).click()
    await dialog().getByRole('button', { name: 'Remove' }).click()
    await told('This team has no members yet.')
    await go(page, '/organization/teams/unknown')
    await told('This team no longer exists.')
    await page.getByRole('main').getByRole('link', { name: 'All teams' }).click()
    await heading(page, 'Teams')
  })

  it('the teams of a member are changed from the list of members', async () => {
    await go(page, '/organization/members')
    await button(`Actions for ${max.name}`).click()
    await button('Change teams').click()
    await dialog().getByLabel('Product').check()
    await lookAt(page, 'member-teams')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await row(max.email).getByText('Product', { exact: true }).waitFor()
    await go(page, '/organization/teams')
    await row('Product').waitFor()
    await button('Actions for Product').click()
    await button('Delete').click()
    await dialog().getByRole('button', { name: 'Delete' }).click()
    await told('The team Product has been deleted.')
    await expect.poll(() => row('Product').count()).toBe(0)
  })

  nothingBroke()
})
