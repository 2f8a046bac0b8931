import { describe, expect, it } from 'vitest'
import { TestApp } from '../../testing/harness.ts'
import { contrast } from './contrast.ts'

const acme = {
  logo: 'https://acme.example/logo.svg',
  accent: { light: '#7a1fa2', dark: '#e1b3f5' },
  terms: '/terms',
  support: 'mailto:help@acme.example',
} as const

describe('GET /brand.css', () => {
  it('has the configured accent for both themes', async () => {
    const { status, headers, body } = await new TestApp({ brand: acme }).device().get('/brand.css')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8'])
    expect(body).toContain('--brand-accent: light-dark(#7a1fa2, #e1b3f5);')
    expect(body).toContain('--brand-fill: #7a1fa2;')
  })
})

describe('GET /favicon', () => {
  it("302: to the configured picture, of either theme; without one to the app's own", async () => {
    const at = async (favicon: string | { light: string; dark: string } | null, query = '') => {
      const app = new TestApp({ brand: { favicon } })
      const { status, headers } = await app.device().get(`/favicon${query}`)
      expect([status, headers.get('cache-control')]).toEqual([302, 'public, max-age=300'])
      return headers.get('location')
    }
    expect(await at('https://acme.example/icon.png')).toBe('https://acme.example/icon.png')
    expect(await at('https://acme.example/icon.png', '?theme=dark')).toBe('https://acme.example/icon.png')
    const both = { light: '/day.svg', dark: '/night.svg' }
    expect(await at(both)).toBe('http://localhost:8787/day.svg')
    expect(await at(both, '?theme=dark')).toBe('http://localhost:8787/night.svg')
    expect(await at(null)).toBe('/favicon.svg')
  })
})

describe('GET /config', () => {
  it('tells logo and pages', async () => {
    const { body } = await new TestApp({ brand: acme }).device().get('/config')
    expect(body.brand).toEqual({ logo: acme.logo, terms: '/terms', privacy: null, support: acme.support })
  })
})

describe('the brand', () => {
  it.each([
    [
      'an accent that white text cannot be read on',
      { accent: { light: '#ffcc00' } },
      /brand\.accent\.light: has a contrast of 1\.5/,
    ],
    ['one that cannot be read on dark paper', { accent: { dark: '#1a1a80' } }, /brand\.accent\.dark: has a contrast/],
    ['a colour by name', { accent: { light: 'red' } }, /brand\.accent\.light/],
    ['a picture that is not encrypted on its way', { favicon: 'http://acme.example/i.png' }, /brand\.favicon: .*https/],
    ['a logo for one theme alone', { logo: { light: '/day.svg' } as never }, /brand\.logo/],
    ["another host's address that looks like a path", { logo: '//evil.example/x.svg' }, /brand\.logo/],
    ['a script for an address', { terms: 'javascript:alert(1)' }, /brand\.terms/],
  ])('%s stops the start', (_what, brand, message) => {
    expect(() => new TestApp({ brand })).toThrow(message)
  })
})

describe('contrast', () => {
  it.each([
    ['#000000', '#ffffff', 21],
    ['#777777', '#ffffff', 4.48],
    ['#123456', '#123456', 1],
  ])('of %s and %s is %d', (one, other, expected) => {
    expect(contrast(one, other)).toBeCloseTo(expected, 2)
  })
})
