import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { scopedStyle } from './scoped-style.ts'
import { sharedWords } from './shared-words.ts'

const root = import.meta.dirname
const runtime = join(root, 'sdk/components/jsx/jsx-runtime.ts')

const scopedStyles: Plugin = {
  name: 'scoped-styles',
  enforce: 'post',
  generateBundle(_options, bundle) {
    for (const output of Object.values(bundle)) {
      if (output.type === 'asset' && output.fileName.endsWith('.css'))
        output.source = scopedStyle(String(output.source))
    }
  },
}

/** A build has its own. */
export const pluginsOfComponents = () => [react({ jsxImportSource: '#gatehouse' }), tailwindcss(), scopedStyles]

/** Built into the package as gatehouse-auth/react/components: the entry, a chunk for each component, one stylesheet. */
export default defineConfig({
  root,
  publicDir: false,
  // Replaced by the consumer's bundler.
  define: { 'process.env.NODE_ENV': 'process.env.NODE_ENV' },
  resolve: {
    alias: [
      { find: 'use-sync-external-store/shim/index.js', replacement: 'react' },
      { find: '#gatehouse/jsx-runtime', replacement: runtime },
      // The address of the page is the page's: the app's router would change its history.
      { find: /^(\.|wouter)\/use-browser-location(\.js)?$/, replacement: join(root, 'sdk/components/no-document.ts') },
    ],
  },
  plugins: [sharedWords('../../client'), ...pluginsOfComponents()],
  // Whatever NODE_ENV is: the runtime of the components has no functions for development.
  oxc: { jsx: { development: false } },
  build: {
    outDir: '../dist/package/components',
    emptyOutDir: true,
    target: 'es2023',
    manifest: true,
    modulePreload: false,
    cssCodeSplit: false,
    cssMinify: false,
    lib: {
      entry: { components: join(root, 'sdk/components/components.tsx') },
      formats: ['es'],
      cssFileName: 'components',
    },
    rolldownOptions: {
      checks: { bundlerTimings: false },
      external: (id) => /^react(-dom)?(\/|$)/.test(id),
      output: { chunkFileNames: '[name]-[hash].js', minify: true },
    },
  },
})
