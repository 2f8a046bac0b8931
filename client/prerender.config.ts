import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const root = import.meta.dirname

/** The Worker gives the texts of the language to the screen. */
const withoutLanguages: Plugin = {
  name: 'without-languages',
  enforce: 'pre',
  transform(code) {
    const start = code.indexOf('import.meta.glob<Words>(')
    if (start === -1) return null
    return `${code.slice(0, start)}({} as Record<string, () => Promise<Words>>)${code.slice(code.indexOf(')', start) + 1)}`
  },
}

/** See app/eager.ts. */
const withoutWaiting: Plugin = {
  name: 'without-waiting',
  enforce: 'pre',
  transform: (code) =>
    /\blazy\(/.test(code) && code.includes("from 'react'")
      ? `import { eager } from '${join(root, 'app/eager.ts')}'\n${code.replace(/\blazy\(/g, 'eager(')}`
      : null,
}

/** A module of the Worker: the screens that it writes into the page. vite.config.ts writes it. */
export default defineConfig({
  root,
  publicDir: false,
  define: { 'process.env.NODE_ENV': '"production"' },
  resolve: {
    alias: {
      'use-sync-external-store/shim/index.js': 'react',
      // `react-dom/server` also contains the renderer of streams.
      'react-dom/server': join(root, '../node_modules/react-dom/cjs/react-dom-server-legacy.browser.production.js'),
    },
  },
  plugins: [withoutLanguages, withoutWaiting, react()],
  oxc: { jsx: { development: false } },
  ssr: { noExternal: true, target: 'webworker', resolve: { conditions: ['workerd', 'worker', 'import', 'default'] } },
  build: {
    ssr: true,
    write: false,
    target: 'es2023',
    minify: true,
    rolldownOptions: {
      checks: { bundlerTimings: false },
      input: { prerender: join(root, 'app/prerender.tsx') },
      output: { codeSplitting: false, entryFileNames: '[name].js' },
      // The browser loads it with the first ceremony.
      external: ['@simplewebauthn/browser'],
    },
  },
})
