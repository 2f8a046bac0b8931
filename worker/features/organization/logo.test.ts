import { describe, expect, it } from 'vitest'
import { TestApp } from '../../testing/harness.ts'
import { someone } from '../../testing/organizations.ts'
import { picture } from '../../testing/picture.ts'
import { count } from '../../testing/rows.ts'

const unlimited = { rateLimit: { enabled: false } }
const pathOf = (logo: string) => new URL(logo).pathname

async function company() {
  const app = new TestApp(unlimited)
  const { device } = await someone(app, 'Olga')
  const { id } = (await device.post('/organization/create', { name: 'Acme', slug: 'acme' })).body
  return { app, device, organizationId: id as string }
}

describe('POST /organization/logo', () => {
  it('200: the logo is served under an unguessable name; a new one replaces it', async () => {
    const { app, device, organizationId } = await company()
    const { status, body } = await device.post('/organization/logo', { webp: picture(256), organizationId })
    expect(status).toBe(200)
    expect(body.logo).toMatch(/^http:\/\/localhost:8787\/api\/auth\/organization\/logo\/[A-Za-z0-9]{32}\.webp$/)
    const shown = await app.device().get(pathOf(body.logo))
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/webp'])
    const next = (await device.post('/organization/logo', { webp: picture(64) })).body.logo
    expect((await device.get('/organization/list')).body[0].logo).toBe(next)
    expect((await device.get(pathOf(body.logo))).status).toBe(404)
  })

  it('400 and 403: not a picture, and a user who may not update the organization', async () => {
    const { app, device, organizationId } = await company()
    const wrong = await device.post('/organization/logo', { webp: '', organizationId })
    expect([wrong.status, wrong.body.code]).toEqual([400, 'NOT_A_PICTURE'])
    const large = await device.post('/organization/logo', { webp: picture(257), organizationId })
    expect([large.status, large.body.code]).toEqual([400, 'PICTURE_TOO_LARGE'])
    const { device: other } = await someone(app, 'Max')
    const outside = await other.post('/organization/logo', { webp: picture(8), organizationId })
    expect([outside.status, outside.body.code]).toEqual([400, 'USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION'])
  })

  it('is deleted when it is removed or replaced by an address, and with its organization', async () => {
    const { device, organizationId } = await company()
    const left = () => count('organization_logos')
    const upload = () => device.post('/organization/logo', { webp: picture(8), organizationId })
    const { logo } = (await upload()).body
    // An update with the same address keeps it.
    await device.post('/organization/update', { organizationId, data: { name: 'Acme Inc', logo } })
    expect(await left()).toBe(1)
    await device.post('/organization/update', { organizationId, data: { logo: null } })
    expect(await left()).toBe(0)
    await upload()
    await device.post('/organization/update', { organizationId, data: { logo: 'https://acme.example/logo.png' } })
    expect(await left()).toBe(0)
    await upload()
    await device.post('/organization/delete', { organizationId })
    expect(await left()).toBe(0)
  })
})
