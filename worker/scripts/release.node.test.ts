import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { root } from './tools.ts'

/** A small package in a repository of its own. */
let folder: string
const write = (file: string, text: string) => writeFileSync(join(folder, file), text)
const git = (...args: string[]) =>
  spawnSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], { cwd: folder })
const commit = () => {
  git('add', '--all')
  git('commit', '--quiet', '-m', 'changes')
}
const manifest = {
  name: 'acme-accounts',
  version: '1.2.0',
  files: ['index.js'],
  scripts: { package: "node -e \"fs.writeFileSync('index.js', 'export {}')\"", prepack: 'node -e "process.exit(1)"' },
}

const release = (...args: string[]) => {
  const { CI: _, ...env } = process.env
  const script = join(root, 'worker/scripts/release.ts')
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    cwd: folder,
    env,
    encoding: 'utf8',
  })
  return { status, stdout, stderr: stderr.replace(/^npm .*\n/gm, '') }
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-release-'))
  mkdirSync(join(folder, 'worker'))
  write('package.json', JSON.stringify(manifest))
  write('package-lock.json', JSON.stringify({ ...manifest, lockfileVersion: 3, packages: { '': manifest } }))
  write('worker/CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n## 1.2.0 (2026-11-24)\n\n- Faster.\n')
  write('.gitignore', 'index.js\ndist/\n')
  git('init', '--quiet')
  commit()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('a dry run builds, writes the SBOM and publishes nothing', () => {
  const { status, stdout, stderr } = release()
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toContain('Release acme-accounts 1.2.0 (dry run)')
  expect(stdout).toMatch(/acme-accounts-1\.2\.0\.tgz: \d+ bytes, \d+ unpacked/)
  expect(stdout).toContain('Nothing was published. Next: npm run release -- --publish')
  expect(existsSync(join(folder, 'index.js'))).toBe(true)
  const sbom = JSON.parse(readFileSync(join(folder, 'dist/acme-accounts-1.2.0.cdx.json'), 'utf8'))
  expect(sbom).toMatchObject({
    bomFormat: 'CycloneDX',
    metadata: { component: { name: 'acme-accounts', version: '1.2.0' } },
  })
})

it('a canary that fails prevents the publication', () => {
  const scripts = { ...manifest.scripts, canary: 'node -e "process.exit(3)"' }
  write('package.json', JSON.stringify({ ...manifest, scripts }))
  commit()
  const { status, stdout } = release()
  expect(status).toBe(1)
  expect(stdout).not.toContain('Nothing was published')
  write('package.json', JSON.stringify({ ...manifest, scripts: { ...scripts, canary: 'node -e ""' } }))
  commit()
  expect(release()).toMatchObject({ status: 0, stdout: expect.stringContaining('canary: a product made') })
})

it.each<[string, () => void, RegExp]>([
  ['a change that is not committed', () => write('index.ts', ''), /The working tree has changes/],
  ['an existing tag', () => git('tag', 'v1.2.0'), /The tag v1\.2\.0 exists/],
  [
    'another version in the lock file',
    () => {
      write('package-lock.json', JSON.stringify({ ...manifest, version: '1.1.0' }))
      commit()
    },
    /package-lock\.json has another version/,
  ],
  [
    'a changelog without the version',
    () => {
      write('worker/CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n- Faster.\n\n## 1.2.0-beta\n')
      commit()
    },
    /has no section ## 1\.2\.0[\s\S]*has changes in Unreleased/,
  ],
])('%s prevents a release, before anything is built', (_what, prepare, reason) => {
  prepare()
  const { status, stderr } = release()
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(reason) })
  expect(existsSync(join(folder, 'index.js'))).toBe(false)
})

it('publishes only in CI, because of the provenance', () => {
  const { status, stderr } = release('--publish')
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('Provenance needs a CI job') })
  expect(existsSync(join(folder, 'index.js'))).toBe(false)
})

it.each<[string, object, string[]]>([
  ['are absent', {}, ['repository', 'homepage', 'bugs']],
  [
    'are placeholders',
    {
      repository: { type: 'git', url: 'git+https://github.com/OWNER/acme.git' },
      homepage: 'https://example.com',
      bugs: { url: 'unknown' },
    },
    ['repository', 'homepage', 'bugs'],
  ],
  [
    'are known',
    {
      repository: { type: 'git', url: 'git+https://github.com/acme/accounts.git' },
      homepage: 'https://accounts.acme.dev',
      bugs: { url: 'https://github.com/acme/accounts/issues' },
    },
    [],
  ],
])('a publication needs addresses for readers, which %s; a dry run does not', (_what, fields, missing) => {
  write('package.json', JSON.stringify({ ...manifest, ...fields }))
  commit()
  const { stderr } = release('--publish')
  expect([...stderr.matchAll(/no public address in (\w+)/g)].map(([, field]) => field)).toEqual(missing)
  expect(release().stderr).toBe('')
})
