// `npm run build`: builds the app and the Worker for a deployment and prints their sizes.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { quietEnvironment, root, runAll } from './tools.ts'

interface Chunk {
  file: string
  imports?: string[]
}

const weigh = (files: string[]): string => {
  const contents = files.map((file) => readFileSync(join(root, 'dist', file)))
  const kibibytes = (sizes: number[]) => (sizes.reduce((sum, size) => sum + size, 0) / 1024).toFixed(1).padStart(7)
  return `${kibibytes(contents.map(({ length }) => length))} KiB ${kibibytes(contents.map((content) => gzipSync(content).length))} KiB gzip`
}

/** The JavaScript that a browser loads before it can show the given chunks. @param file the manifest that lists them */
function javaScriptOf(entries: string[], file = 'manifest.json'): string[] {
  const manifest = JSON.parse(readFileSync(join(root, 'dist/client/.vite', file), 'utf8')) as Record<string, Chunk>
  const files = new Set<string>()
  const visit = (name: string): void => {
    const chunk = manifest[name]
    if (!chunk) throw new Error(`The client's manifest has no ${name}: was it renamed?`)
    if (files.has(chunk.file)) return
    files.add(chunk.file)
    for (const next of chunk.imports ?? []) visit(next)
  }
  for (const entry of entries) visit(entry)
  return [...files].map((file) => `client/${file}`)
}

await runAll(
  [
    ['Build the app', 'vite', ['build', 'client', '--logLevel', 'warn']],
    ['Bundle the Worker', 'worker/scripts/bundle-worker.ts', []],
  ],
  quietEnvironment,
)
const embed = ['sdk/embed/embed.ts']
const embeddedSignIn = [...embed, 'sdk/embed/view.tsx', 'sdk/components/sign-in.tsx']
console.log(`
  Worker              ${weigh(globSync('worker/**/*.js', { cwd: join(root, 'dist') }))}
  Worker, at a start  ${weigh(['worker/index.js', 'worker/c/start.js'])}
  Sign-in JavaScript  ${weigh(javaScriptOf(['index.html', 'pages/sign-in.tsx']))}
  embed.js            ${weigh(javaScriptOf(embed, 'embed.json'))}
  <gatehouse-sign-in> ${weigh(javaScriptOf(embeddedSignIn, 'embed.json'))}
  embed.css           ${weigh(['client/embed.css'])}
`)
