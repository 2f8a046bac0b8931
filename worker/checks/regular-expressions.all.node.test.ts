import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { check } from 'recheck'
import { parseSync } from 'rolldown/experimental'
import { describe, expect, it, vi } from 'vitest'
import { inputsOf } from '../testing/input-schemas.ts'
import { patternsIn } from '../testing/schema-bounds.ts'

/**
 * No regular expression takes exponential time, and none that runs on text of others takes more than linear time. recheck
 * analyses the literals of the code, what the Worker compiles at run time, and the patterns of the schemas.
 */

const root = join(import.meta.dirname, '../..')
const files = globSync(['worker/**/*.ts', 'client/**/*.{ts,tsx}'], {
  cwd: root,
  exclude: ['**/node_modules/**', '**/*.test.ts', '**/*.e2e.ts', 'worker/{bench,testing}/**', 'client/e2e/**'],
})

/** Programs that an operator or a developer runs on files of their own. */
const isTool = (file: string) =>
  /^worker\/(cli|scripts|docs|guides|checks|skills)\/|^client\/(vite\.config|scoped-style)\.ts$/.test(file)

/** Expressions in quadratic time, with the reason for which that is acceptable. */
const quadratic: Record<string, string> = {
  '/(\\S+@\\S+|e-mails?)/i': 'sentences of the app, whose values are short',
  '/(?:"[^"\\n]*"|[^,;<>"\\n])*<([^<>\\s]+)>/g': 'the browser of the user who pastes the list',
}

interface Expression {
  source: string
  flags: string
  where: string
}

interface Node {
  type?: string
  regex?: { pattern: string; flags: string }
  callee?: { name?: string }
}

/** The literals of a file, and whether it compiles others. */
function expressionsOf(file: string) {
  const literals: Expression[] = []
  let compiles = false
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { type, regex, callee } = node as Node
    if (type === 'NewExpression' && callee?.name === 'RegExp') compiles = true
    if (type === 'Literal' && regex) literals.push({ source: regex.pattern, flags: regex.flags, where: file })
    else for (const child of Object.values(node)) visit(child)
  }
  visit(parseSync(file, readFileSync(join(root, file), 'utf8')).program)
  return { file, literals, compiles }
}

const parsed = files.map(expressionsOf)

/** The files that compile expressions from texts of the program. Other texts are listed in `fromSettings`. */
const compiledAtStart: Record<string, () => Promise<unknown>> = {
  'worker/kit/inputs.ts': () => import('../kit/inputs.ts'),
  'worker/kit/plain-words.ts': () => import('../kit/plain-words.ts'),
  'worker/http/pages/screens.ts': () => import('../http/pages/screens.ts'),
  'worker/features/directory/protocol/filter.ts': () => import('../features/directory/protocol/filter.ts'),
  'worker/identity/accounts/hash-formats/firebase-scrypt.ts': () =>
    import('../identity/accounts/hash-formats/firebase-scrypt.ts'),
  'client/lib/code-in.ts': async () => {
    const { codeIn } = await import('../../client/lib/code-in.ts')
    for (const length of [6, 8]) codeIn('', length)
  },
  // Trusted origins with wildcards.
  'worker/kit/urls.ts': async () => {
    const { matchesOrigin } = await import('../kit/urls.ts')
    for (const pattern of ['*.example.com', '*.*.example.com', 'https://*.example.com:8443']) {
      matchesOrigin('https://a.example.com', pattern)
    }
  },
}

/** Files whose compiled expressions may take quadratic time, because they bound the text before. */
const bounded: Record<string, string> = {
  'worker/features/directory/protocol/filter.ts': 'a filter has at most 4096 characters',
  'worker/kit/urls.ts': 'a host has at most 260 characters',
}

const fromSettings: Record<string, string> = {
  'worker/kit/additional-field.ts': 'compiles the pattern of an additional field once, to check it',
  'worker/kit/field-rules.ts': 'the pattern of an additional field runs on a value within its maxLength',
  'worker/features/api-reference/examples.ts': 'the patterns of the schemas, on examples of the program',
  'client/app/routes.ts': 'the paths of the routes',
}

