// The fake billing provider on a local port with its hosted pages, for tests without an account: `npm run dev:billing`,
// in addition to `npm run dev`. All payments are simulated.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pathToFileURL } from 'node:url'
import { offers } from './billing-offers.ts'
import { BillingProvider, providerToken } from './billing-provider.ts'
import { providerSecret, signWebhook } from './billing-webhooks.ts'

/** The `billing` options of a Worker that uses the provider. */
export interface BillingConfiguration {
  server: string
  accessToken: string
  webhookSecret: string
  products: { productId: string; slug: string; recommended: boolean }[]
  [option: string]: unknown
}

export interface BillingServer {
  provider: BillingProvider
  origin: string
  /** The `billing` configuration for it. */
  configuration: BillingConfiguration
  /** Sends the webhooks of all pending events to the application, in order. */
  deliver(): Promise<void>
  close(): Promise<void>
}

/** Products, address and secrets of the provider at `origin`, as the option `billing`. */
export const billingConfigurationAt = (origin: string): BillingConfiguration => ({
  server: origin,
  accessToken: providerToken,
  webhookSecret: providerSecret,
  createCustomerOnSignUp: true,
  onSignUp: 'outbox',
  onUsage: 'outbox',
  successUrl: '/account/billing?checkout_id={CHECKOUT_ID}',
  returnUrl: '/',
  products: [
    ...offers.map(({ id }) => ({ productId: id, slug: id.replace('prod_', ''), recommended: id !== 'prod_book' })),
  ],
})

/**
 * @param application returns the origin of the Worker that receives webhooks; called when a webhook is due
 * @param deliversItself whether it sends webhooks immediately, as the real provider does, or only when `deliver` is
 * called
 */
export async function startBillingServer(
  application: () => string,
  { port = 0, deliversItself = true } = {},
): Promise<BillingServer> {
  const server = createServer((request, response) => {
    answer(request, response).catch((thrown: unknown) => {
      console.error(thrown)
      response.writeHead(500).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new BillingProvider(origin)

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', origin)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    if (request.method === 'POST' && url.pathname === '/testing/webhooks') {
      const pending = await Promise.all(provider.events.splice(0).map((event) => signWebhook(event)))
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(pending))
      return
    }
    const hosted = url.pathname.startsWith('/v1/') ? null : hostedPage(provider, request.method ?? 'GET', url)
    if (hosted) {
      response.writeHead(hosted.status, { 'content-type': 'text/html; charset=utf-8', ...hosted.headers })
      response.end(hosted.html)
    } else {
      const headers = { authorization: request.headers.authorization ?? '' }
      const init = { method: request.method ?? 'GET', headers, ...(body && { body }) }
      const told = await provider.receive(new Request(url, init))
      response.writeHead(told.status, { 'content-type': 'application/json' }).end(await told.text())
    }
    if (deliversItself) deliver().catch((thrown: unknown) => console.error(`webhook: ${thrown}`))
  }

  let delivering = Promise.resolve()
  const deliver = () => {
    delivering = delivering.then(async () => {
      for (const event of provider.events.splice(0)) {
        const { headers, body } = await signWebhook(event)
        const { status } = await fetch(`${application()}/api/auth/polar/webhooks`, { method: 'POST', headers, body })
        if (status !== 200) console.error(`webhook ${event.type}: ${status}`)
      }
    })
    return delivering
  }

  return {
    provider,
    origin,
    configuration: billingConfigurationAt(origin),
    deliver,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

interface Hosted {
  status: number
  html: string
  headers?: Record<string, string>
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`)

const page = (title: string, content: string): Hosted => ({
  status: 200,
  html: `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><main><h1>${title}</h1>${content}</main></html>`,
})

const seeOther = (location: string): Hosted => ({ status: 303, html: '', headers: { location } })

/** The pages for payments and for the customer's data. */
function hostedPage(provider: BillingProvider, method: string, url: URL): Hosted | null {
  const [, kind, id = ''] = url.pathname.split('/')
  if (kind === 'checkout') {
    const checkout = provider.checkouts.get(id)
    if (!checkout) return { ...page('No such checkout', ''), status: 404 }
    if (method === 'POST') {
      provider.pay(id)
      return seeOther(checkout.success_url)
    }
    const { name = '', description = '' } = checkout.product ?? {}
    const price = `${(checkout.amount / 100).toFixed(2)} ${checkout.currency.toUpperCase()}`
    return page(
      `Buy ${escaped(name)}`,
      `<p>${escaped(description ?? '')}</p><p>${price}</p><form method="post"><button>Pay</button></form>`,
    )
  }
  if (kind === 'portal') {
    const token = url.searchParams.get('customer_session_token') ?? ''
    const account = provider.accountOfSession(token)
    if (!account) return { ...page('No such session', ''), status: 401 }
    if (method === 'POST') {
      provider.cancel(url.searchParams.get('cancel') ?? '')
      return seeOther(`/portal?customer_session_token=${token}`)
    }
    const rows = account.subscriptions.map(({ id: subscription, product, status }) => {
      const action = `/portal?customer_session_token=${token}&cancel=${subscription}`
      const cancel = status === 'active' ? `<form method="post" action="${action}"><button>Cancel</button></form>` : ''
      return `<li>${escaped(product.name)}: ${status} ${cancel}</li>`
    })
    return page('Your subscriptions', `<ul>${rows.join('')}</ul>`)
  }
  return null
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [port = '9500', application = 'http://localhost:8787'] = process.argv.slice(2)
  const server = await startBillingServer(() => application, { port: Number(port) })
  console.log(`A billing provider is at ${server.origin}. Put this line into .dev.vars and start \`npm run dev\`:\n`)
  console.log(`CONFIG=${JSON.stringify({ billing: server.configuration })}\n`)
  console.log(
    `It sends webhooks to ${application}. Two arguments choose the port and another origin: ${port} http://localhost:PORT`,
  )
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void server.close().then(() => process.exit(0)))
  }
}
