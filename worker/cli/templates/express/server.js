import express from 'express'
import { gatehouseAuth } from 'gatehouse-auth/express'
import { addTask, removeTask, tasksOf } from './tasks.js'

const { PORT = '3000', GATEHOUSE_URL = 'http://localhost:8787' } = process.env

const auth = gatehouseAuth({ url: GATEHOUSE_URL })
const app = express()

const escapeHtml = (text) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
const page = (body) => `<!doctype html><html lang="en"><title>Product</title><body>${body}</body></html>`

app.get('/', auth.session(), (req, res) => {
  const caller = auth.findCaller(req)
  const text = caller ? `You are signed in as ${caller.user.name}.` : 'This page is public.'
  res.send(page(`<h1>Product</h1><p>${escapeHtml(text)}</p><a href="/members">Members</a> <a href="/tasks">Tasks</a>`))
})

app.get('/members', auth.protect(), (req, res) => {
  const { user } = auth.callerOf(req)
  res.send(page(`<h1>Hello ${escapeHtml(user.name)}</h1><a href="${escapeHtml(auth.signOutUrl(req))}">Sign out</a>`))
})

/** The tasks of the organization in which the member works. */
app.get('/tasks', auth.protect(), async (req, res) => {
  const { session, permissions } = auth.callerOf(req)
  const organization = session?.activeOrganizationId
  const link = (path, text) => `<a href="${escapeHtml(auth.pageUrl(req, path))}">${text}</a>`
  if (!organization) return res.send(page(`<h1>Tasks</h1>${link('organizations/new', 'Create an organization')}`))
  const mayRemove = await permissions.has({ task: ['delete'] }, { organization: 'active' })
  const rows = tasksOf(organization).map(
    ({ id, title }) => `<li>${escapeHtml(title)} ${mayRemove ? removal(id) : ''}</li>`,
  )
  res.send(
    page(`<h1>Tasks</h1><ul>${rows.join('')}</ul>
      <form method="post"><input name="title" aria-label="Title" required maxlength="200" /><button>Add</button></form>
      ${link('organization/members', 'Invite members')}`),
  )
})

const removal = (id) =>
  `<form method="post" action="/tasks/remove"><button name="id" value="${id}">Remove</button></form>`

const form = express.urlencoded({ extended: false })
const members = (action) => auth.protect({ permissions: { task: [action] }, organization: 'active' })

app.post('/tasks', members('create'), form, (req, res) => {
  addTask(auth.callerOf(req).session.activeOrganizationId, String(req.body.title ?? ''))
  res.redirect(303, '/tasks')
})

app.post('/tasks/remove', members('delete'), form, (req, res) => {
  removeTask(auth.callerOf(req).session.activeOrganizationId, String(req.body.id ?? ''))
  res.redirect(303, '/tasks')
})

app.listen(Number(PORT), () => console.log(`http://localhost:${PORT}`))
