import fastify from 'fastify'
import { gatehouseAuth } from 'gatehouse-auth/fastify'
import { addTask, removeTask, tasksOf } from './tasks.js'

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
  return page(`<h1>Product</h1><p>${escapeHtml(text)}</p><a href="/members">Members</a> <a href="/tasks">Tasks</a>`)
})

app.get('/members', { preHandler: auth.protect() }, async (request) => {
  const { user } = auth.callerOf(request)
  return page(`<h1>Hello ${escapeHtml(user.name)}</h1><a href="${escapeHtml(auth.signOutUrl(request))}">Sign out</a>`)
})

/** The tasks of the organization in which the member works. */
app.get('/tasks', { preHandler: auth.protect() }, async (request) => {
  const { session, permissions } = auth.callerOf(request)
  const organization = session?.activeOrganizationId
  const link = (path, text) => `<a href="${escapeHtml(auth.pageUrl(request, path))}">${text}</a>`
  if (!organization) return page(`<h1>Tasks</h1>${link('organizations/new', 'Create an organization')}`)
  const mayRemove = await permissions.has({ task: ['delete'] }, { organization: 'active' })
  const rows = tasksOf(organization).map(
    ({ id, title }) => `<li>${escapeHtml(title)} ${mayRemove ? removal(id) : ''}</li>`,
  )
  return page(`<h1>Tasks</h1><ul>${rows.join('')}</ul>
    <form method="post"><input name="title" aria-label="Title" required maxlength="200" /><button>Add</button></form>
    ${link('organization/members', 'Invite members')}`)
})

const removal = (id) =>
  `<form method="post" action="/tasks/remove"><button name="id" value="${id}">Remove</button></form>`

const readForm = (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body)))
app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, readForm)
const members = (action) => ({
  preHandler: auth.protect({ permissions: { task: [action] }, organization: 'active' }),
})

app.post('/tasks', members('create'), async (request, reply) => {
  addTask(auth.callerOf(request).session.activeOrganizationId, String(request.body?.title ?? ''))
  return reply.redirect('/tasks', 303)
})

app.post('/tasks/remove', members('delete'), async (request, reply) => {
  removeTask(auth.callerOf(request).session.activeOrganizationId, String(request.body?.id ?? ''))
  return reply.redirect('/tasks', 303)
})

await app.listen({ port: Number(PORT), host: 'localhost' })
console.log(`http://localhost:${PORT}`)
