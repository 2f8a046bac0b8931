// `npm run release`: checks what is to be published, packs it and writes its list of parts. `-- --publish` publishes it.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { publish: { type: 'boolean', default: false } } })
const root = process.cwd()
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const run = (command: string, ...args: string[]): string =>
  execFileSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 1e8, stdio: ['ignore', 'pipe', 'inherit'] })

const manifest = JSON.parse(read('package.json')) as Record<string, unknown> & { name: string; version: string }
const { name, version } = manifest
const tag = `v${version}`

/** Where readers of the package go, from npm and from its README. */
const addresses = ['repository', 'homepage', 'bugs']

/** Whether a field of package.json is a public address, not one of an example. */
function isAddress(field: unknown): boolean {
  const given = typeof field === 'object' && field !== null && 'url' in field ? field.url : field
  const address = typeof given === 'string' ? given.replace(/^git\+/, '') : ''
  if (!URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  const isExample =
    /(?:^|\.)(?:example(?:\.\w+)?|localhost|invalid|test)$/.test(hostname) || /<|\b(?:owner|todo|your)\b/i.test(address)
  return /^https:$/.test(protocol) && hostname.includes('.') && !isExample
}

/** What prevents a release, one sentence each. */
function problems(): string[] {
  const changelog = existsSync(join(root, 'worker/CHANGELOG.md')) ? read('worker/CHANGELOG.md') : ''
  const [, unreleased = ''] = /^## Unreleased\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(changelog) ?? []
  const lock = JSON.parse(read('package-lock.json')) as { version: string }
  const isNamed = changelog.split('\n').some((line) => line === `## ${version}` || line.startsWith(`## ${version} `))
  return [
    run('git', 'status', '--porcelain').trim() && 'The working tree has changes: commit them.',
    run('git', 'tag', '--list', tag).trim() && `The tag ${tag} exists: raise the version in package.json.`,
    lock.version !== version && 'package-lock.json has another version: npm install --package-lock-only.',
    !isNamed &&
      `worker/CHANGELOG.md has no section ## ${version}: name the section Unreleased by the version and its date.`,
    // Small packages of the tests have no such folder.
    existsSync(join(root, 'worker/testing/released')) &&
      !existsSync(join(root, 'worker/testing/released', `${version}.json`)) &&
      `worker/testing/released/${version}.json is absent: npm run package && npm run surface, so that later versions are compared with this one.`,
    unreleased.trim() && 'worker/CHANGELOG.md has changes in Unreleased: move them to the version.',
    ...(values.publish ? addresses : []).map(
      (field) =>
        !isAddress(manifest[field]) &&
        `package.json has no public address in ${field}: readers of the package need it.`,
    ),
    // npm signs a statement of the source and the build only inside the CI of a supported service.
    values.publish && !process.env.CI && 'Provenance needs a CI job with an identity token: publish there.',
  ]
    .filter((problem) => typeof problem === 'string')
    .filter(Boolean)
}

const found = problems()
if (found.length > 0) {
  console.error(`${name} ${version} cannot be released:\n${found.map((problem) => `- ${problem}`).join('\n')}`)
  process.exit(1)
}

console.log(`Release ${name} ${version}${values.publish ? '' : ' (dry run)'}`)
run('npm', 'run', 'package')
mkdirSync(join(root, 'dist'), { recursive: true })
const sbom = `dist/${name}-${version}.cdx.json`
const parts = JSON.parse(
  run('npm', 'sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'library', '--package-lock-only'),
) as { metadata: { component: { name: string } } }
// npm gives the package the name of its folder.
parts.metadata.component.name = name
writeFileSync(join(root, sbom), JSON.stringify(parts, null, 1))
console.log(`  ${sbom}: the parts of the bundles, in the form of CycloneDX`)

// A canary: what is packed is installed in a template, which signs in.
const { scripts } = manifest as { scripts?: Record<string, string> }
if (scripts?.canary) {
  run('npm', 'run', 'canary')
  console.log('  canary: a product made with the packed file signs in')
}

// The package was built above, and must be what the SBOM describes: no script runs again.
const publication = ['publish', '--ignore-scripts', '--access', 'public', '--json']
const output = run('npm', ...publication, ...(values.publish ? ['--provenance'] : ['--dry-run']))
const { filename, size, unpackedSize } = packedOf(JSON.parse(output))
console.log(`  ${filename}: ${size} bytes, ${unpackedSize} unpacked`)
if (values.publish) console.log(`Next: git tag ${tag} && git push origin ${tag}, and attach ${sbom} to the release.`)
else console.log('Nothing was published. Next: npm run release -- --publish')

interface Packed {
  filename: string
  size: number
  unpackedSize: number
}

/** npm names the package in its answer, in some versions. */
function packedOf(answer: Packed | Record<string, Packed>): Packed {
  return 'unpackedSize' in answer ? (answer as Packed) : Object.values(answer)[0]!
}
