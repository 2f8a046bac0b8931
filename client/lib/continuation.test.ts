import { describe, expect, it } from 'vitest'
import { continuationOf } from './continuation.ts'

const origin = 'https://gatehouse.example'
const of = (callbackURL: string) => continuationOf(`?callbackURL=${encodeURIComponent(callbackURL)}`, origin)

describe('continuationOf', () => {
  it('is empty without a callback', () => {
    expect(continuationOf('?other=1', origin)).toEqual({
      callbackURL: undefined,
      foreign: undefined,
      host: null,
      path: null,
      query: '',
    })
  })

  it('navigates to a path of its own origin', () => {
    expect(of('/account/email?a=1#b')).toMatchObject({ path: '/account/email?a=1#b', host: null })
  })

  it('shows the host of another site and leaves it to the server', () => {
    expect(of('https://app.example/welcome?secret=1')).toMatchObject({ path: null, host: 'app.example' })
  })

  it.each([
    '//evil.example',
    '/\\evil.example',
    '/%2fevil.example',
    '/%5cevil.example',
    '/a\\b',
    '/\tevil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    '/./%2fevil.example',
    '/%2e//evil.example',
  ])('does not follow %s', (callbackURL) => {
    expect(of(callbackURL)).toMatchObject({ path: null, host: null })
  })

  it.each(['javascript:alert(1)', 'data:text/html,x', 'nonsense'])('neither follows nor shows %s', (callbackURL) => {
    expect(of(callbackURL)).toMatchObject({ path: null, host: null, callbackURL })
  })

  it('carries the callback to the next page unchanged', () => {
    const { query } = of('https://app.example/?a=b&c=d')
    expect(new URLSearchParams(query).get('callbackURL')).toBe('https://app.example/?a=b&c=d')
  })
})
