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

// The app is built into dist/client, which the Worker serves as its static assets.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), signInWithTheEntry],
  build: { outDir: '../dist/client', emptyOutDir: true, target: 'es2023', manifest: true },
})
