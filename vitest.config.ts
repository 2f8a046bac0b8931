import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { codeBlocks } from './worker/guides/code-blocks.ts'

/**
 * vitest and `npm run test:all` run everything. `npm test` without arguments (TEST_SAMPLE) leaves out the files named
 * *.all.*, all but a sample of the cases that a test takes from `sample` (worker/testing/sample.ts), and the e2e tests
 * but these: they visit every screen, and go once through the usual flows.
 */
const everything = process.env.TEST_SAMPLE !== '1'
const leftOut = everything ? [] : ['**/*.all.*']
const walk = [
  ...['every-screen', 'account', 'accounts', 'two-factor', 'passwordless', 'social', 'organization', 'teams'],
  ...['identity-provider', 'billing', 'application-step-up'],
].map((name) => `client/e2e/${name}.e2e.ts`)
/** What takes packages of frameworks from npm: `npm run test:products`. */
const ofProducts = process.env.STRANGER === 'all' ? [] : ['worker/scripts/stranger-components.all.e2e.ts']
const env = { TEST_SAMPLE: everything ? '' : '1' }

/** Two test files at a time, wherever: each keeps a core busy, and on two cores the default would be one. */
const maxWorkers = 2

/** A walk waits for pages a fifth of its time: on two cores a third one fills the gaps. */
const maxWalks = 3

/**
 * The size of a file says how long it takes, except of these: tests that start other programs, or that go through many
 * screens. They come first, so that none of them is waited for alone at the end.
 */
const long =
  /\/worker\/(scripts|guides|cli)\/.*\.e2e\.ts$|\/client\/e2e\/(every-screen|admin|dead-ends\/sent)\.e2e\.ts$/

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => long.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongFirst },
    // What a test prints is told when it fails.
    silent: 'passed-only',
    projects: [
      {
        // Inside workerd, on real D1, KV and Durable Objects.
        plugins: [
          codeBlocks(),
          cloudflareTest(async () => ({
            main: './worker/index.ts',
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              // The simulated replica of http/replica.test.ts.
              d1Databases: { REPLICA: 'replica' },
              bindings: {
                ENVIRONMENT: 'development',
                BASE_URL: 'http://localhost:8787',
                GATEHOUSE_SECRET: 'test-secret-0123456789-0123456789-ab',
                // What a developer tries out in .dev.vars is no part of the tests.
                RATE_LIMIT: '',
                ADMIN_EMAILS: '',
                CONFIG: '',
                TEST_MIGRATIONS: await readD1Migrations('./migrations'),
              },
            },
          })),
        ],
        test: {
          name: 'worker',
          maxWorkers,
          env,
          // new_module_registry loads no CommonJS module; the build of the Worker converts it, as this does.
          deps: { optimizer: { ssr: { enabled: true, include: ['scim2-parse-filter'] } } },
          include: ['worker/**/*.test.ts'],
          exclude: [
            '**/node_modules/**',
            'worker/architecture.test.ts',
            'worker/bench/**',
            'worker/scripts/**',
            '**/*.node.test.ts',
            ...leftOut,
          ],
          globalSetup: ['worker/testing/smtp-server.ts'],
          setupFiles: ['worker/testing/setup.ts'],
          // Some tests make hundreds of calls: slow machines need patience.
          testTimeout: 180_000,
          hookTimeout: 180_000,
          isolate: false,
        },
      },
      {
        // Pure tests of the client, and of the tree itself, in Node.
        test: {
          name: 'node',
          maxWorkers,
          env,
          include: ['worker/architecture.test.ts', 'worker/**/*.node.test.ts', 'client/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...leftOut],
          // Some go through thousands of cases: slow machines need patience.
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        // A running Worker on a real port: real HTTP, clients that others wrote, a real browser.
        test: {
          name: 'e2e',
          maxWorkers: maxWalks,
          // Another number of workers is another group, which comes after the quick ones.
          sequence: { groupOrder: 1 },
          env,
          include: everything ? ['{worker,client}/**/*.e2e.ts'] : walk,
          exclude: ['**/node_modules/**', ...leftOut, ...ofProducts],
          globalSetup: ['worker/testing/built-worker.ts'],
          setupFiles: ['client/e2e/failed.setup.ts'],
          // The servers and browsers of a file are its own; loading wrangler again for each would only take time.
          isolate: false,
          // A slow machine needs patience here too: whatever is awaited comes, or the test fails.
          expect: { poll: { timeout: 60_000 } },
          // A browser and a server on a busy machine: decision 412.
          retry: 1,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
})
