import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { leave } from './leave.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

function stubLocation() {
  const gone: string[] = []
  vi.stubGlobal('location', {
    href: 'https://gatehouse.example/sign-in',
    assign: (to: string) => gone.push(`assign ${to}`),
    replace: (to: string) => gone.push(`replace ${to}`),
  })
  return gone
}

describe('leave', () => {
  it('opens http(s) addresses, paths, and applications with private-use schemes', () => {
    const gone = stubLocation()
    leave('https://app.example/after?x=1')
    leave('/api/auth/reference', { replace: true })
    leave('com.example.app:/callback?code=1')
    expect(gone).toEqual([
      'assign https://app.example/after?x=1',
      'replace https://gatehouse.example/api/auth/reference',
      'assign com.example.app:/callback?code=1',
    ])
  })

  it.each(['javascript:alert(1)', 'data:text/html,x', 'blob:https://gatehouse.example/1', 'vbscript:x', 'file:///x'])(
    'refuses %s',
    (to) => {
      const gone = stubLocation()
      expect(() => leave(to)).toThrow()
      expect(gone).toEqual([])
    },
  )

  it('is the only place of the app that navigates by hand', () => {
    const root = join(import.meta.dirname, '..')
    // The code of products (registry) and of their servers (adapters) is not part of the app.
    const others = /^e2e$|^registry$|^adapters$|\.test\.|node_modules/
    const files = globSync('**/*.{ts,tsx}', { cwd: root, exclude: (name) => others.test(name) })
    const offenders = files.filter((file) =>
      /\blocation\s*\.\s*(assign|replace)\b|\blocation(\.href)?\s*=[^=]|window\.open\(/.test(
        readFileSync(join(root, file), 'utf8'),
      ),
    )
    expect(files.length).toBeGreaterThan(100)
    expect(offenders).toEqual(['lib/leave.ts'])
  })
})
