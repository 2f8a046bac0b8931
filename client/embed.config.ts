import { join } from 'node:path'
import { defineConfig } from 'vite'
import components, { pluginsOfComponents } from './components.config.ts'
import { sharedWords } from './shared-words.ts'

/** Built beside the app: /embed.js with the chunks in /embed, and /embed.css. React is part of it. */
/** What most elements need is one file: it compresses better, and costs one request. */
const groups = [{ name: 'shared', minShareCount: 12, test: /client.(ui|lib|sdk)|worker.kit|lucide-react/ }]

export default defineConfig({
  root: components.root,
  publicDir: false,
  define: { 'process.env.NODE_ENV': '"production"' },
  resolve: components.resolve,
  plugins: [sharedWords('.'), ...pluginsOfComponents()],
  oxc: components.oxc,
  build: {
    outDir: '../dist/client',
    emptyOutDir: false,
    manifest: '.vite/embed.json',
    target: 'es2023',
    modulePreload: false,
    cssCodeSplit: false,
    // The plug-in minifies it; the function for older browsers would replace `light-dark()` in it.
    cssMinify: false,
    lib: {
      entry: { embed: join(import.meta.dirname, 'sdk/embed/embed.ts') },
      formats: ['es'],
      cssFileName: 'embed',
    },
    rolldownOptions: {
      checks: { bundlerTimings: false },
      output: { chunkFileNames: 'embed/[name]-[hash].js', minify: true, codeSplitting: { groups } },
    },
  },
})
