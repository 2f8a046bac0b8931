import { join } from 'node:path'
import { root } from '../scripts/tools.ts'
import type { Workplace } from './consumer.ts'

const compiler = join(root, 'node_modules/typescript/bin/tsc')

/** The command of the installed package. */
export const command = (place: Workplace) => place.path('node_modules/gatehouse-auth/dist/package/gatehouse.js')

/** Checks the types of a folder with its tsconfig.json. */
export const checkTypes = (place: Workplace, folder: string) => place.run(compiler, ['-p', folder, '--singleThreaded'])

export const strictest = {
  strict: true,
  target: 'ES2024',
  lib: ['ES2024'],
  module: 'ESNext',
  moduleResolution: 'bundler',
  noEmit: true,
}
