import { describe, expect, it } from 'vitest'
import { type Column, report } from './secrets.ts'

const column: Column = {
  name: 'accounts.access_token',
  key_id: '1a2b3c4d',
  position: 400,
  resealed: 350,
  unreadable: 0,
  finished_at: null,
  last: 1000,
}

describe('gatehouse secrets', () => {
  it('prints the progress of each column and the instruction to wait', () => {
    const text = report([column, { ...column, name: 'jwks.private_key', finished_at: 1, resealed: 1 }])
    expect(text).toContain('Secret 1a2b3c4d\n  accounts.access_token  40 %  350 sealed again\n')
    expect(text).toContain('  jwks.private_key       done  1 sealed again\n')
    expect(text).toMatch(/Next: wait/)
    expect(text).not.toContain('secret delete')
  })

  it('prints that the earlier secret can be removed when every column is done', () => {
    const text = report([{ ...column, finished_at: 1, unreadable: 2 }])
    expect(text).toContain('Next: npx wrangler secret delete GATEHOUSE_PREVIOUS_SECRETS')
    expect(text).toContain('2 sealed under a secret that the Worker does not have')
  })

  it('prints the first step before a rotation', () => {
    expect(report([])).toContain('GATEHOUSE_PREVIOUS_SECRETS')
    expect(report([])).toContain('in .dev.vars')
  })
})
