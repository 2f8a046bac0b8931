import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { entry } from '../cli/init.ts'

const root = join(import.meta.dirname, '../..')

/** Vite names a file by its path on disk or by its path below the root. */
const onDisk = (path: string): string => (path.startsWith(root) ? path : join(root, path))

const block = /^(.+\.md)\.block-(\d+)\.ts$/
const blocks = /^```ts\n([\s\S]+?)^```$/gm

/** The module with the configuration that `init` writes, for tests that follow a guide. */
const ofInit = join(root, 'worker/guides/configuration-of-init.ts')

/** The argument of `gatehouse(...)` in the entry module of a new deployment. */
function configurationOfInit(): string {
  const [, argument] = /gatehouse\((\{[\s\S]+?\n\})\)/.exec(entry('Acme')) ?? []
  if (!argument) throw new Error('init writes no gatehouse({ ... })')
  return `export const config = ${argument}\n`
}

/**
 * For vitest.config.ts: lets a test import the code of a guide. `./guide.md#2.ts` is its second TypeScript block;
 * guides/printed-code.d.ts declares the types that the blocks name.
 */
export const codeBlocks = () => ({
  name: 'code-blocks-of-guides',
  enforce: 'pre' as const,
  resolveId(source: string, importer: string | undefined) {
    if (source === 'configuration-of-init' || onDisk(source) === ofInit) return ofInit
    // Vite resolves a resolved id again.
    if (block.test(source)) return onDisk(source)
    const [, file, number] = /^(.+\.md)#(\d+)\.ts$/.exec(source) ?? []
    return file && importer ? `${onDisk(join(dirname(importer), file))}.block-${number}.ts` : null
  },
  load(id: string) {
    if (onDisk(id) === ofInit) return configurationOfInit()
    const [, file, number] = block.exec(id) ?? []
    if (!file) return null
    const code = [...readFileSync(onDisk(file), 'utf8').matchAll(blocks)].map(([, block]) => block!)[Number(number) - 1]
    if (code === undefined) throw new Error(`${file} prints no block ${number}`)
    return code
  },
})
