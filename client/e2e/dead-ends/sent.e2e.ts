import { describe, expect, it } from 'vitest'
import { lookAt } from '../look-at.ts'
import { click, fill, go, heading, newest, nothingBroke, open, password, setTheStage } from './stage.ts'

/** What users meet after something was sent to them: a reload, an evicted tab, the Back button. */
setTheStage()

const flows = [
  { path: '/sign-in/code', label: 'Email', to: 'cody@example.com', button: 'Send code', title: 'Enter the code' },
  {
    path: '/sign-in/phone',
    label: 'Phone number',
    to: '+15550001111',
    shown: '+1 555 000 1111',
    button: 'Send code',
    title: 'Enter the code',
  },
  { path: '/sign-in/link', label: 'Email', to: 'lin@example.com', button: 'Send link', title: 'Check your inbox' },
  { path: '/forgot-password', label: 'Email', to: 'pat@example.com', button: 'Send link', title: 'Check your inbox' },
  {
    path: '/forgot-password/code',
    label: 'Email or phone number',
    to: 'pia@example.com',
    button: 'Send code',
    title: 'Choose a new password',
  },
]

describe('a step after something was sent', () => {
  for (const { path, label, to, shown = to, button, title } of flows) {
    it(`${path} survives a reload, and Back leads to the address`, async () => {
      const page = await open()
      await go(page, path)
      await fill(page, label, to)
      await click(page, button)
      await heading(page, title)
      await page.getByText(shown).waitFor()
      expect(page.url()).not.toContain(encodeURIComponent(to))

      const timer = page.getByRole('timer')
      await page.waitForTimeout(1500)
      await page.reload()
      await heading(page, title)
      await page.getByText(shown).waitFor()
      // The pause before the next message continues.
      expect(Number((await timer.innerText()).replace(/\D/g, ''))).toBeLessThan(60)

      await page.goBack()
      const field = page.getByLabel(label, { exact: true })
      await field.waitFor()
      await page.reload()
      await field.waitFor()
      await page.goForward()
      await heading(page, title)

      // The tab's storage holds the step for a new entry, as after a discarded tab.
      await page.goto('about:blank')
      await go(page, path)
      await heading(page, title)
      await page.getByRole('button', { name: /^Use another/ }).click()
      await field.waitFor()
      await page.reload()
      await field.waitFor()
    })
  }

  it('is over after its lifetime, and after the sign-in', async () => {
    const page = await open()
    await go(page, '/sign-in/code')
    await fill(page, 'Email', 'cody@example.com')
    await click(page, 'Send code')
    await heading(page, 'Enter the code')
    await page.reload()
    await fill(page, 'Code', await newest('cody@example.com', 'codes'))
    await heading(page, 'What’s your name?')
    await page.context().clearCookies()
    await go(page, '/sign-in/code')
    await heading(page, 'Sign in with a code')

    await fill(page, 'Email', 'late@example.com')
    await click(page, 'Send code')
    await heading(page, 'Enter the code')
    await page.addInitScript(() => {
      const now = Date.now
      Date.now = () => now() + 86_400_000
    })
    await page.reload()
    await heading(page, 'Sign in with a code')
  })

  it('check-inbox keeps its address', async () => {
    const page = await open()
    await go(page, '/sign-up')
    await fill(page, 'Name', 'Nia')
    await fill(page, 'Email', 'nia@example.com')
    await fill(page, 'Password', password)
    await click(page, 'Create account')
    await heading(page, 'Confirm your email address')
    await page.reload()
    await page.getByText('We sent a link to nia@example.com.').waitFor()
    await page.goto('about:blank')
    await go(page, '/check-inbox')
    await page.getByText('We sent a link to nia@example.com.').waitFor()
  })
})

describe('a tab that waits for a link', () => {
  const signUp = async (email: string) => {
    const page = await open()
    await go(page, '/sign-up')
    await fill(page, 'Name', 'Nia')
    await fill(page, 'Email', email)
    await fill(page, 'Password', password)
    await click(page, 'Create account')
    await heading(page, 'Confirm your email address')
    return page
  }

  it('continues after the address was confirmed in another tab', async () => {
    const page = await signUp('tab@example.com')
    const other = await page.context().newPage()
    await other.goto(await newest('tab@example.com', 'links'))
    await heading(other, 'Your email address is confirmed')
    await page.bringToFront()
    await heading(page, 'Profile')
    await page.locator('#email').getByText('Confirmed', { exact: true }).waitFor()
  })

  it('continues after the address was confirmed on another device, which is not signed in', async () => {
    const page = await signUp('device@example.com')
    const other = await open()
    await other.goto(await newest('device@example.com', 'links'))
    await heading(other, 'Confirm your email address')
    await lookAt(other, 'mailed-link')
    await click(other, 'Confirm address')
    await heading(other, 'Your email address is confirmed')
    await other.getByRole('link', { name: 'Sign in' }).waitFor()
    await page.bringToFront()
    await heading(page, 'Profile')
    await page.locator('#email').getByText('Confirmed', { exact: true }).waitFor()
  })

  it('continues after the sign-in link was opened, even if its tab says nothing to the others', async () => {
    const page = await open()
    await go(page, '/sign-in/link')
    await fill(page, 'Email', 'wait@example.com')
    await click(page, 'Send link')
    await heading(page, 'Check your inbox')
    await page.getByText('On another device, it signs you in there.').waitFor()
    await lookAt(page, 'magic-link-sent')
    await page.evaluate(
      (link) => fetch(link, { redirect: 'manual' }).then(() => undefined),
      await newest('wait@example.com', 'links'),
    )
    await heading(page, 'What’s your name?')
  })
})

nothingBroke()
