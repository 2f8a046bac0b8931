import fastify from 'fastify'
import { gatehouseAuth } from 'gatehouse-auth/fastify'

const { PORT = '3000', GATEHOUSE_URL = 'http://localhost:8787' } = process.env

const auth = gatehouseAuth({ url: GATEHOUSE_URL })
const app = fastify()

const escapeHtml = (text) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
const page = (body) => `<!doctype html><html lang="en"><title>Product</title><body>${body}</body></html>`

app.addHook('onRequest', async (_request, reply) => {
  reply.type('text/html; charset=utf-8')
})

app.get('/', { preHandler: auth.session() }, async (request) => {
  const caller = auth.findCaller(request)
  const text = caller ? `You are signed in as ${caller.user.name}.` : 'This page is public.'
  return page(`<h1>Product</h1><p>${escapeHtml(text)}</p><a href="/members">Members</a>`)
})

app.get('/members', { preHandler: auth.protect() }, async (request) => {
  const { user } = auth.callerOf(request)
  return page(`<h1>Hello ${escapeHtml(user.name)}</h1><a href="${escapeHtml(auth.signOutUrl(request))}">Sign out</a>`)
})

await app.listen({ port: Number(PORT), host: 'localhost' })
console.log(`http://localhost:${PORT}`)
