import { describe, expect, it } from 'vitest'
import { advice, errorGuide } from '../testing/error-guide.ts'
import { errorTable } from '../testing/error-table.ts'
import { optionsGuide } from '../testing/options-guide.ts'
import { settingNames } from '../testing/setting-names.ts'

describe('the guide to all options', () => {
  const rows = new Map(
    [...optionsGuide().matchAll(/^\| `([^`]+)` \| (.*?) \| (.*?) ?\| (.*?) ?\| (.*?) ?\|$/gm)].map(
      ([, path, ...rest]) => [path!, rest],
    ),
  )

  it('has every setting that is not only a group', () => {
    const topLevel = ['appName', 'profile', 'trustedOrigins', 'jurisdiction']
    const groups = new Set([...settingNames].map((name) => name.split('.').slice(0, -1).join('.')))
    const shown = new Set([...rows.keys()].map((path) => path.replaceAll('[]', '')))
    const missing = [...settingNames].filter((name) => {
      const common = name.replace(/^socialProviders\.\w+/, 'socialProviders.<provider>')
      return !groups.has(name) && !topLevel.includes(name) && !shown.has(name) && !shown.has(common)
    })
    expect(missing).toEqual([])
    expect(rows.size).toBeGreaterThan(250)
  })

  it('explains every setting: its definition has a comment', () => {
    expect([...rows].filter(([, [, , , meaning]]) => !meaning).map(([path]) => path)).toEqual([])
  })

  it('has type, default, unit and meaning of the definition', () => {
    expect(rows.get('session.expiresIn')!.slice(0, 3)).toEqual(['integer', '`604800` (7 days)', 's'])
    expect(rows.get('apiKey.rateLimit.timeWindow')!.slice(0, 3)).toEqual(['integer', '`86400000` (1 day)', 'ms'])
    expect(rows.get('anonymous.guestsPerAddress.window')!.slice(0, 3)).toEqual(['integer', '`3600` (1 hour)', 's'])
    expect(rows.get('webhooks.endpoints[].url')![3]).toContain('https and public')
    expect(rows.get('session.freshAge')![3]).toContain('0: always')
    expect(rows.get('socialProviders.google.hd')![3]).toContain('Workspace domain')
  })
})

describe('the guide to error codes', () => {
  it('has every code, and advice for existing ones only', async () => {
    const guide = await errorGuide()
    const codes = [...guide.matchAll(/^### (\S+)$/gm)].map(([, code]) => code)
    expect(new Set(codes).size).toBe(codes.length)
    const registered = (await errorTable()).map(({ code }) => code)
    expect(registered.filter((code) => !codes.includes(code))).toEqual([])
    expect(Object.keys(advice).filter((code) => !codes.includes(code))).toEqual([])
  })
})
