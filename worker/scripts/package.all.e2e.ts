import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Workplace } from '../testing/consumer.ts'
import { checkTypes, command, strictest } from '../testing/packed-product.ts'
import { changesSince, exportsOfPackage, lastRelease } from '../testing/released.ts'
import { brokenExports, unnamed } from '../testing/surface.ts'
import { root } from './tools.ts'

/** Tests the package in an empty folder: installs what npm packs, and runs `gatehouse init`. */
const place = new Workplace()
let said: string

const lateFiles = () => globSync('c/*.js', { cwd: place.path('node_modules/gatehouse-auth/dist/package') })

/**
 * Bytes by folder, unpacked; decision 415 says what they contain. dist/client/embed: the embed script with its
 * React, and the components. dist/package: the Worker, the adapters, the commands, and the app's components once more for the first screens
 * (decision 285).
 */
const maxUnpacked = {
  'dist/client/assets': 1_281_000,
  'dist/client/embed': 685_000,
  'dist/client/words': 1_410_000,
  'dist/client': 3_700_000,
  'dist/package/c': 3_020_000,
  'dist/package': 4_870_000,
  'worker/guides': 660_000,
  worker: 830_000,
  migrations: 72_000,
}
/** Of the whole package. */
const maxPackage = 9_430_000

beforeAll(async () => {
  await place.installPackage()
  said = await place.run(command(place), ['init', 'Acme'])
  place.borrow('@cloudflare/workers-types')
})
afterAll(() => place.close())

