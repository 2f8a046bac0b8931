import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CliError } from './cli-error.ts'

/** The package.json of a folder. */
export type Manifest = Record<string, unknown>

/** The package.json of a folder; null without one. @throws CliError if npm could not read it either */
export function readManifest(folder = '.'): Manifest | null {
  const file = join(folder, 'package.json')
  if (!existsSync(file)) return null
  // Some editors write a mark of the byte order.
  const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  const next = `correct ${file}, then run the command again`
  let values: unknown
  try {
    values = JSON.parse(text)
  } catch (thrown) {
    throw new CliError(`${file} is not JSON: ${(thrown as Error).message}`, next)
  }
  if (typeof values !== 'object' || values === null || Array.isArray(values))
    throw new CliError(`${file} is not an object`, next)
  return values as Manifest
}

/** The workspaces, a list or the object of yarn. */
export function workspacesOf({ workspaces }: Manifest): string[] {
  const list = Array.isArray(workspaces) ? workspaces : Object(workspaces).packages
  return Array.isArray(list) ? list : []
}

/** The manifest with one more workspace, in its own form. */
export function withWorkspace(values: Manifest, folder: string): Manifest {
  const list = [...workspacesOf(values), folder]
  const { workspaces } = values
  const isObject = typeof workspaces === 'object' && workspaces !== null && !Array.isArray(workspaces)
  return { ...values, workspaces: isObject ? { ...workspaces, packages: list } : list }
}

const marks = {
  pnpm: ['pnpm-lock.yaml', 'pnpm-workspace.yaml'],
  yarn: ['yarn.lock', '.yarnrc.yml'],
  npm: ['package-lock.json'],
} as const

export type PackageManager = keyof typeof marks

/** The package manager whose files are here, otherwise the one that has started this program. */
export function packageManager(): PackageManager {
  const names = Object.keys(marks) as PackageManager[]
  const found = names.find((name) => marks[name].some((file) => existsSync(file)))
  const [, agent] = /^(\w+)\//.exec(process.env.npm_config_user_agent ?? '') ?? []
  return found ?? names.find((name) => name === agent) ?? 'npm'
}

/**
 * The settings with which a package manager installs as npm does, without links and with a folder node_modules: otherwise
 * wrangler does not recognize the modules of the package.
 */
export const settingsOf: Record<PackageManager, [file: string, text: string][]> = {
  npm: [],
  pnpm: [
    [
      'pnpm-workspace.yaml',
      `packages:
  - app
# wrangler does not recognize the modules of a package behind links.
nodeLinker: hoisted
allowBuilds:
  esbuild: true
  workerd: true
`,
    ],
  ],
  yarn: [
    [
      '.yarnrc.yml',
      `# wrangler needs the files of the packages.
nodeLinker: node-modules
`,
    ],
  ],
}
