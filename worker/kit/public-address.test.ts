import { describe, expect, it } from 'vitest'
import { isClientAddress } from './public-address.ts'

const production = (baseUrl: string) => ({ baseUrl, environment: 'production' as const })
const allowed = (addresses: string[], place: Parameters<typeof isClientAddress>[1]) =>
  addresses.filter((address) => isClientAddress(address, place))

describe('an address that a client names', () => {
  it.each([
    ['https://accounts.example.com', ['accounts.example.com', 'example.com', 'app.example.com', 'a.b.example.com.']],
    ['https://example.com', ['example.com', 'app.example.com']],
    ['https://accounts.example.co.uk', ['example.co.uk', 'app.example.co.uk']],
    ['https://gatehouse.acme.workers.dev', ['gatehouse.acme.workers.dev', 'other.acme.workers.dev']],
  ])('of %s is never at its own domain', (baseUrl, hosts) => {
    expect(
      allowed(
        hosts.map((host) => `https://${host}/x`),
        production(baseUrl),
      ),
    ).toEqual([])
  })

  it.each([
    ['https://accounts.example.com', 'https://notexample.com/x'],
    ['https://accounts.example.co.uk', 'https://app.other.co.uk/x'],
    ['https://gatehouse.acme.workers.dev', 'https://client.other.workers.dev/x'],
  ])('of %s may be %s', (baseUrl, address) => {
    expect(isClientAddress(address, production(baseUrl))).toBe(true)
  })

  const inside = ['http://localhost:9000/x', 'https://127.0.0.1/x', 'http://[::1]:9000/x']

  it('leads to this machine in development only, and not back to us', () => {
    const place = { baseUrl: 'http://localhost:8787', environment: 'development' as const }
    expect(allowed(inside, place)).toEqual(inside)
    expect(allowed(inside, production('https://accounts.example.com'))).toEqual([])
    const never = ['http://localhost:8787/x', 'http://127.0.0.1:8787/x', 'http://10.0.0.1/x', 'http://user@localhost/x']
    expect(allowed([...never, 'http://printer.local/x', 'https://192.168.0.1/x'], place)).toEqual([])
  })
})
