import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** Vite names files by their paths on the disk or by those below its root, now so and now so. */
const onDisk = (path: string): string => (path.startsWith(root) ? path : join(root, path))

const block = /^(.+\.md)\.block-(\d+)\.ts$/
const blocks = /^```ts\n([\s\S]+?)^```$/gm

/**
 * For vitest.config.ts: lets a test import what a guide prints, as it stands. `./guide.md#2.ts` is the second of its
 * TypeScript blocks; what types these name is found in guides/printed-code.d.ts.
 */
export const codeBlocks = () => ({
  name: 'code-blocks-of-guides',
  enforce: 'pre' as const,
  resolveId(source: string, importer: string | undefined) {
    // What has been found once is asked for again by its own name.
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
