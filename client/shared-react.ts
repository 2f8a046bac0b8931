import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, posix } from 'node:path'
import { build, type Plugin, type Rolldown } from 'vite'

// React is a file of its own, once for the app and the embed script.

const modules = ['react', 'react/jsx-runtime', 'react-dom', 'react-dom/client']

/** The export of a module in the file. */
const exportOf = (module: string) => `m${modules.indexOf(module)}`

// `import` would add an object with copies of all names.
const source = modules.map((module) => `export const ${exportOf(module)} = require('${module}')`).join('\n')

/** What screens use, and the app beyond that: every sign-in loads each of them. */
const names = [
  ...[
    ...readFileSync(join(import.meta.dirname, 'sdk/components/react.ts'), 'utf8').matchAll(/^export let (\w+)/gm),
  ].map(([, name]) => name!),
  ...['StrictMode', 'createRoot', 'hydrateRoot'],
]

const require = createRequire(import.meta.url)
const namesOf = (module: string) => names.filter((name) => Object.hasOwn(require(module) as object, name))

let built: Promise<{ fileName: string; code: string }> | undefined

async function bundled(): Promise<{ fileName: string; code: string }> {
  // Not a file: `source` is its text.
  const entry = join(import.meta.dirname, 'all-of-react.js')
  const output = await build({
    configFile: false,
    root: import.meta.dirname,
    publicDir: false,
    logLevel: 'warn',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      {
        name: 'all-of-react',
        enforce: 'pre',
        resolveId: (id) => (id === entry ? id : null),
        load: (id) => (id === entry ? source : null),
      },
    ],
    build: {
      write: false,
      target: 'es2023',
      lib: { entry, formats: ['es'] },
      rolldownOptions: { checks: { bundlerTimings: false }, output: { minify: true } },
    },
  })
  const [{ code }] = (output as Rolldown.RolldownOutput[])[0]!.output
  const hash = createHash('sha256').update(code).digest('base64url').replaceAll(/[-_]/g, '').slice(0, 8)
  return { fileName: `embed/all-of-react-${hash}.js`, code }
}

/** The file with React in the builds of the app and of the embed script. */
export const reactFile = (): Promise<{ fileName: string; code: string }> => (built ??= bundled())

/**
 * Leaves React out of a build, which imports the file.
 * @param imports whether a module imports React, which others get otherwise
 * @param emits whether this build writes the file
 */
export function sharedReact({
  imports = () => true,
  emits = false,
}: {
  imports?: (importer: string) => boolean
  emits?: boolean
} = {}): Plugin {
  const prefix = '\0shared-react:'
  const placeholder = 'react-of-the-build:'
  return {
    name: 'shared-react',
    enforce: 'pre',
    apply: 'build',
    // The file has no functions for development, whatever NODE_ENV is.
    config: () => ({ oxc: { jsx: { development: false } } }),
    async resolveId(source, importer = '') {
      if (source === placeholder) return { id: placeholder + (await reactFile()).fileName, external: true }
      return modules.includes(source) && imports(importer) ? prefix + source : null
    },
    load(id) {
      if (!id.startsWith(prefix)) return null
      const module = id.slice(prefix.length)
      return `import { ${exportOf(module)} as all } from '${placeholder}'\nexport const { ${namesOf(module).join(', ')} } = all`
    },
    async generateBundle(_options, bundle) {
      const { fileName, code } = await reactFile()
      for (const output of Object.values(bundle)) {
        if (output.type !== 'chunk') continue
        const path = posix.relative(dirname(output.fileName), fileName)
        output.code = output.code.replaceAll(placeholder + fileName, path.startsWith('.') ? path : `./${path}`)
      }
      if (emits) this.emitFile({ type: 'asset', fileName, source: code })
    },
  }
}
