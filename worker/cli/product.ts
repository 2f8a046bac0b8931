import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Config } from '../configuration/read-config.ts'
import type { CallTarget } from './account.ts'
import { exportedClasses } from './template.ts'
import { messageOf, placeArguments, runWrangler } from './wrangler.ts'

/** The argument of `gatehouse(...)` in the product's entry module. */
export interface ProductModule {
  /** null if the module does not call `gatehouse` of the package. */
  config: Config | null
}

/** In place of the package: keeps the argument. */
const substitute = (key: string) => `export function gatehouse(config = {}) {
  globalThis[Symbol.for('${key}')].config = config
  return { handler: {}, ServerApi: class {} }
}
${exportedClasses()
  .map((name) => `export class ${name} {}`)
  .join('\n')}
`

/** In place of the modules of the Workers runtime. */
const runtime = (key: string) => `export const env = globalThis[Symbol.for('${key}')].env
class Base {}
export { Base as WorkerEntrypoint, Base as DurableObject, Base as WorkflowEntrypoint, Base as RpcTarget, Base as RpcStub }
export { Base as EmailMessage }
export const exports = {}
export const waitUntil = () => {}
export const connect = () => {}
export default {}
`

let readings = 0

/**
 * Reads the configuration of the product: wrangler bundles its entry module, with a substitute for the package, and this
 * process runs the bundle. Needs no network.
 * @param env the variables and secrets that the module can read
 * @returns the product, or why it cannot be read
 */
export async function readProduct(
  place: CallTarget,
  env: Record<string, unknown>,
): Promise<ProductModule | { problem: string }> {
  const key = `gatehouse.reading.${++readings}`
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-product-'))
  const global = globalThis as unknown as Record<symbol, { env: object; config?: Config }>
  const kept: { env: object; config?: Config } = { env }
  global[Symbol.for(key)] = kept
  try {
    const alias = join(folder, 'package.mjs')
    const out = join(folder, 'bundle')
    mkdirSync(out)
    writeFileSync(alias, substitute(key))
    writeFileSync(join(out, 'runtime.mjs'), runtime(key))
    writeFileSync(join(out, 'package.json'), '{"type":"module"}')
    const args = [
      'deploy',
      '--dry-run',
      '--outdir',
      out,
      '--alias',
      `gatehouse-auth:${alias}`,
      ...placeArguments(place),
    ]
    const { code, out: said, errors } = await runWrangler(args)
    if (code !== 0) return { problem: messageOf(errors + said) }
    // The bundle has the name of the entry module.
    const name = readdirSync(out).find((one) => /(?<!^runtime)\.m?js$/.test(one))
    if (!name) return { problem: 'wrangler wrote no bundle.' }
    const file = join(out, name)
    const text = readFileSync(file, 'utf8').replaceAll(/(["'])cloudflare:\w+\1/g, '"./runtime.mjs"')
    writeFileSync(file, text)
    await import(pathToFileURL(file).href)
    return { config: kept.config ?? null }
  } catch (thrown) {
    return { problem: thrown instanceof Error ? thrown.message : String(thrown) }
  } finally {
    delete global[Symbol.for(key)]
    rmSync(folder, { recursive: true, force: true })
  }
}
