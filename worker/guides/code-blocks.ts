import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** Vite names a file by its path on disk or by its path below the root. */
const onDisk = (path: string): string => (path.startsWith(root) ? path : join(root, path))

const block = /^(.+\.md)\.block-(\d+)\.ts$/
const blocks = /^```ts\n([\s\S]+?)^```$/gm

/**
 * For vitest.config.ts: lets a test import the code of a guide. `./guide.md#2.ts` is its second TypeScript block;
 * guides/printed-code.d.ts declares the types that the blocks name.
 */
export const codeBlocks = () => ({
  name: 'code-blocks-of-guides',
  enforce: 'pre' as const,
  resolveId(source: string, importer: string | undefined) {
    // Vite resolves a resolved id again.
    if (block.test(source)) return onDisk(source)
    const [, file, number] = /^(.+\.md)#(\d+)\.ts$/.exec(source) ?? []
    return file && importer ? `${onDisk(join(dirname(importer), file))}.block-${number}.ts` : null
  },
  load(id: string) {
    const [, file, number] = block.exec(id) ?? []
    if (!file) return null
    const code = [...readFileSync(onDisk(file), 'utf8').matchAll(blocks)].map(([, block]) => block!)[Number(number) - 1]
    if (code === undefined) throw new Error(`${file} prints no block ${number}`)
    return code
  },
})
