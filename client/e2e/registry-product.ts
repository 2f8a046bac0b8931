import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from '../../worker/scripts/tools.ts'
import type { RegistryItem } from '../registry/registry.ts'

const clients = 'worker/testing/better-auth-newest/node_modules'

const packages = {
  'better-auth': `${clients}/better-auth`,
  react: 'node_modules/react',
  'react-dom': 'node_modules/react-dom',
  '@types/react': 'node_modules/@types/react',
  '@types/react-dom': 'node_modules/@types/react-dom',
  tailwindcss: 'node_modules/tailwindcss',
}

const compilerOptions = {
  ...{ strict: true, noUncheckedIndexedAccess: true, skipLibCheck: true, noEmit: true, types: [] },
  ...{ target: 'ES2022', lib: ['ES2022', 'DOM', 'DOM.Iterable'], module: 'ESNext', moduleResolution: 'bundler' },
  jsx: 'react-jsx',
  paths: { '@/*': ['./*'] },
}

/** The folder of a product with shadcn's components, for which client/registry/test-ui has parts of the same names. */
export class RegistryProduct {
  readonly folder = mkdtempSync(join(tmpdir(), 'gatehouse-registry-'))

  constructor() {
    for (const [name, target] of Object.entries(packages)) this.#link(`node_modules/${name}`, target)
    this.#link('components/ui', 'client/registry/test-ui')
    this.write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['components', 'lib'] }))
  }

  #link(name: string, target: string): void {
    mkdirSync(dirname(join(this.folder, name)), { recursive: true })
    symlinkSync(join(root, target), join(this.folder, name))
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(join(this.folder, name)), { recursive: true })
    writeFileSync(join(this.folder, name), text)
  }

  /** Copies the files of an item to the places that shadcn's command chooses. */
  add(item: RegistryItem): void {
    for (const { path, content } of item.files) this.write(path, content!)
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
