import { parseEnv } from 'node:util'
import { describe, expect, it } from 'vitest'
import { templateValues } from '../cli/template.ts'
import { parseWranglerConfig, type Table, tablesIn } from '../cli/wrangler-config.ts'
import { templateFiles } from './template.ts'

const files = templateFiles('1.2.3')
const manifest = JSON.parse(files['package.json']!)
const { values } = parseWranglerConfig('wrangler.jsonc', files['wrangler.jsonc']!)

/** The rules of the gallery (CONTRIBUTING.md of cloudflare/templates) and of the deploy button. */
describe('the template', () => {
  it('has the metadata of the gallery', () => {
    expect(manifest.name).toMatch(/^[a-z-]+-template$/)
    expect(values.name).toBe(manifest.name)
    expect(manifest.description).not.toContain('\n')
    expect(manifest.cloudflare.products.length).toBeLessThanOrEqual(3)
    expect(['starter', 'storage', 'ai']).toEqual(expect.arrayContaining(manifest.cloudflare.categories))
    // Set by the gallery.
    expect(manifest.cloudflare).not.toHaveProperty('publish')
    const shown = /<!-- dash-content-start -->([\s\S]+)<!-- dash-content-end -->/.exec(files['README.md']!)![1]
    expect(shown).not.toMatch(/npm |npx |!\[/)
  })

  it('describes every variable, every secret and every resource to create', () => {
    const secrets = Object.keys(parseEnv(files['.dev.vars.example']!))
    const resources = ['d1_databases', 'kv_namespaces', 'r2_buckets'].flatMap((section) => tablesIn(values, section))
    const named = [
      ...Object.keys(values.vars as Table).filter((name) => name !== 'ENVIRONMENT'),
      ...secrets,
      ...resources.map(({ binding }) => String(binding)),
    ]
    expect(Object.keys(manifest.cloudflare.bindings).sort()).toEqual(named.sort())
    for (const { description } of Object.values<{ description: string }>(manifest.cloudflare.bindings)) {
      expect(description.length).toBeGreaterThan(20)
    }
    // The button asks for each line as a secret.
    expect(secrets).toEqual(['GATEHOUSE_SECRET', 'RESEND_API_KEY'])
    // A value that is left as it is must not become a secret that everyone knows.
    expect(parseEnv(files['.dev.vars.example']!).GATEHOUSE_SECRET!.length).toBeLessThan(32)
    expect(files['.gitignore']!.split('\n')).toEqual(expect.arrayContaining(['.dev.vars', '!.dev.vars.example']))
  })

  it('applies the migrations by the name of the binding before it deploys', () => {
    expect(manifest.scripts.deploy).toBe('npm run db:migrate:remote && wrangler deploy')
    expect(manifest.scripts['db:migrate:remote']).toBe('wrangler d1 migrations apply DB --remote')
    expect(manifest.dependencies).toEqual({ 'gatehouse-auth': '1.2.3' })
    expect(manifest.devDependencies.wrangler).toMatch(/^\d+\.\d+\.\d+$/)
  })

  it('has the configuration of `gatehouse init`, reachable without a domain', () => {
    const { $schema, workers_dev: dev, vars, ...others } = values
    const { workers_dev: _dev, vars: ownVars, ...own } = templateValues(manifest.name)
    expect(others).toEqual(own)
    expect({ dev, vars }).toEqual({ dev: true, vars: { ...(ownVars as Table), MAIL_FROM: 'accounts@example.com' } })
    for (const text of Object.values(files)) expect(text).not.toContain('../')
  })
})
