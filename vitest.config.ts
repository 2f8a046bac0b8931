import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'
import { codeBlocks } from './worker/guides/code-blocks.ts'

export default defineConfig({
  test: {
    projects: [
      {
        // Inside workerd, on real D1, KV and Durable Objects.
        plugins: [
          codeBlocks(),
          cloudflareTest(async () => ({
            main: './worker/index.ts',
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
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
          include: ['worker/**/*.test.ts'],
          exclude: ['worker/architecture.test.ts', 'worker/bench/**', 'worker/scripts/**', '**/*.node.test.ts'],
          globalSetup: ['worker/testing/smtp-server.ts'],
          setupFiles: ['worker/testing/setup.ts'],
          // A hash takes 60 ms of a core, and some tests make hundreds: slow machines need patience.
          testTimeout: 60_000,
          isolate: false,
        },
      },
      {
        // Pure tests of the client, and of the tree itself, in Node.
        test: {
          name: 'node',
          include: ['worker/architecture.test.ts', 'worker/**/*.node.test.ts', 'client/**/*.test.ts'],
        },
      },
      {
        // A running Worker on a real port: real HTTP, clients that others wrote, a real browser.
        test: {
          name: 'e2e',
          include: ['worker/**/*.e2e.ts', 'client/**/*.e2e.ts'],
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
