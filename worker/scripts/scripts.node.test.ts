import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from './tools.ts'

it('nothing is deployed whose types are wrong', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { deploy: string } }
  expect(scripts.deploy).toMatch(/^tsc -p \. && tsc -p client && /)
})
