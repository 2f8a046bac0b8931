import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { API, type Diagnostic } from 'typescript/unstable/sync'
import { expect, it } from 'vitest'
import { root } from '../scripts/tools.ts'

/** What "Add a sign-in method" of README.md promises: the compiler lists each place that needs a row. */

const union = join(root, 'worker/identity/model/method.ts')
const withMethod = readFileSync(union, 'utf8').replace("  | 'passkey'\n", "  | 'passkey'\n  | 'smart-card'\n")

/** Files that name a type of the union. Only they are checked: the rest of both programs takes a minute. */
const checked = globSync('{worker,client}/**/*.{ts,tsx}', { cwd: root, exclude: ['**/node_modules', '**/*.test.ts'] })
  .filter((file) =>
    /\b(SignInMethod|OwnSessionMethod|SessionMethod|WayId)\b/.test(readFileSync(join(root, file), 'utf8')),
  )
  .sort()

const allOf = ({ text, messageChain = [] }: Diagnostic): string => [text, ...messageChain.map(allOf)].join('\n')

/** The errors of the compiler by file, while the union has the text `changed`. */
function errorsBy(files: string[], changed: string): Record<string, string[]> {
  const projects = { worker: join(root, 'tsconfig.json'), client: join(root, 'client/tsconfig.json') }
  const api = new API({ cwd: root, fs: { readFile: (name) => (name === union ? changed : undefined) } })
  try {
    const snapshot = api.updateSnapshot({ openProjects: Object.values(projects) })
    const errors = files.map((name): [string, string[]] => {
      const { program } = snapshot.getProject(name.startsWith('client/') ? projects.client : projects.worker)!
      return [name, program.getSemanticDiagnostics(join(root, name)).map(allOf)]
    })
    return Object.fromEntries(errors.filter(([, found]) => found.length > 0))
  } finally {
    api.close()
  }
}

it('a new sign-in method needs a row wherever a method matters', () => {
  const errors = errorsBy(checked, withMethod)
  expect(Object.keys(errors)).toEqual([
    'client/features/accounts/ways-in.tsx',
    'client/features/insights/insights.texts.ts',
    'client/features/session/labels.ts',
    'client/pages/known-accounts.texts.ts',
    'client/pages/slots.ts',
    'worker/features/enterprise/policy/method-kinds.ts',
    'worker/features/public-config/brand/ways.ts',
    'worker/identity/sessions/amr.ts',
    'worker/identity/sign-in/step-up.ts',
  ])
  for (const found of Object.values(errors)) expect(found.join('\n')).toContain('smart-card')
})
