import { newCustomer, newSubscription } from '../testing/outside/billing-entities.ts'
import { offers } from '../testing/outside/billing-offers.ts'
import { providerToken } from '../testing/outside/billing-provider.ts'
import { providerSecret, signWebhook } from '../testing/outside/billing-webhooks.ts'
import { startServer } from '../testing/server.ts'
import { Connection, headerValues, quantile } from './load.ts'

const count = 10_000
const subscriptions = 10
/** The number of concurrent webhooks of the provider. */
const connections = 100
/** The declared maximum of the endpoint. */
const maxTrips = 2

interface Delivery {
  headers: Record<string, string>
  body: object
}

/** In a random order that is the same in each run. */
const shuffled = <T>(list: readonly T[]): T[] => list.map((_, at) => list[(at * 7919 + 13) % list.length]!)

/** Updates of a few subscriptions of one user, each a millisecond newer than the previous one. */
async function makeDeliveries(userId: string): Promise<Delivery[]> {
  const [offer] = offers as [(typeof offers)[0]]
  const begin = Date.now()
  const customer = newCustomer(new Date(begin), { email: 'burst@example.com', external_id: userId })
  const bought = Array.from({ length: subscriptions }, () =>
    newSubscription(new Date(begin), offer, customer.id, { id: 'checkout', metadata: {} }),
  )
  return Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const moment = new Date(begin + n).toISOString()
      const data = { ...bought[n % subscriptions], modified_at: moment, metadata: { n }, customer, discount: null }
      const event = { type: 'subscription.updated', timestamp: moment, data }
      return { headers: (await signWebhook(event, { id: `burst_${n}` })).headers, body: event }
    }),
  )
}

/**
 * 10,000 webhooks in one burst, out of order and every tenth twice: each gets a response and has its effect once, and
 * none exceeds its declared round trips. Responses with 503 are counted and sent again, as the provider does.
 */
export async function measureWebhookBurst(): Promise<void> {
  const billing = { accessToken: providerToken, webhookSecret: providerSecret }
  const server = await startServer({ config: { billing } })
  try {
    const person = { name: 'Burst', email: 'burst@example.com', password: 'password of burst' }
    const headers = { 'content-type': 'application/json', origin: server.url }
    const answer = await fetch(`${server.url}/api/auth/sign-up/email`, {
      method: 'POST',
      headers,
      body: JSON.stringify(person),
    })
    const { user } = (await answer.json()) as { user: { id: string } }
    const made = await makeDeliveries(user.id)
    const queue = shuffled([...made, ...made.filter((_, n) => n % 10 === 0)])
    const sent = queue.length
    const latencies: number[] = []
    let again = 0
    let trips = 0
    const begin = performance.now()
    await Promise.all(
      Array.from({ length: connections }, async () => {
        const connection = await Connection.open(new URL(server.url))
        for (let next = queue.pop(); next; next = queue.pop()) {
          const at = performance.now()
          const reply = await connection.ask({ method: 'POST', path: '/api/auth/polar/webhooks', ...next })
          latencies.push(performance.now() - at)
          const [, d1 = ''] = /d1;desc="(\d+)\//.exec(headerValues(reply, 'server-timing').join()) ?? []
          trips = Math.max(trips, Number(d1))
          if (reply.status === 503) {
            again++
            queue.unshift(next)
          } else if (reply.status !== 200 || d1 === '') throw new Error(`${reply.status} ${reply.text}`)
        }
        connection.close()
      }),
    )
    const elapsed = performance.now() - begin
    const database = await server.database()
    const ledger = await database.prepare("select count(*) as n from jobs where state = 'done'").first<{ n: number }>()
    const { results } = await database
      .prepare("select json_extract(data, '$.metadata.n') as n from billing_entitlements order by n")
      .all<{ n: number }>()
    const latest = Array.from({ length: subscriptions }, (_, n) => count - subscriptions + n)
    if (ledger?.n !== count) throw new Error(`${ledger?.n} webhooks are in the ledger, not ${count}`)
    if (results.map(({ n }) => n).join() !== latest.join())
      throw new Error('a subscription is not as its latest event says')
    if (trips > maxTrips) throw new Error(`a webhook cost ${trips} round trips to D1, not ${maxTrips}`)
    const [p50, p99] = [0.5, 0.99].map((share) => quantile(latencies, share).toFixed(0))
    console.log(`\n${count} webhooks, ${sent} deliveries, ${connections} at a time: ${(elapsed / 1000).toFixed(1)} s`)
    console.log(
      `  each effect once, the latest of each; ${trips} D1 round trip(s) at most; p50 ${p50} ms, p99 ${p99} ms`,
    )
    console.log(`  answered with 503 and sent again: ${again}\n`)
  } finally {
    await server.close()
  }
}
