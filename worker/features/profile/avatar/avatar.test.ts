import { Buffer } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import { TestApp } from '../../../testing/harness.ts'
import { alice, bob, signUp } from '../../../testing/people.ts'
import { picture } from '../../../testing/picture.ts'
import { count } from '../../../testing/rows.ts'

const unlimited = { rateLimit: { enabled: false } }
const pathOf = (image: string) => new URL(image).pathname

describe('POST /avatar', () => {
  it('200: the picture is served under an unguessable name, and the session shows it', async () => {
    const app = new TestApp(unlimited)
    const device = await signUp(app, alice)
    const { status, body } = await device.post('/avatar', { webp: picture(256) })
    expect(status).toBe(200)
    expect(body.image).toMatch(/^http:\/\/localhost:8787\/api\/auth\/avatar\/[A-Za-z0-9]{32}\.webp$/)
    expect((await device.get('/get-session')).body.user.image).toBe(body.image)
    const { status: shown, headers } = await app.device().get(pathOf(body.image))
    expect({
      status: shown,
      contentType: headers.get('content-type'),
      contentTypeOptions: headers.get('x-content-type-options'),
    }).toEqual({ status: 200, contentType: 'image/webp', contentTypeOptions: 'nosniff' })
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  })

  it('a new picture replaces the old one, whose address is dead', async () => {
    const app = new TestApp(unlimited)
    const device = await signUp(app, alice)
    const first = (await device.post('/avatar', { webp: picture(64) })).body.image
    const second = (await device.post('/avatar', { webp: picture(128) })).body.image
    expect((await device.get(pathOf(first))).status).toBe(404)
    expect((await device.get(pathOf(second))).status).toBe(200)
  })

  it.each([
    ['NOT_A_PICTURE', Buffer.from('<svg onload="alert(1)"/>'.padEnd(64)).toString('base64')],
    ['NOT_A_PICTURE', ''],
    ['NOT_A_PICTURE', Buffer.from('GIF89a'.padEnd(64)).toString('base64')],
    ['PICTURE_TOO_LARGE', picture(257)],
    ['PICTURE_TOO_LARGE', picture(16, 300)],
    ['PICTURE_TOO_LARGE', picture(16, 16, { length: 32 * 1024 + 2 })],
    ['VALIDATION_ERROR', 'not base64!'],
  ])('400 %s', async (code, webp) => {
    const device = await signUp(new TestApp(unlimited), alice)
    const { status, body } = await device.post('/avatar', { webp })
    expect({ status, code: body.code }).toEqual({ status: 400, code })
    expect((await device.get('/get-session')).body.user.image).toBeNull()
  })

  it('401 for a visitor, 413 for a huge body, 404 where it is off', async () => {
    const app = new TestApp(unlimited)
    expect((await app.device().post('/avatar', { webp: picture(8) })).status).toBe(401)
    const device = await signUp(app, alice)
    expect((await device.post('/avatar', { webp: 'A'.repeat(70_000) })).status).toBe(413)
    const off = new TestApp({ ...unlimited, avatar: { enabled: false } })
    expect((await (await signUp(off, bob)).post('/avatar', { webp: picture(8) })).status).toBe(404)
  })

  it('the picture is deleted with its user, and when no user shows it', async () => {
    const app = new TestApp(unlimited)
    const device = await signUp(app, alice)
    await device.post('/avatar', { webp: picture(8) })
    const other = await signUp(app, bob)
    await other.post('/avatar', { webp: picture(8) })
    const left = () => count('avatars')
    expect(await left()).toBe(2)
    await device.post('/update-user', { name: 'Another' })
    await device.post('/avatar', { webp: picture(9) })
    expect(await left()).toBe(2)
    await device.post('/update-user', { image: null })
    expect(await left()).toBe(1)
    await other.post('/delete-user', { password: bob.password })
    expect(await left()).toBe(0)
  })
})
