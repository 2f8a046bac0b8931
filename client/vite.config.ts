import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/**
 * Asks for the sign-in's own chunks together with the entry, not after it has run: a visit of the app begins there as
 * a rule, and on a slow network that spares a whole round trip.
 */
const signInWithTheEntry: Plugin = {
  name: 'sign-in-with-the-entry',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
      const signIn = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith('/pages/sign-in.tsx'))
      const files = signIn ? [signIn.fileName, ...signIn.imports] : []
      return files
        .filter((file) => !html.includes(file))
        .map((file) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file}` },
          injectTo: 'head',
        }))
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
        const source = readFileSync(join(import.meta.dirname, path), 'utf8')
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

// The app is built into dist/client, which the Worker serves as its static assets.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), signInWithTheEntry, scriptInThePage, styleInThePage],
  build: { outDir: '../dist/client', emptyOutDir: true, target: 'es2023', manifest: true, cssCodeSplit: false },
})
