import { afterEach, expect, it, vi } from 'vitest'
import type { Config } from '../../../configuration/read-config.ts'
import { TestApp } from '../../../testing/harness.ts'

afterEach(() => void vi.useRealTimers())

const read = (config: Config) =>
  new TestApp(config).fetch(new Request('http://localhost:8787/.well-known/security.txt'))

it('has the configured fields, the address of the file and an end in the future', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-05-04T12:00:00Z') })
  const { status, headers, body } = await read({
    securityText: {
      contact: ['mailto:security@example.com', 'https://example.com/report'],
      policy: 'https://example.com/policy',
      languages: ['en', 'de'],
    },
  })
  expect({ status, type: headers.get('content-type') }).toEqual({ status: 200, type: 'text/plain; charset=utf-8' })
  expect(headers.get('access-control-allow-origin')).toBe('*')
  expect(body).toBe(
    [
      'Contact: mailto:security@example.com',
      'Contact: https://example.com/report',
      'Expires: 2026-08-02T00:00:00.000Z',
      'Preferred-Languages: en, de',
      'Canonical: http://localhost:8787/.well-known/security.txt',
      'Policy: https://example.com/policy',
      '',
    ].join('\n'),
  )
})

it('404 without a contact', async () => {
  expect((await read({})).status).toBe(404)
})

it.each(['security@example.com', 'http://example.com', 'mailto:a@example.com\nPolicy: https://evil.example'])(
  '%j is refused as a contact',
  (contact) => {
    expect(() => new TestApp({ securityText: { contact: [contact] } })).toThrow('securityText.contact')
  },
)
