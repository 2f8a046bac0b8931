import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { build, defineConfig, mergeConfig, type Plugin, type Rolldown } from 'vite'
import { fontFile } from '../worker/kit/brand.ts'
import type { TextsOfScreens } from '../worker/kit/first-screen.ts'
import { textsOfFrames } from './app/frames.ts'
import componentsConfig from './components.config.ts'
import { allProblems, englishTexts, folderOfLanguages, type TextGroup, translations } from './languages/english.ts'
import { listedScreens, onDemand } from './listed-screens.ts'
import prerenderConfig from './prerender.config.ts'
import { readRegistry } from './registry/registry.ts'
import { sharedWords, wordsModule } from './shared-words.ts'
import { sources } from './sources.ts'

const root = import.meta.dirname

/** The file of a part of a language in the build. */
const wordsFile = (language: string, part: string): string =>
  wordsModule(join(folderOfLanguages, language, `${part}.json`)).fileName

/**
 * Writes into the page which scripts each screen, and each language except English, needs in addition to the entry. The
 * Worker preloads those of the requested screen (worker/http/pages/screens.ts): otherwise each script would be
 * discovered by the previous one, one round trip each.
 */
const scriptsOfScreens: Plugin = {
  name: 'scripts-of-screens',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
      /** The chunks of modules and their imports. */
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
        const lazily = lazy === 'alone' ? [] : own.flatMap(({ dynamicImports }) => dynamicImports)
        for (const file of lazily) {
          const output = bundle[file]
          if (output?.type === 'chunk' && !onDemand.test(output.facadeModuleId ?? '')) visit(file)
        }
        return [...files]
      }
      const scripts: Record<string, Record<string, string[]>> = {
        visitor: {},
        member: {},
        languages: {},
      }
      for (const language of translations) {
        scripts.languages![language] = [wordsFile(language, 'visitor')]
        scripts.languages![`${language} member`] = [wordsFile(language, 'member')]
      }
      for (const { frame, path, module } of listedScreens(root)) {
        scripts[frame]![path] =
          frame === 'visitor'
            ? filesOf([module])
            : filesOf(['app/member-frame.tsx', module], 'with what they load themselves')
      }
      const children = JSON.stringify(scripts)
      return [{ tag: 'script', attrs: { id: 'scripts', type: 'application/json' }, children, injectTo: 'head' }]
    },
  },
}

/** A language with a missing or unknown text is not built. */
const completeLanguages: Plugin = {
  name: 'complete-languages',
  apply: 'build',
  buildStart() {
    const problems = allProblems()
    if (problems.length > 0) this.error(`languages/ is not complete:\n${problems.join('\n')}`)
  },
}

/** The English texts of screens and mails: what `brand.texts` may replace, and where a translation starts. */
const englishFile: Plugin = {
  name: 'english-file',
  apply: 'build',
  generateBundle() {
    const texts = { ...englishTexts('client'), ...englishTexts('worker') }
    // A dictionary a line.
    const lines = Object.entries(texts).map((entry) => entry.map((part) => JSON.stringify(part)).join(': '))
    this.emitFile({ type: 'asset', fileName: 'languages/en.json', source: `{\n${lines.join(',\n')}\n}\n` })
  },
}

/** The screens that the Worker writes into the page, and where their texts are: its module `#prerender` (package.json). */
const prerendered: Plugin = {
  name: 'prerendered',
  apply: 'build',
  async generateBundle() {
    const built = await build(mergeConfig(prerenderConfig, { configFile: false, logLevel: 'warn' }))
    const { output } = built as Rolldown.RolldownOutput
    const english = englishTexts('client')
    const texts: TextsOfScreens = {
      frames: Object.fromEntries(textsOfFrames().map((name) => [name, textNamed(english, name)])),
      files: Object.fromEntries(
        translations.map((tag) => [
          tag,
          { visitor: `/${wordsFile(tag, 'visitor')}`, member: `/${wordsFile(tag, 'member')}` },
        ]),
      ),
    }
    const source = `${output[0].code}\nexport const texts=${JSON.stringify(texts)}`
    this.emitFile({ type: 'asset', fileName: '.vite/prerender.js', source })
  },
}

/** @param name as `dictionary.key` */
function textNamed(words: TextGroup, name: string): string {
  const [dictionary = '', key = ''] = name.split('.')
  const text = (words[dictionary] as TextGroup | undefined)?.[key]
  if (typeof text !== 'string') throw new Error(`app/frames.ts: ${name} is not a text`)
  return text
}

