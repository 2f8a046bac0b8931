import { expect, it } from 'vitest'
import { administrator, openStage, server, withAdministrator } from './dead-ends/stage.ts'
import { lookAt } from './look-at.ts'

openStage({ vars: withAdministrator })

const hour = 3_600_000

/** Numbers of two days, and two attacks. */
async function insertAttack(): Promise<void> {
  const database = await server.database()
  const now = Date.now()
  const last = Math.floor(now / hour)
  const count = database.prepare('insert into hourly_counts (hour, name, count) values (?1, ?2, ?3)')
  const day = database.prepare('insert into daily_counts (day, name, label, count) values (?1, ?2, ?3, ?4)')
  const attack = database.prepare(
    `insert into attacks (id, key, kind, network, asn, country, started_at, until) values (?1, ?1, ?2, ?3, ?4, ?5, ?6, ?7)`,
  )
  await database.batch([
    ...Array.from({ length: 48 }, (_, at) =>
      count.bind(last - at, 'sign-in-failed', at < 5 ? 380 - at * 60 : 12 + (at % 7)),
    ),
    ...[0, 1, 2, 3].map((at) => count.bind(last - at, 'challenged', 90 - at * 15)),
    ...[0, 9, 20, 31].map((at) => count.bind(last - at, 'answered', 2)),
    ...[0, 1].map((at) => count.bind(last - at, 'refused', 14)),
    ...[3, 12].map((at) => count.bind(last - at, 'noticed', 5)),
    day.bind(Math.floor(now / 86_400_000), 'challenged', 'new-device attacked-network', 240),
    day.bind(Math.floor(now / 86_400_000), 'challenged', 'new-device new-country impossible-travel', 30),
    day.bind(Math.floor(now / 86_400_000), 'answered', 'new-device new-country impossible-travel', 8),
    day.bind(Math.floor(now / 86_400_000), 'noticed', 'new-device product:bot-score', 10),
    day.bind(Math.floor(now / 86_400_000), 'refused', 'new-device new-country false-user-agent', 28),
    attack.bind('a', 'network', '198.51.100.0/24', 64500, 'NL', now - 900_000, now + 900_000),
    attack.bind('b', 'password', null, null, null, now - 7_200_000, now - 3_600_000),
    attack.bind('c', 'network', '2001:db8:7::/48', 64501, 'BR', now - 90_000_000, now - 80_000_000),
  ])
}

it('administrators see attacks and what each rule does, raise the level, block a network and end its sessions', async () => {
  const page = await administrator()
  await page.goto(`${server.url}/admin/threats`)
  await page.getByText('No attack was measured in the last 90 days.').waitFor()
  await page.getByText('No sign-in was unusual in this period.').waitFor()
  await insertAttack()
  await page.reload()
  await page.getByText('198.51.100.0/24').first().waitFor()
  const rule = page.getByRole('row', { name: /Impossible travel/ })
  await expect.poll(() => rule.innerText()).toMatch(/30\s+8\s+0\s+0/)
  await page.getByRole('img', { name: /Stopped sign-ins/ }).waitFor()
  await lookAt(page, 'threats')
  await page.getByRole('heading', { name: 'Attacks' }).scrollIntoViewIfNeeded()
  await lookAt(page, 'threats-attacks')

  await page.getByRole('button', { name: 'Require codes for an hour' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Require codes for an hour' }).click()
  await page.getByText(/^Every unknown device requires a code until/).waitFor()
  await page.getByRole('button', { name: 'End it now' }).click()
  await page.getByText(/Unusual sign-ins are recorded/).waitFor()

  await page.getByRole('button', { name: 'Actions for 198.51.100.0/24' }).click()
  await page.getByRole('button', { name: 'Block this network' }).click()
  const dialog = page.getByRole('dialog')
  await lookAt(page, 'threats-block')
  await dialog.getByLabel('Network').fill('nonsense')
  await dialog.getByRole('button', { name: 'Block' }).click()
  await dialog.getByText(/^Enter an address, a range of addresses/).waitFor()
  await dialog.getByLabel('Network').fill('198.51.100.0/24')
  await dialog.getByRole('button', { name: 'Block' }).click()
  await page.getByRole('row', { name: /198\.51\.100\.0\/24.*Rita Root/ }).waitFor()
  await page.getByRole('button', { name: 'Unblock 198.51.100.0/24' }).click()
  await page.getByText('No network is blocked.').waitFor()

  await page.getByRole('button', { name: 'End sessions' }).click()
  await page.getByRole('dialog').getByLabel('Network').fill('203.0.113.0/24')
  await page.getByRole('dialog').getByRole('button', { name: 'End sessions' }).click()
  await page.getByText('The sessions are being ended.').waitFor()

  await page.goto(`${server.url}/admin/threats?period=days#block`)
  await page.getByRole('dialog', { name: 'Block a network' }).waitFor()
  await page.goto(`${server.url}/admin/audit`)
  for (const words of ['Blocked a network', 'Unblocked a network', 'Ended all sessions of a network'])
    await page.getByText(words).first().waitFor()
})

it.each(['de', 'ar'])('in %s', async (language) => {
  const page = await administrator(language)
  await page.goto(`${server.url}/admin/threats`)
  await page.getByText('198.51.100.0/24').first().waitFor()
  await lookAt(page, `threats-${language}`)
})
