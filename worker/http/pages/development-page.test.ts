import { expect, it } from 'vitest'
import { TestApp } from '../../testing/harness.ts'

const ASSETS = { fetch: async () => new Response('<html><div id="app"></div></html>') } as unknown as Fetcher
const at = (app: TestApp, path: string, origin = 'http://localhost:8787') => app.respond(new Request(origin + path))

it('GET /dev leads to what development has, and each of it is there', async () => {
  const app = new TestApp({}, { ASSETS })
  for (const path of ['/dev', '/dev/']) {
    const answer = await at(app, path)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    const links = [...(await answer.text()).matchAll(/href="([^"]+)"/g)].map(([, to]) => to!)
    expect(links).toEqual(
      expect.arrayContaining(['/dev/mailbox', '/dev/mails', '/docs/', '/api/auth/reference', '/admin']),
    )
    // The platform serves the documentation; these tests have no texts of a build.
    for (const to of links.filter((to) => !['/docs/', '/dev/texts'].includes(to)))
      expect((await at(app, to)).status, to).toBe(200)
  }
  const without = { fetch: async () => new Response(null, { status: 404 }) } as unknown as Fetcher
  expect(await (await at(new TestApp({}, { ASSETS: without }), '/dev')).text()).not.toContain('/docs/')
})

it('is absent in production', async () => {
  const origin = 'https://accounts.example.com'
  const deployed = new TestApp(
    { mail: { transport: 'smtp' } },
    { ASSETS, ENVIRONMENT: 'production', BASE_URL: origin, SMTP_HOST: 'mail.example.com' },
  )
  for (const path of ['/dev', '/dev/', '/dev/mailbox']) {
    const answer = await at(deployed, path, origin)
    expect(answer.status, path).toBe(404)
    expect(await answer.text()).not.toContain('/dev/mails')
  }
})