/** Components to copy into a product: worker/http/pages/registry.ts serves them. */
const registryFile: Plugin = {
  name: 'registry-file',
  apply: 'build',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'registry/source.json', source: JSON.stringify(readRegistry()) })
  },
}

/** /embed.js, into the same folder. */
const embed = (): Plugin => {
  let outDir = ''
  return {
    name: 'embed',
    apply: 'build',
    configResolved(config) {
      outDir = config.build.outDir
    },
    async closeBundle() {
      await build(mergeConfig(componentsConfig, { configFile: false, logLevel: 'warn', build: { outDir } }))
    },
  }
}

/** The page contains what the browser needs before the first paint: a request costs half a second on a slow network. */
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
        // Text keeps the font of its first paint: one that arrives later is for the next page (decision 363).
        return `<style>${String(style.source).replaceAll('font-display:swap', 'font-display:optional')}</style>`
      }),
  },
}

/**
 * Groups modules that most screens of a kind need into one file, which compresses better and costs one request.
 * Rolldown decides about other modules.
 */
const groups = [
  { name: 'app', priority: 5, tags: ['$initial' as const] },
  {
    name: 'form',
    priority: 4,
    minShareCount: 2,
    test: /(client.(ui.(field|page|submit|last-used|typed-email|password-field|new-password|unavailable|own-session)|lib.(action|placeholder|lifetime|after-sign-in|typed|form|last-used))|client.(pages.(ways|slots|sign-in.texts|identifier-field|organization-way)|features.(username.(texts|identifier)|social.layout|phone-number.identifier)|lib.target)|worker.kit.time)\b/,
  },
  {
    name: 'credentials',
    priority: 2,
    minShareCount: 2,
    test: /client.features.(session.labels|email-password.texts|passkey.(texts|add|register|password-managers|ceremony)|two-factor.(texts|forms))\b/,
  },
  {
    name: 'timeline',
    priority: 1,
    minShareCount: 2,
    test: /client.features.(timeline(?!.(console\.texts|records\.tsx|actions|merged|searched))|security-log)\b/,
  },
  {
    // The security page has events, whose lines need neither the words of records nor those of threats.
    name: 'records',
    minShareCount: 2,
    test: /client.features.(timeline.(records\.tsx|actions|merged|searched)|insights.(reasons|threats\.texts)|admin.column-names)\b/,
  },
  {
    name: 'member',
    // Above the group that needs its dialogs.
    priority: 3,
    minShareCount: 2,
    test: /(client.(ui.(table|menu|small|member-page|time|confirm-destroy|dialog|toasts|resend-button|loaded-pages|order|cut|export-button|section|own-session|state)|lib.(address|queries|permissions|profile-step|auth.socket|sign-out|in-list|live|deployment)|features.(organization.(current|texts|organization-lost.texts)|session.sessions.texts|identity-provider.approvals.texts))|worker.kit.permissions)\b/,
  },
  { name: 'icons', priority: 3, minShareCount: 2, test: /lucide-react/ },
]

// Built into dist/client, which the Worker serves as static assets.
/** Pages without the app use its typeface too (worker/http/pages/page.ts). */
const assetFileNames = ({ names }: { names: string[] }) =>
  names.includes('inter-latin-wght-normal.woff2') ? fontFile.slice(1) : 'assets/[name]-[hash][extname]'

export default defineConfig({
  root,
  // wouter imports a shim for versions of React without this hook.
  resolve: { alias: { 'use-sync-external-store/shim/index.js': 'react' } },
  plugins: [
    sharedWords('.', true),
    react(),
    tailwindcss(),
    completeLanguages,
    englishFile,
    registryFile,
    sources(),
    prerendered,
    embed(),
    scriptsOfScreens,
    scriptInThePage,
    styleInThePage,
  ],
  build: {
    outDir: '../dist/client',
    emptyOutDir: true,
    target: 'es2023',
    manifest: true,
    cssCodeSplit: false,
    // Older browsers load the scripts without preloading them.
    // The lists of files would be 2 KiB of the first load. The Worker preloads the scripts of each screen.
    modulePreload: false,
    // A slow machine needs no warning about it.
    rolldownOptions: { checks: { bundlerTimings: false }, output: { codeSplitting: { groups }, assetFileNames } },
  },
})
