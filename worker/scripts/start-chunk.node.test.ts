import { relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { type BuiltWorker, bundleWorker } from './bundle.ts'
import { root } from './tools.ts'

let built: BuiltWorker
beforeAll(async () => {
  built = await bundleWorker({ entry: 'worker/gatehouse.ts', dir: null })
})

/** The modules of the start, by their paths in the repository. */
const modules = () => built.start.modules.filter((id) => id.startsWith(root)).map((id) => relative(root, id))

/** Kibibytes that the start may have after gzip. */
const limit = 175

/** Libraries that a start loads. */
const libraries = ['drizzle-orm', 'fastest-levenshtein', 'hono', 'ipaddr.js', 'zod']

/** Files of features that a start loads in addition to descriptors and options: what options are made of, and the steps that identify callers. */
const ofFeatures = [
  'identity-provider/assertion-rules.ts',
  'identity-provider/identifiers.ts',
  'jwt/algorithms.ts',
  'passkey/relying-party.ts',
  'public-config/brand/brand-look.ts',
  'public-config/brand/brand.ts',
  'public-config/brand/slots.ts',
  'public-config/brand/ways.ts',
  // A block of administrators is checked before the parts of a call load.
  'risk/risk.errors.ts',
  'risk/threats/known-defences.ts',
  'session/bearer/bearer.steps.ts',
  'shared-signals/signal-types.ts',
  'social/access-identity/team.ts',
  'social/model/fetch-json.ts',
  'social/model/provider.ts',
  'webhooks/sign.ts',
]

describe('the chunk that the Worker loads at its start', () => {
  it(`has at most ${limit} KiB after gzip`, () => {
    const entry = built.files.find(({ file }) => file === 'index.js')!
    expect(gzipSync(entry.code + built.start.code).length).toBeLessThan(limit * 1024)
  })

  it('contains these libraries only', () => {
    const names = modules().flatMap((id) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? [])
    expect([...new Set(names)].sort()).toEqual(libraries)
  })

  it('contains the descriptors and options of features, and these files of them', () => {
    const files = modules()
      .flatMap((id) => /^worker\/features\/(.+)$/.exec(id)?.[1] ?? [])
      .filter((file) => !/\.(feature|config)\.ts$|^social\/providers\//.test(file))
    expect(files.sort()).toEqual(ofFeatures)
  })

  it('contains no contract, route, handler, part, language or text', () => {
    const late = /\.(contract|routes|endpoints|parts|ends|reads|scheduled|mail)\.ts$|\/languages\/[^/]+\/|\.json$/
    expect(modules().filter((id) => late.test(id))).toEqual([])
    const places =
      /^(node_modules|worker\/(configuration|features|http|identity|kit|languages|platform|rpc))\/|^worker\/(app|config|features|gatehouse)\.ts$/
    expect(modules().filter((id) => !places.test(id))).toEqual([])
  })
})

describe('the files of the Worker', () => {
  it('import each other in one direction: the order of their evaluation does not depend on which one is first', () => {
    const imports = new Map(
      built.files.map(({ file, code }) => {
        const names = [...code.matchAll(/(?:\bfrom|\bimport)"\.\/(?:c\/)?([^"]+)"/g)].map(([, name]) => `c/${name}`)
        return [file, names] as const
      }),
    )
    expect(imports.get('index.js')).toEqual([built.start.file])
    const cycles: string[] = []
    const done = new Set<string>()
    const visit = (file: string, above: readonly string[]): void => {
      if (above.includes(file)) cycles.push([...above, file].join(' > '))
      if (done.has(file) || above.includes(file)) return
      for (const next of imports.get(file)!) visit(next, [...above, file])
      done.add(file)
    }
    for (const file of imports.keys()) visit(file, [])
    expect(cycles).toEqual([])
  })

  it('call no `require`, which a Worker does not have, and import modules of Node with their prefix', () => {
    const calling = built.files.filter(({ code }) => /typeof require\b/.test(code))
    expect(calling.map(({ file }) => file)).toEqual([])
    const outside = built.files.flatMap(({ code }) =>
      [...code.matchAll(/(?:\bfrom|\bimport)"([^."][^"]*)"/g)].map(([, name]) => name),
    )
    expect([...new Set(outside)].filter((name) => !/^(node|cloudflare):/.test(name!))).toEqual([])
  })
})
