import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { scopedStyle } from './scoped-style.ts'
import { sharedWords } from './shared-words.ts'

const root = import.meta.dirname
const runtime = join(root, 'sdk/components/jsx/jsx-runtime.ts')
const given = join(root, 'sdk/components/react.ts')

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

/** See sdk/components/react.ts. */
const givenReact: Plugin = {
  name: 'given-react',
  enforce: 'pre',
  resolveId(source, importer = '') {
    if (!/^react(-dom)?(\/jsx-runtime)?$/.test(source)) return null
    if (importer.endsWith('sdk/components/package.ts')) return { id: source, external: true }
    if (importer.endsWith('sdk/embed/own-react.ts') || /node_modules\/(react|react-dom|scheduler)\//.test(importer))
      return null
    return given
  },
}

/**
 * What a server component imports (the condition `react-server`): the same names, marked as client components. Bundlers
 * that know no server components would warn of the mark, so that the entry has none.
 */
const clientBoundary: Plugin = {
  name: 'client-boundary',
  apply: 'build',
  generateBundle(_options, bundle) {
    const entry = bundle['embed/components.js']
    if (entry?.type !== 'chunk') throw new Error('the components have no entry')
    const source = `'use client'\nexport { ${entry.exports.join(', ')} } from './components.js'\n`
    this.emitFile({ type: 'asset', fileName: 'embed/boundary.js', source })
  },
}

/** What most elements need is one file: it compresses better, and costs one request. */
const groups = [
  // Evaluated before all others.
  { name: 'react', priority: 4, test: /sdk\/components\/react\.ts|rolldown\/runtime/ },
  { name: 'react-own', priority: 3, test: /sdk\/embed\/own-react|node_modules\/(react|react-dom|scheduler)\// },
  // What the components of the package load at once.
  {
    name: 'components',
    priority: 2,
    test: /sdk\/components\/(components|shared|jsx\/jsx-runtime)\.|lib\/deployment\.ts/,
  },
  { name: 'shared', priority: 1, minShareCount: 12, test: /client.(ui|lib|sdk)|worker.kit|lucide-react/ },
  {
    name: 'visitor',
    minShareCount: 2,
    test: /client.(sdk.components.visitor-flow|lib.(screens|placeholder))|chevron-down/,
  },
]

/**
 * Built beside the app, with shared chunks in /embed: /embed.js with /embed.css, which contains React, and the module
 * gatehouse-auth/react/components, which uses the consumer's.
 */
export default defineConfig({
  root,
  publicDir: false,
  define: { 'process.env.NODE_ENV': '"production"' },
  resolve: {
    alias: [
      { find: 'use-sync-external-store/shim/index.js', replacement: 'react' },
      { find: '#gatehouse/jsx-runtime', replacement: runtime },
      // The address of the page is the page's: the app's router would change its history.
      { find: /^(\.|wouter)\/use-browser-location(\.js)?$/, replacement: join(root, 'sdk/components/no-document.ts') },
    ],
  },
  plugins: [
    givenReact,
    sharedWords('.'),
    react({ jsxImportSource: '#gatehouse' }),
    tailwindcss(),
    scopedStyles,
    clientBoundary,
  ],
  // Whatever NODE_ENV is: the runtime of the components has no functions for development.
  oxc: { jsx: { development: false } },
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
      entry: { embed: join(root, 'sdk/embed/embed.ts'), 'embed/components': join(root, 'sdk/components/package.ts') },
      formats: ['es'],
      cssFileName: 'embed',
    },
    rolldownOptions: {
      checks: { bundlerTimings: false },
      output: { chunkFileNames: 'embed/[name]-[hash].js', minify: true, codeSplitting: { groups } },
    },
  },
})
