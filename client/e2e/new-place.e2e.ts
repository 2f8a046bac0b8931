import { describe, expect, it } from 'vitest'
import {
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
  signIn,
} from './dead-ends/stage.ts'
import { lookAt } from './look-at.ts'

/** A right password from an unknown place, of a user without a second factor. A new browser alone is one here. */
setTheStage({ risk: { level: 'challenge', challengeFrom: 2 } })

describe('a sign-in in a new browser', () => {
  it('says why, has mailed the code already, and is not asked there again', async () => {
    const { email } = await member()
    await (await server.database()).prepare('update users set email_verified = 1').run()
    const page = await open()
    await go(page, '/sign-in')
    await signIn(page, email)
    await heading(page, 'Confirm it’s you')
    await page.getByText(`new place, so we emailed a code to p***@example.com. It is valid for 3 minutes.`).waitFor()
    // No way that the user has not set up, and no second factor that a device could be trusted with.
    await expect.poll(() => page.getByRole('checkbox').count()).toBe(0)
    await expect.poll(() => page.getByRole('button', { name: /authenticator|backup/i }).count()).toBe(0)
    await lookAt(page, 'new-place')
    // A reload requests no other code, which would end this one.
    const code = await newest(email, 'codes')
    await page.reload()
    await page.getByText('new place, so we emailed a code to').waitFor()
    await fill(page, 'Code', code === '000000' ? '000001' : '000000')
    await page.getByText('This code is incorrect.').waitFor()
    await fill(page, 'Code', code)
    await heading(page, 'Profile')
    await inPage(page, '/sign-out')
    expect(await inPage(page, '/sign-in/email', { email, password })).toMatchObject({ user: { email } })
  })

  nothingBroke()
})
