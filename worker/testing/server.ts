import { createTestHarness, type TestHarnessOptions } from 'wrangler'
import type { MailboxEntry } from '../platform/mailer/mailbox.ts'
import type { Config } from '../read-config.ts'

/** A running Worker: real HTTP on a real port, with its own empty storage. */
export interface TestServer {
  /** Its origin, `http://localhost:PORT`, which is also the base URL it is configured with. */
  url: string
  mailbox(): Promise<MailboxEntry[]>
  clearMailbox(): Promise<void>
  /** Calls a method of the server API from a second Worker; it must have been started beside. */
  neighbour(method: string, input: object): Promise<unknown>
  /** Runs what the cron trigger runs. */
  scheduled(): Promise<void>
  database(): Promise<D1Database>
  /** The same storage in new isolates, as after a deployment. @param config instead of the one before */
  restart(config: Config): Promise<void>
  close(): Promise<void>
}

export interface ServerOptions {
  /** Laid over worker/config.ts. Limits per address are off unless it says otherwise. */
  config?: Config
  /** More variables and secrets. */
  vars?: Record<string, string>
  /** Other Workers beside this one, such as one with a service binding to it. */
  beside?: { configPath: string }[]
}

/** Starts the Worker as `wrangler dev` would, migrations applied. Needs the built client in dist/client. */
export async function startServer({ config = {}, vars = {}, beside = [] }: ServerOptions = {}): Promise<TestServer> {
  const options = (baseUrl: string, chosen = config): TestHarnessOptions => ({
    workers: [
      {
        configPath: './wrangler.toml',
        vars: {
          ENVIRONMENT: 'development',
          BASE_URL: baseUrl,
          RATE_LIMIT: '',
          ADMIN_EMAILS: '',
          CONFIG: JSON.stringify({ rateLimit: { enabled: false }, ...chosen }),
          ...vars,
        },
        secrets: { GATEHOUSE_SECRET: 'test-secret-0123456789-0123456789-ab' },
      },
      ...beside,
    ],
  })
  const harness = createTestHarness(options('http://localhost:8787'))
  const { port } = (await harness.listen()).url
  const url = `http://localhost:${port}`
  // The port is known only now; the Worker has to know it for its links and its trusted origins.
  await harness.update(options(url))
  const worker = harness.getWorker<{ DB: D1Database }>()
  await worker.applyD1Migrations('DB')
  const mailboxUrl = `${url}/dev/mailbox.json`
  return {
    url,
    mailbox: async () => (await (await fetch(mailboxUrl)).json()) as MailboxEntry[],
    clearMailbox: async () => {
      await fetch(mailboxUrl, { method: 'DELETE' })
    },
    neighbour: async (method, input) => {
      const body = JSON.stringify(input)
      return (await harness.getWorker('neighbour').fetch(`http://neighbour/${method}`, { method: 'POST', body })).json()
    },
    scheduled: async () => {
      await worker.scheduled({})
    },
    database: async () => (await worker.getEnv()).DB,
    restart: (chosen) => harness.update(options(url, chosen)),
    close: () => harness.close(),
  }
}
