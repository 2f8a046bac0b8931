import { describe, expect, it } from 'vitest'
import { toldApart } from './told-apart.ts'

const rows = [
  { name: 'Deployment', mark: 'ab12…' },
  { name: 'Deployment', mark: 'cd34…' },
  { name: 'Backup', mark: 'ef56…' },
  { name: 'Backup of the files', mark: null },
  { name: 'Backup of the files', mark: 'gh78…' },
]

describe('names in labels', () => {
  it('have the mark of their record where another has the same name', () => {
    expect(rows.map(toldApart(rows, (row) => row))).toEqual([
      'Deployment (ab12…)',
      'Deployment (cd34…)',
      'Backup',
      'Backup of the files',
      'Backup of the files (gh78…)',
    ])
  })
})
