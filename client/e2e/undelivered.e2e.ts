import { it } from 'vitest'
import { administrator, openStage, server, withAdministrator } from './dead-ends/stage.ts'
import { lookAt } from './look-at.ts'

openStage({ vars: withAdministrator })

it('administrators see undelivered work, one kind of it, and retry it', async () => {
  const page = await administrator()
  const mail = (to: string) =>
    JSON.stringify({
      id: to,
      kind: 'test',
      to,
      subject: 'S',
      text: 'T',
      html: 'H',
      madeAt: Date.now(),
      isAdmitted: true,
    })
  const database = await server.database()
  const insert = database.prepare(
    `insert into jobs (id, kind, key, payload, attempts, next_at, state, last_error, created_at)
     values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)`,
  )
  const now = Date.now()
  const rows: [id: string, kind: string, key: string | null, payload: string, state: string, error: string | null][] = [
    ['m1', 'mail', null, mail('a@example.com'), 'pending', 'status 500: the server is not available'],
    ['m2', 'mail', null, mail('b@example.com'), 'failed', null],
    ['w1', 'webhook/crm', 'user-1', '{"type":"user.created"}', 'failed', 'the receiver answered 500'],
    ['l1', 'logout/a-client-with-a-rather-long-identifier', 'session-1', '{}', 'failed', 'status 503'],
  ]
  await database.batch(
    rows.map(([id, kind, key, payload, state, error], n) =>
      insert.bind(id, kind, key, payload, n + 1, now + 3_600_000, state, error, now - n * 1000),
    ),
  )
  await page.goto(`${server.url}/admin/undelivered`)
  await page.getByRole('heading', { level: 1, name: 'Undelivered' }).waitFor()
  await page.getByText('the receiver answered 500').waitFor()
  await lookAt(page, 'undelivered')
  await page.getByRole('button', { name: 'Show only Email', exact: true }).first().click()
  await page.getByRole('button', { name: 'Show all kinds' }).waitFor()
  await lookAt(page, 'undelivered-kind')
  await page.getByRole('button', { name: 'Retry Email', exact: true }).first().click()
  await page.getByText('Delivered.').waitFor()
  await page.getByRole('button', { name: 'Retry all: Email' }).click()
  await page.getByText('One is being retried.').waitFor()
  await page.getByText('Nothing of this kind is undelivered.').waitFor()
  await page.getByRole('button', { name: 'Show all kinds' }).click()
  await page.getByText('Sign-out of an application').waitFor()
  await page.getByRole('button', { name: 'Show only Email', exact: true }).first().waitFor({ state: 'detached' })
})

it('in German', async () => {
  const page = await administrator()
  await page.addInitScript(() => Object.defineProperty(navigator, 'languages', { value: ['de'] }))
  await page.goto(`${server.url}/admin/undelivered`)
  await page.getByRole('heading', { level: 1, name: 'Nicht zugestellt' }).waitFor()
  await page.getByText('the receiver answered 500').waitFor()
  await lookAt(page, 'undelivered-de')
})
