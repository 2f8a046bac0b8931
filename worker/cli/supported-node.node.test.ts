import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../scripts/tools.ts'
import { unsupportedNode } from './supported-node.ts'

it('an unsupported Node gets one sentence', () => {
  expect(unsupportedNode('20.18.1')).toBe(
    'gatehouse needs Node 22.12 or newer, and this is Node 20.18.1: install it from https://nodejs.org, then run the command again.',
  )
  expect(unsupportedNode('22.11.0')).toContain('Node 22.12 or newer')
  expect(['22.12.0', '22.23.2', '24.0.0'].map(unsupportedNode)).toEqual([null, null, null])
})

it('the package states the same version, and --version prints its own', () => {
  const { engines, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(engines.node).toBe('>=22.12')
  const said = execFileSync(process.execPath, [join(root, 'worker/cli/gatehouse.ts'), '--version'], {
    encoding: 'utf8',
  })
  expect(said.trim()).toBe(version)
})
