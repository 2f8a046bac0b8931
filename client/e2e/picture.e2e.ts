import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../worker/testing/server.ts'
import { expectAccessible, type OpenBrowser, openBrowser, openDevice } from './browser.ts'

/** A user's picture, from the file to the image that others load. */
let server: TestServer
let chrome: OpenBrowser
let page: Page

beforeAll(async () => {
  ;[server, chrome] = await Promise.all([startServer(), openBrowser()])
  page = (await openDevice(chrome.browser)).page
  await page.goto(`${server.url}/goodbye`)
  await page.evaluate(() =>
    fetch('/api/auth/sign-up/email', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Ada', email: 'ada@example.com', password: 'a long password of mine' }),
    }),
  )
  await page.goto(`${server.url}/account/profile`)
})

afterAll(async () => {
  await chrome?.close()
  await server?.close()
})

/** A noisy PNG of 1200 by 800 pixels, far larger than 32 KiB, with a red stripe on its left and a blue on its right. */
async function widePicture(): Promise<Buffer> {
  const url = await page.evaluate<string>(`(() => {
    const canvas = document.createElement('canvas')
    canvas.width = 1200
    canvas.height = 800
    const context = canvas.getContext('2d')
    const pixels = context.createImageData(1200, 800)
    for (let at = 0; at < pixels.data.length; at += 4) {
      const x = (at / 4) % 1200
      const noise = Math.random() * 120
      const colour = x < 200 ? [255, 0, 0] : x >= 1000 ? [0, 0, 255] : [noise, 120 + noise, noise]
      pixels.data.set([...colour, 255], at)
    }
    context.putImageData(pixels, 0, 0)
    return canvas.toDataURL('image/png')
  })()`)
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')
}

const choose = (name: string, mimeType: string, buffer: Buffer) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType, buffer })

describe('a picture from this device', () => {
  it('is cropped to its middle, scaled to 256 px and sent as WebP of at most 32 KiB', async () => {
    const picture = await widePicture()
    expect(picture.length).toBeGreaterThan(200_000)
    await choose('me.png', 'image/png', picture)
    await page.getByText('Your profile has been saved.').waitFor()
    const seen = await page.evaluate<{ size: number; type: string; cache: string; side: number[]; edges: number[][] }>(
      `(async () => {
        const { user } = await (await fetch('/api/auth/get-session')).json()
        const answer = await fetch(user.image)
        const blob = await answer.blob()
        const bitmap = await createImageBitmap(blob)
        const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
        const context = canvas.getContext('2d')
        context.drawImage(bitmap, 0, 0)
        const at = (x) => [...context.getImageData(x, 128, 1, 1).data.slice(0, 3)]
        const cache = answer.headers.get('cache-control')
        return { size: blob.size, type: blob.type, cache, side: [bitmap.width, bitmap.height], edges: [at(4), at(251)] }
      })()`,
    )
    expect(seen.side).toEqual([256, 256])
    expect(seen.type).toBe('image/webp')
    expect(seen.size).toBeLessThanOrEqual(32 * 1024)
    expect(seen.cache).toContain('immutable')
    // The stripes at both ends are cut off: the rest is mostly green.
    for (const [red = 0, green = 0, blue = 0] of seen.edges) expect(green).toBeGreaterThan(Math.max(red, blue))
  })

  it('is shown immediately, and in the head of every page', async () => {
    const image = page.locator('header img')
    await image.waitFor()
    await expect.poll(() => page.evaluate<number>(`document.querySelector('header img').naturalWidth`)).toBe(256)
    await expectAccessible(page)
  })

  it('an invalid file is rejected with a message, and the old one remains', async () => {
    const before = await page.locator('header img').getAttribute('src')
    await choose('notes.txt', 'text/plain', Buffer.from('no picture'))
    await page.getByRole('alert').first().waitFor()
    await expectAccessible(page)
    await expect.poll(() => page.locator('header img').getAttribute('src')).toBe(before)
  })

  it('is removed again', async () => {
    await page.getByRole('button', { name: 'Remove picture' }).click()
    await page.getByRole('button', { name: 'Upload a picture' }).waitFor()
    await page.locator('header img').waitFor({ state: 'detached' })
    const user = await page.evaluate<{ image: string | null }>(
      `fetch('/api/auth/get-session').then((answer) => answer.json()).then(({ user }) => user)`,
    )
    expect(user.image).toBeNull()
  })
})
