import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { basename, dirname, join } from 'node:path'
import { root } from '../../scripts/tools.ts'
import { freePort } from '../ports.ts'

const registryOfNpm = 'https://registry.npmjs.org'

interface Manifest {
  name: string
  version: string
}

/** The folders of the packages that this repository has installed, by name. */
function installed(): Map<string, { folder: string; manifest: Manifest }[]> {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { link?: boolean }>
  }
  const found = new Map<string, { folder: string; manifest: Manifest }[]>()
  for (const [path, { link }] of Object.entries(lock.packages)) {
    const folder = join(root, path)
    if (link || !path.startsWith('node_modules/') || !existsSync(join(folder, 'package.json'))) continue
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
    const others = found.get(manifest.name) ?? []
    const one = { folder, manifest }
    // The first is the latest one: that of the repository itself, not one that a package has of its own.
    found.set(manifest.name, path === `node_modules/${manifest.name}` ? [one, ...others] : [...others, one])
  }
  return found
}

/** npm removes the first folder of a path: this one has the name that it needs. */
const tarOf = (folder: string) => spawn('tar', ['-cf', '-', '-C', dirname(folder), basename(folder)]).stdout

/**
 * Starts a registry of npm with a published gatehouse-auth, and with the packages that this repository has installed.
 * @param tarball of gatehouse-auth
 * @param others where all other packages come from: `network` asks npm's registry instead of this repository
 */
export async function startRegistry(
  tarball: string,
  own: Manifest,
  others: 'repository' | 'network',
): Promise<{ url: string; close(): void }> {
  const packages = others === 'repository' ? installed() : new Map()
  const url = `http://localhost:${await freePort()}`
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url!, url).pathname.slice(1))
    const [name = '', file] = path.split('/-/')
    const versions = name === own.name ? [{ folder: tarball, manifest: own }] : packages.get(name)
    if (!versions) {
      if (others === 'network') response.writeHead(302, { location: `${registryOfNpm}${request.url}` }).end()
      else response.writeHead(404).end()
    } else if (file) {
      const { folder } = versions.find(({ manifest }: { manifest: Manifest }) => file === manifest.version)!
      if (name === own.name) response.end(readFileSync(folder))
      else tarOf(folder).pipe(response)
    } else {
      const entries = versions.map(({ manifest }: { manifest: Manifest }) => [
        manifest.version,
        { ...manifest, dist: { tarball: `${url}/${name}/-/${manifest.version}` } },
      ])
      const latest = versions[0]!.manifest.version
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ name, 'dist-tags': { latest }, versions: Object.fromEntries(entries) }))
    }
  })
  await new Promise<void>((resolve) => server.listen(Number(new URL(url).port), resolve))
  return { url, close: () => server.close() }
}
