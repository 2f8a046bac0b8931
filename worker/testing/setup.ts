import { applyD1Migrations, type D1Migration, reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach } from 'vitest'
import { schemaOf } from './schema.ts'

const { DB, TEST_MIGRATIONS } = env as unknown as { DB: D1Database; TEST_MIGRATIONS: D1Migration[] }

let migrated: string | undefined

async function migrate(): Promise<void> {
  if (migrated) {
    await DB.prepare(migrated).run()
    return
  }
  await applyD1Migrations(DB, TEST_MIGRATIONS)
  migrated = await schemaOf(DB)
}

beforeEach(async () => {
  try {
    await migrate()
  } catch {
    // On a machine that is busy elsewhere a database was seen to outlive its reset.
    await reset()
    await migrate()
  }
})

afterEach(async () => {
  await reset()
})
