import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const root = import.meta.dirname

/** Files that name screens, and how they do it: the frame, the address, the module. */
const lists = [
  'app/routes.ts',
  ...readdirSync(join(root, 'features')).map((feature) => `features/${feature}/screens.ts`),
].filter((file) => existsSync(join(root, file)))
const screenLine = /\b(visitor|member)\(\s*'(\/[^']*)',\s*\(\) => import\('([^']+)'\)/g

/**
 * Leaves in the page the scripts that each screen, and each language but English, needs beside the entry's. The Worker
 * knows which screen is wanted and has the browser ask for them at once (worker/http/pages/screens.ts): each would
 * otherwise be asked for by the one before, and on a slow network that is a whole round trip every time.
 */
const scriptsOfScreens: Plugin = {
  name: 'scripts-of-screens',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
      /** The chunks of some modules, and all that these import. */
      const filesOf = (modules: string[], lazy: 'with what they load themselves' | 'alone' = 'alone') => {
        const files = new Set<string>()
        const visit = (file: string) => {
          const output = bundle[file]
          if (output?.type !== 'chunk' || files.has(file) || html.includes(file)) return
          files.add(file)
          output.imports.forEach(visit)
        }
        const own = chunks.filter(({ facadeModuleId }) =>
          modules.some((module) => facadeModuleId === join(root, module)),
        )
        for (const { fileName } of own) visit(fileName)
        if (lazy !== 'alone') for (const { dynamicImports } of own) dynamicImports.forEach(visit)
        return [...files]
      }
      const scripts: Record<string, Record<string, string[]>> = {
        visitor: {},
        member: {},
        languages: { de: filesOf(['lib/texts/de.ts']) },
      }
      for (const list of lists) {
        for (const [, frame, path, file] of readFileSync(join(root, list), 'utf8').matchAll(screenLine)) {
          const module = join(dirname(list), file!)
          scripts[frame!]![path!] =
            frame === 'visitor'
              ? filesOf([module])
              : filesOf(['app/member-frame.tsx', module], 'with what they load themselves')
        }
      }
      const children = JSON.stringify(scripts)
      return [{ tag: 'script', attrs: { id: 'scripts', type: 'application/json' }, children, injectTo: 'head' }]
    },
  },
}

/** What the browser needs before it can paint stands in the page itself: on a slow network a request is half a second. */
const scriptInThePage: Plugin = {
  name: 'script-in-the-page',
  transformIndexHtml: {
    order: 'pre',
    handler: (html) =>
      html.replace(/<script src="\/(app\/before-paint\.js)"><\/script>/, (_, path) => {
        const source = readFileSync(join(root, path), 'utf8')
        return `<script>${source.replace(/^\s*\/\/.*\n/gm, '')}</script>`
      }),
  },
}

const styleInThePage: Plugin = {
  name: 'style-in-the-page',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle = {} }) =>
      html.replace(/<link rel="stylesheet" crossorigin href="\/([^"]+)">/g, (link, file) => {
        const style = bundle[file]
        if (style?.type !== 'asset') return link
        delete bundle[file]
        return `<style>${style.source}</style>`
      }),
  },
}

/**
 * What most screens of a kind need travels as one file: many small ones weigh more together, and each is asked for by
 * itself. What is not named here is left to rolldown.
 */
const groups = [
  { name: 'app', priority: 4, tags: ['$initial' as const] },
  {
    name: 'form',
    priority: 3,
    minShareCount: 2,
    test: /client.(ui.(field|submit|password-field|resend-button|last-used|typed-email|code-input|code-step)|lib.(action|placeholder|lifetime|in-words|after-sign-in|typed|form|last-used))\b/,
  },
  {
    name: 'member',
    priority: 2,
    minShareCount: 2,
    test: /@tanstack|client.(ui.(table|menu|small|member-page|time|confirm-destroy|dialog)|lib.(queries|permissions|profile-step))\b/,
  },
  { name: 'icons', priority: 1, minShareCount: 2, test: /lucide-react/ },
]

// The app is built into dist/client, which the Worker serves as its static assets.
export default defineConfig({
  root,
  plugins: [react(), tailwindcss(), scriptsOfScreens, scriptInThePage, styleInThePage],
  build: {
    outDir: '../dist/client',
    emptyOutDir: true,
    target: 'es2023',
    manifest: true,
    cssCodeSplit: false,
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
})