/** The expressions that an action compiles. */
async function compiledBy(where: string, act: () => Promise<unknown>): Promise<Expression[]> {
  const compiled: Expression[] = []
  const Original = globalThis.RegExp
  globalThis.RegExp = new Proxy(Original, {
    construct(target, [source, flags]) {
      compiled.push({ source: String(source), flags: flags ?? '', where })
      return Reflect.construct(target, [source, flags])
    },
  })
  // A module that was loaded before would compile nothing.
  vi.resetModules()
  try {
    await act()
  } finally {
    globalThis.RegExp = Original
  }
  return compiled
}

/** Without an unbounded quantifier, or one of a group, an expression cannot take more than linear, or exponential, time. */
const mayBeSlow = ({ source }: Expression) => /[*+]|\{\d*,\}/.test(source)
const mayBeExponential = ({ source }: Expression) => /\)(?:[*+]|\{\d*,)/.test(source)

const shownOf = ({ source, flags }: Expression) => `/${source}/${flags}`

/** The expressions whose time exceeds the permitted one. Some are analysed at once. */
async function slowOf(expressions: Expression[], most: 'linear' | 'polynomial'): Promise<Map<string, string>> {
  const slow = new Map<string, string>()
  const waiting = [...new Map(expressions.map((one) => [shownOf(one), one])).values()]
  const work = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      // A limit in time would depend on the machine.
      const found = await check(next.source, next.flags, {
        timeout: null,
        attackTimeout: null,
        seedingTimeout: null,
        incubationTimeout: null,
      })
      const type = found.status === 'vulnerable' ? found.complexity.type : found.status
      if (type !== 'safe' && !(most === 'polynomial' && type === 'polynomial')) {
        slow.set(shownOf(next), `${next.where}: ${type}`)
      }
    }
  }
  await Promise.all(Array.from({ length: 4 }, work))
  return slow
}

describe('regular expressions', { timeout: 1_200_000 }, () => {
  it('of the Worker and of the app take linear time', async () => {
    const literals = parsed.filter(({ file }) => !isTool(file)).flatMap((one) => one.literals)
    expect(literals.length).toBeGreaterThan(300)
    const slow = await slowOf(literals.filter(mayBeSlow), 'linear')
    expect(Object.fromEntries([...slow].filter(([shown]) => !(shown in quadratic)))).toEqual({})
    expect([...slow.keys()].filter((shown) => shown in quadratic).sort()).toEqual(Object.keys(quadratic).sort())
  })

  it('that the Worker and the app compile take linear time', async () => {
    const compiling = parsed.filter(({ file, compiles }) => compiles && !isTool(file)).map(({ file }) => file)
    expect(compiling.sort()).toEqual([...Object.keys(compiledAtStart), ...Object.keys(fromSettings)].sort())
    const compiled: Expression[] = []
    for (const [file, act] of Object.entries(compiledAtStart)) {
      const found = await compiledBy(file, act)
      expect({ file, compiled: found.length > 0 }).toEqual({ file, compiled: true })
      compiled.push(...found)
    }
    const isBounded = ({ where }: Expression) => where in bounded
    const within = compiled.filter((one) => mayBeSlow(one) && isBounded(one))
    const others = compiled.filter((one) => mayBeSlow(one) && !isBounded(one))
    expect(Object.fromEntries(await slowOf(others, 'linear'))).toEqual({})
    expect(Object.fromEntries(await slowOf(within, 'polynomial'))).toEqual({})
  })

  it('of the schemas of all inputs take linear time, also those of zod', async () => {
    const patterns = (await inputsOf()).flatMap(({ where, schema }) =>
      patternsIn(schema).map(({ source, flags }) => ({ source, flags, where })),
    )
    expect(patterns.length).toBeGreaterThan(100)
    expect(Object.fromEntries(await slowOf(patterns.filter(mayBeSlow), 'linear'))).toEqual({})
  })

  it('of the tools take no exponential time', async () => {
    const literals = parsed.filter(({ file }) => isTool(file)).flatMap((one) => one.literals)
    expect(Object.fromEntries(await slowOf(literals.filter(mayBeExponential), 'polynomial'))).toEqual({})
  })
})
