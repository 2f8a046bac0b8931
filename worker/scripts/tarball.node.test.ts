import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { rolldown } from 'rolldown'
import { describe, expect, it } from 'vitest'
import { root } from './tools.ts'

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  sideEffects: string[]
  exports: Record<string, unknown>
  files: string[]
}

/** The size of what a consumer's bundler keeps of an import. */
async function bundled(code: string): Promise<number> {
  const built = await rolldown({
    input: 'consumer.js',
    external: ['react'],
    platform: 'browser',
    plugins: [
      {
        name: 'consumer',
        resolveId: (id) => (id === 'consumer.js' ? { id: join(root, id) } : null),
        load: (id) => (id === join(root, 'consumer.js') ? code : null),
      },
    ],
  })
  const { output } = await built.generate({ minify: true })
  return output.reduce((size, file) => size + ('code' in file ? file.code.length : 0), 0)
}

const entry = (file: string) => JSON.stringify(join(root, file))

describe('the entries for browsers', () => {
  it('are declared to be free of side effects, except the stylesheet and what passes React on', () => {
    expect(manifest.sideEffects).toEqual([
      '*.css',
      'client/sdk/embed/own-react.ts',
      '**/embed/boundary.js',
      '**/embed/components.js',
    ])
  })

  it.each([
    ['client/sdk/client.ts', 'createGatehouseClient'],
    ['client/sdk/react.ts', 'createGatehouseHooks'],
    ['client/sdk/testing.ts', 'gatehouseTesting'],
    ['client/sdk/authenticator/authenticator.ts', 'createAuthenticator'],
  ])('%s: what is not used is left out', async (file, used) => {
    const whole = await bundled(`export * from ${entry(file)}`)
    const unused = await bundled(`import { ${used} } from ${entry(file)}; export const x = 1`)
    const one = await bundled(`export { ${used} } from ${entry(file)}`)
    expect(unused / whole).toBeLessThan(0.05)
    expect(one).toBeLessThanOrEqual(whole)
  })

  it('an error class of the helper for tests is a tenth of the helper', async () => {
    const whole = await bundled(`export * from ${entry('client/sdk/testing.ts')}`)
    const error = await bundled(`export { TestingError } from ${entry('client/sdk/testing.ts')}`)
    expect(error / whole).toBeLessThan(0.1)
  })
})

describe('the adapters of frameworks', () => {
  const adapters = globSync('client/sdk/adapters/*.ts', { cwd: root, exclude: ['**/*.test.ts'] }).map((file) =>
    basename(file, '.ts'),
  )

  it.each(adapters)('%s: is an entry of the package, and has a section in the guide', (name) => {
    expect(manifest.exports[`./${name}`]).toEqual({
      types: `./dist/package/${name}.d.ts`,
      default: `./dist/package/${name}.js`,
    })
    const guide = readFileSync(join(root, 'worker/guides/frameworks.md'), 'utf8')
    expect(guide).toContain(`gatehouse-auth/${name}`)
  })

  it('their templates are packed', () => {
    expect(manifest.files).toContain('worker/cli/templates')
  })
})