describe('npm pack', () => {
  it('needs no other package, and brings the Worker, the app, the migrations and the declarations', () => {
    const installed = JSON.parse(place.read('node_modules/.package-lock.json')) as { packages: object }
    expect(Object.keys(installed.packages)).toEqual(['node_modules/gatehouse-auth'])
    for (const [name, imports] of [
      ['index.d.ts', /^cloudflare:/],
      ['client.d.ts', /^\.\/client-[\w-]+\.js$/],
      ['client.js', /^$/],
      ['react.d.ts', /^\.\/client-[\w-]+\.js$/],
      ['react.js', /^react$/],
      ['components.d.ts', /^react$/],
      ['../client/embed/components.js', /^\.\/[\w-]+\.js$/],
      ['index.js', /^\.\/c\/start\.js$/],
      ...lateFiles().map((file) => [file, /^(cloudflare|node):|^\.\/[\w-]+\.js$/] as const),
    ] as const) {
      const text = place.read(`node_modules/gatehouse-auth/dist/package/${name}`)
      const from = [...text.matchAll(/^(?:import|export) [^'"\n]*\bfrom ['"]([^'"]+)['"]|import\(['"]([^'"]+)['"]\)/gm)]
      expect(from.map(([, fixed, lazy]) => fixed ?? lazy).filter((one) => !imports.test(one!))).toEqual([])
    }
  })

  it('has no source maps, and unpacks to a limited size', async () => {
    const [packed] = await place.packed()
    expect(packed!.files.map(({ path }) => path).filter((path) => /\.map$|\.vite\//.test(path))).toEqual([])
    const sizes = Object.keys(maxUnpacked).map((name) => {
      const inside = packed!.files.filter(({ path }) => path.startsWith(`${name}/`))
      return [name, inside.reduce((sum, { size }) => sum + size, 0)] as const
    })
    expect(sizes.filter(([name, size]) => size === 0 || size > maxUnpacked[name as keyof typeof maxUnpacked])).toEqual(
      [],
    )
    expect(packed!.unpackedSize).toBeLessThan(maxPackage)
    const above = sizes.filter(([name]) => !/\/\w+$/.test(name) || /^dist\/\w+$/.test(name))
    const rest = packed!.unpackedSize - above.reduce((sum, [, size]) => sum + size, 0)
    expect(rest).toBeLessThan(40_000)
  })

  it('contains the texts of a language once, as files that the app, the embed script and the components import', async () => {
    const [packed] = await place.packed()
    const words = packed!.files
      .map(({ path }) => path)
      .filter((path) => /\/[a-z]{2}(-[A-Z]{2})?-(visitor|member|pages)-\w+\.js$/.test(path))
    expect(words.filter((path) => !path.startsWith('dist/client/words/'))).toEqual([])
    for (const folder of ['dist/client/assets', 'dist/client/embed']) {
      const own = packed!.files.map(({ path }) => path).filter((path) => path.startsWith(`${folder}/`))
      const imported = own.flatMap((path) =>
        [...place.read(`node_modules/gatehouse-auth/${path}`).matchAll(/import\([`'"]([^`'"]*\/words\/[^`'"]+)/g)].map(
          ([, to]) => join(dirname(path), to!),
        ),
      )
      expect({ folder, absent: imported.filter((path) => !words.includes(path)) }).toEqual({ folder, absent: [] })
      expect({ folder, imported: [...new Set(imported)].sort() }).toEqual({ folder, imported: words.sort() })
    }
  })

  it('contains each guide once, as Markdown', async () => {
    const [packed] = await place.packed()
    const guides = packed!.files
      .map(({ path }) => path)
      .filter((path) => /(?:^|\/)(?:docs\/|llms|passkeys\.)/.test(path))
    expect(guides).toEqual(['worker/guides/passkeys.md'])
  })

  it('is typed for a project that has only the types of Workers', async () => {
    const files = ['src/index.ts']
    place.write(
      'tsconfig.json',
      JSON.stringify({ compilerOptions: { ...strictest, types: ['@cloudflare/workers-types'] }, files }),
    )
    await checkTypes(place, '.')
    place.write('src/index.ts', `${place.read('src/index.ts')}\ngatehouse({ session: { expiresIn: 'long' } })\n`)
    await expect(checkTypes(place, '.')).rejects.toThrow("Type 'string' is not assignable to type 'number'")
    place.write('src/index.ts', place.read('src/index.ts').replace(/\ngatehouse\(.*\n$/, ''))
  })

  it('explains the settings in its declarations, with unit and default', () => {
    const declared = place.read('node_modules/gatehouse-auth/dist/package/index.d.ts')
    const commentOf = (name: string) =>
      new RegExp(`/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\s*${name}\\?: `).exec(declared)?.[1]
    expect(commentOf('updateAge')).toMatch(/extended if[\s\S]*Unit: seconds\.[\s\S]*@default `86400` \(1 day\)/)
    expect(commentOf('timeWindow')).toMatch(/Unit: milliseconds\.[\s\S]*@default `86400000`/)
    expect(commentOf('appName')).toContain("@default 'Gatehouse'")
    expect(commentOf('hd')).toContain('Workspace domain')
    // An editor shows no comment through a mapped type.
    expect(declared).not.toContain('Retyped<typeof')
    expect(commentOf('signingIn')).toContain('before the session is created')
  })

  it('names no file of the repository in its declarations', () => {
    for (const name of ['index.d.ts', 'client.d.ts', 'react.d.ts']) {
      const declared = place.read(`node_modules/gatehouse-auth/dist/package/${name}`)
      const named = [
        ...declared.matchAll(/^\s*(?:\/\*\*|\*).*?((?:worker|client|testing)\/(?!guides\/)[\w./-]+|[\w.-]+\.ts\b)/gm),
      ]
      expect(named.map(([, file]) => file)).toEqual([])
    }
  })

  it("has the product's own bindings and fields in hooks, transports and ServerApi", async () => {
    const source = readFileSync(join(root, 'worker/testing/neighbour/product-types.ts'), 'utf8')
    place.write('own/index.ts', source.replace("'../../gatehouse.ts'", "'gatehouse-auth'"))
    // What `wrangler types` writes is the default of gatehouse().
    place.write('own/declared.d.ts', 'declare namespace Cloudflare { interface Env { REPORTS: Queue<string> } }')
    place.write(
      'own/declared.ts',
      `import { gatehouse } from 'gatehouse-auth'
       gatehouse({ hooks: { userCreated: ({ user }, { env }) => env.REPORTS.send(user.id) } })
       // @ts-expect-error: an unknown binding
       gatehouse({ hooks: { userCreated: ({ user }, { env }) => env.OTHER.send(user.id) } })`,
    )
    const compilerOptions = { ...strictest, skipLibCheck: false, types: ['@cloudflare/workers-types'] }
    for (const files of [['index.ts'], ['declared.ts', 'declared.d.ts']]) {
      place.write('own/tsconfig.json', JSON.stringify({ compilerOptions, files }))
      await checkTypes(place, 'own')
    }
  })

  it('has clients whose types need a browser and nothing of the server', async () => {
    const code = `
      import { createGatehouseClient } from 'gatehouse-auth/client'
      import { createGatehouseHooks } from 'gatehouse-auth/react'
      const client = createGatehouseClient()
      const { data } = await client.admin.audit({ query: { limit: 10 } })
      export const at: Date | undefined = data?.entries[0]?.createdAt
      const ada = await createGatehouseClient<{ user: { team: { type: 'string'; required: true } } }>()
        .admin.getUser({ query: { id: '1' } })
      export const team: string | undefined = ada.data?.team
      export const name: string | undefined = createGatehouseHooks(client).useConfig().data?.name
      // @ts-expect-error: an unknown endpoint
      client.admin.nothing()`
    place.write('typed/app.ts', code)
    const compilerOptions = { ...strictest, lib: ['ES2024', 'DOM'], types: [] }
    place.write('typed/tsconfig.json', JSON.stringify({ compilerOptions, files: ['app.ts'] }))
    await checkTypes(place, 'typed')
  })
})

describe('the tarball', () => {
  const tool = (name: string, ...args: string[]) => {
    const manifest = join(root, 'node_modules', name, 'package.json')
    const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: Record<string, string> | string }
    return place.run(join(dirname(manifest), typeof bin === 'string' ? bin : Object.values(bin)[0]!), args)
  }

  it('has no problem for publint', async () => {
    expect(await tool('publint', 'run', place.tarball(), '--strict')).toContain('All good!')
  })

  it('has types that every module resolution of ES modules finds (attw)', async () => {
    const args = ['--profile', 'esm-only', '--exclude-entrypoints', 'react/components.css', '--format', 'json']
    const found = JSON.parse(await tool('@arethetypeswrong/cli', place.tarball(), ...args)) as {
      analysis: { entrypoints: object; problems: { kind: string; resolutionKind?: string; entrypoint?: string }[] }
    }
    const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { exports: object }
    expect(Object.keys(found.analysis.entrypoints)).toHaveLength(Object.keys(exports).length - 1)
    const ofModules = found.analysis.problems.filter(({ resolutionKind }) => !/^node(10|16-cjs)$/.test(resolutionKind!))
    expect(ofModules).toEqual([])
  })

  it('has the components with their types under the condition react-server, which attw does not know', async () => {
    place.borrow('@types/react')
    place.write(
      'server/page.ts',
      `import { GatehouseProvider, SignIn } from 'gatehouse-auth/react/components'
       export const used = [GatehouseProvider, SignIn]
       // @ts-expect-error: an unknown component
       export { SignInn } from 'gatehouse-auth/react/components'
       // @ts-expect-error: an unknown setting
       export const wrong: Parameters<typeof SignIn>[0] = { redirectsTo: '/' }`,
    )
    for (const [module, moduleResolution] of [
      ['nodenext', 'nodenext'],
      ['esnext', 'bundler'],
    ]) {
      const own = { module, moduleResolution, customConditions: ['react-server'], types: [], lib: ['ES2024', 'DOM'] }
      place.write(
        'server/tsconfig.json',
        JSON.stringify({ compilerOptions: { ...strictest, ...own }, files: ['page.ts'] }),
      )
      await checkTypes(place, 'server')
    }
    const declared = place.read('node_modules/gatehouse-auth/dist/package/components.d.ts')
    const names = [...declared.matchAll(/^export declare (?:const|function) (\w+)/gm)].map(([, name]) => name!)
    const boundary = place.read('node_modules/gatehouse-auth/dist/client/embed/boundary.js')
    expect(boundary).toMatch(/^'use client'\n/)
    expect(/\{ (.+) \}/.exec(boundary)![1]!.split(', ').sort()).toEqual(names.sort())
    const code = "console.log(import.meta.resolve('gatehouse-auth/react/components'))"
    place.write('server/resolve.mjs', code)
    const args = ['--conditions=react-server', place.path('server/resolve.mjs')]
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: place.folder })
    expect(stdout).toContain('/gatehouse-auth/dist/client/embed/boundary.js')
  })

  it('exports what the last release did, unless the changelog names it', () => {
    const { version, surface } = lastRelease()
    const now = exportsOfPackage()
    expect(Object.keys(now)).toEqual(expect.arrayContaining(Object.keys(surface.exports)))
    expect(unnamed(brokenExports(surface.exports, now), changesSince(version))).toEqual([])
  })
})

describe('gatehouse init', () => {
  it('runs as README.md prints it, from the tarball, which the product then depends on', async () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8')
    const [, line] = /^ {4}(npx --yes --package=.+)$/m.exec(readme)!
    const output = await place.npx(line!, 'acme')
    expect(output).toContain('app/src/proxy.ts: written')
    const { dependencies, workspaces } = JSON.parse(place.read('acme/package.json'))
    expect(dependencies['gatehouse-auth']).toMatch(/^file:.*gatehouse-auth-\d.*\.tgz$/)
    expect(workspaces).toEqual(['app'])
  })

  it('writes a deployment, keeps what is there, records where the package came from, and prints the next command', async () => {
    expect(said).toContain('src/index.ts: written')
    expect(said).toContain('  npm install\n  npm run dev\n')
    const { scripts, dependencies } = JSON.parse(place.read('package.json'))
    expect(scripts).toMatchObject({ dev: 'gatehouse-auth dev' })
    expect(dependencies['gatehouse-auth']).toMatch(/^file:.*gatehouse-auth-\d.*\.tgz$/)
    const secret = place.read('.dev.vars')
    const again = await place.run(command(place), ['init'])
    expect(again).toContain('src/index.ts: is there already, left as it is')
    expect(again).toContain('.dev.vars: has all that it needs')
    expect(place.read('.dev.vars')).toBe(secret)
    expect(secret).toMatch(/^GATEHOUSE_SECRET=[\w-]{43}$/m)
    expect(place.read('.gitignore')).toContain('.dev.vars')
  })
})
