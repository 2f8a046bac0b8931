import { afterAll, beforeAll, expect, it } from 'vitest'
import { Workplace, wrangler } from '../testing/consumer.ts'
import { freePort } from '../testing/ports.ts'
import { writeTemplate } from './template.ts'

const place = new Workplace()
beforeAll(async () => {
  writeTemplate(place.folder)
  // The package is not published yet: the packed one takes its place.
  const manifest = place.read('package.json')
  place.write(
    'package.json',
    manifest.replace(/ {4}"gatehouse-auth": ".*"\n/, '').replace(/ {4}"wrangler": ".*"\n/, ''),
  )
  await place.installPackage()
})
afterAll(() => place.close())

it('deploys from its folder alone', async () => {
  const said = await place.run(wrangler, ['deploy', '--dry-run'])
  for (const binding of ['env.DB', 'env.KV', 'env.COUNTER', 'env.ONE_TIME', 'env.ASSETS', 'env.MAIL_FROM']) {
    expect(said).toContain(binding)
  }
})

it('runs with its development script, and signs up a user', async () => {
  const before = place.read('src/index.ts')
  await place.run(place.path('node_modules/gatehouse-auth/dist/package/gatehouse.js'), ['init'])
  expect(place.read('src/index.ts')).toBe(before)
  const { scripts } = JSON.parse(place.read('package.json')) as { scripts: { dev: string; 'db:migrate': string } }
  const [migrate, dev] = [scripts['db:migrate'], scripts.dev.split(' && ')[1]!]
  await place.run(wrangler, migrate.split(' ').slice(1))
  const origin = `http://localhost:${await freePort()}`
  place.write('.dev.vars', place.read('.dev.vars').replace('http://localhost:8787', origin))
  await place.startWorker(dev.split(' ').slice(2), origin, '/api/auth/ok')
  const answer = await fetch(`${origin}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ name: 'Ada', email: 'ada@acme.com', password: 'correct horse battery' }),
  })
  expect(answer.status).toBe(200)
})
