import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { createTestHarness, type TestHarnessOptions, type WorkerHandle } from 'wrangler'
import type { Config } from '../configuration/read-config.ts'
import type { MailboxEntry } from '../platform/mailer/mailbox.ts'
import { schemaOf } from './schema.ts'

/** A running Worker: real HTTP on a real port, with its own empty storage. */
export interface TestServer {
  /** Its origin, `http://localhost:PORT`, which is also its base URL. */
  url: string
  mailbox(): Promise<MailboxEntry[]>
  clearMailbox(): Promise<void>
  /** Calls a method of the server API from a second Worker, which must be running. */
  neighbour(method: string, input: object): Promise<unknown>
  /** Runs the cron trigger. */
  scheduled(): Promise<void>
  database(): Promise<D1Database>
  /**
   * Restarts with the same storage in new isolates, as a deployment does. They take over a moment after it returns.
   * @param config replaces the previous one
   */
  restart(config: Config): Promise<void>
  close(): Promise<void>
}

export interface ServerOptions {
  /** Overrides worker/config.ts. Limits per address are off by default. */
  config?: Config
  /** More variables and secrets. */
  vars?: Record<string, string>
  /** Additional Workers, such as one with a service binding to it. */
  beside?: { configPath: string }[]
}

/**
 * A port that forwards every connection to another port. The Worker must know its own address before it starts, for its
 * links and its trusted origins, and the harness returns its port only after the start.
 */
async function openPort(): Promise<{ port: number; leadTo(port: number): void; close(): void }> {
  let target = 0
  const sockets = new Set<Socket>()
  const listener = createServer((incoming) => {
    const outgoing = connect(target, '127.0.0.1')
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket)
      socket.on('error', () => {
        incoming.destroy()
        outgoing.destroy()
      })
      socket.on('close', () => sockets.delete(socket))
    }
    incoming.pipe(outgoing).pipe(incoming)
  })
  await new Promise<void>((resolve) => listener.listen(0, resolve))
  return {
    port: (listener.address() as AddressInfo).port,
    leadTo: (port) => {
      target = port
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      listener.close()
    },
  }
}

/** The storage after the migrations, once a server of this process has applied them. */
let schema: string | undefined

async function migrate(worker: WorkerHandle<{ DB: D1Database }>): Promise<void> {
  if (schema) {
    await (await worker.getEnv()).DB.prepare(schema).run()
    return
  }
  await worker.applyD1Migrations('DB')
  schema = await schemaOf((await worker.getEnv()).DB)
}

/** Starts the Worker as `wrangler dev` does, with applied migrations. Requires the built client in dist/client. */
export async function startServer({ config = {}, vars = {}, beside = [] }: ServerOptions = {}): Promise<TestServer> {
  const options = (baseUrl: string, chosen = config): TestHarnessOptions => ({
    workers: [
      {
        configPath: './wrangler.toml',
        // A test run bundles the Worker once for all files. A single server bundles it here.
        prebuiltWorkerDir: process.env.BUILT_WORKER,
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
  const entry = await openPort()
  const url = `http://localhost:${entry.port}`
  const harness = createTestHarness(options(url))
  entry.leadTo(Number((await harness.listen()).url.port))
  const worker = harness.getWorker<{ DB: D1Database }>()
  await migrate(worker)
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
    async restart(chosen) {
      await harness.update(options(url, chosen))
      entry.leadTo(Number((await harness.listen()).url.port))
    },
    async close() {
      entry.close()
      await harness.close()
    },
  }
}
