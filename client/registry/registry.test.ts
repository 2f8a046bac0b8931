import { execFileSync } from 'node:child_process'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { registryOrigin } from '../../worker/kit/registry-origin.ts'
import { root } from '../../worker/scripts/tools.ts'
import { RegistryProduct } from '../e2e/registry-product.ts'
import { readRegistry } from './registry.ts'

const registry = readRegistry()
const product = new RegistryProduct()
afterAll(() => product.close())

// https://ui.shadcn.com/schema/registry.json and registry-item.json, without the parts that no item uses.
const types = ['registry:lib', 'registry:component', 'registry:hook'] as const
const itemSchema = z.strictObject({
  name: z.string().regex(/^[a-z][a-z-]*$/),
  type: z.enum(types),
  title: z.string().min(1),
  description: z.string().min(1),
  dependencies: z.array(z.string()),
  registryDependencies: z.array(z.string()),
  files: z.array(z.strictObject({ path: z.string(), type: z.enum(types), content: z.string().min(1) })).min(1),
})
const registrySchema = z.strictObject({
  $schema: z.literal('https://ui.shadcn.com/schema/registry.json'),
  name: z.string(),
  homepage: z.url(),
  items: z.array(itemSchema).min(1),
})

describe('the registry', () => {
  it('has the form of shadcn’s schema, and each name once', () => {
    expect(registrySchema.safeParse(registry).error).toBeUndefined()
    expect(registry.items.map(({ name }) => name)).toEqual([
      'auth-client',
      'auth-form',
      'sign-in',
      'sign-up',
      'user-button',
      'organization-switcher',
      'members-table',
    ])
  })

  it('has an item for each file', () => {
    const listed = registry.items.flatMap(({ files }) => files.map(({ path }) => path))
    const present = ['components', 'lib'].flatMap((folder) =>
      readdirSync(join(import.meta.dirname, folder)).map((file) => `${folder}/${file}`),
    )
    expect(listed.sort()).toEqual(present.sort())
  })

  it.each(registry.items)('$name names all that its files import, and no more', (item) => {
    const imported = item.files
      .flatMap(({ content }) => [...content!.matchAll(/ from '([^']+)'/g)].map(([, from]) => from!))
      .filter((from) => from !== 'react')
    const fileOf = (from: string) => new RegExp(`^${from.slice(2)}\\.tsx?$`)
    const needs = imported.flatMap((from) => {
      if (from.startsWith('@/components/ui/')) return from.split('/').at(-1)!
      if (!from.startsWith('@/')) return `npm ${from.split('/')[0]}`
      const owner = registry.items.find(({ files }) => files.some(({ path }) => fileOf(from).test(path)))!
      return owner === item ? [] : `${registryOrigin}/registry/${owner.name}.json`
    })
    const listed = [...item.registryDependencies, ...item.dependencies.map((name) => `npm ${name.split('@')[0]}`)]
    expect(listed.sort()).toEqual([...new Set(needs)].sort())
  })

  it('has sentences for error codes that exist', () => {
    const catalogues = globSync('worker/{http,identity,features}/**/*.ts', { cwd: root })
    const codes = catalogues.map((file) => readFileSync(join(root, file), 'utf8')).join()
    const files = registry.items.flatMap(({ files }) => files.map(({ content }) => content!))
    const named = files.flatMap((text) =>
      [...text.matchAll(/\b[A-Z]{3,}(?:_[A-Z]+)+\b|UNAUTHORIZED/g)].map(([code]) => code),
    )
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter((code) => !new RegExp(`\\b${code}\\b`).test(codes))).toEqual([])
  })

  it('passes the type check of a product, with the client that the guides recommend', () => {
    for (const item of registry.items) product.add(item)
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    let output = ''
    try {
      execFileSync(process.execPath, [compiler, '-p', product.folder], { encoding: 'utf8' })
    } catch (thrown) {
      output = (thrown as { stdout: string }).stdout
    }
    expect(output).toBe('')
  })
})
