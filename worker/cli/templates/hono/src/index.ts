import { gatehouseAuth } from 'gatehouse-auth/hono'
import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import type { Accounts } from '../../src/index'
import { addTask, removeTask, type Task, tasksOf } from './tasks'

interface Env {
  GATEHOUSE_URL: string
  GATEHOUSE: object
}

const auth = gatehouseAuth<Accounts, Env>((env) => ({ url: env.GATEHOUSE_URL, binding: env.GATEHOUSE }))
const app = new Hono<{ Bindings: Env }>()

/** A page of the product. */
const page = (body: unknown) => html`<!doctype html><html lang="en"><title>Product</title><body>${body}</body></html>`

app.get('/', auth.session(), (c) => {
  const { caller } = c.var
  return c.html(
    page(html`<h1>Product</h1>
      <p>${caller ? `You are signed in as ${caller.user.name}.` : 'This page is public.'}</p>
      <a href="/members">Members</a> <a href="/tasks">Tasks</a>`),
  )
})

app.get('/members', auth.protect(), (c) =>
  c.html(page(html`<h1>Hello ${c.var.caller.user.name}</h1><a href="${auth.signOutUrl(c)}">Sign out</a>`)),
)

/** The tasks of the organization in which the member works. */
app.get('/tasks', auth.protect(), async (c) => {
  const { session, permissions } = c.var.caller
  const organization = session?.activeOrganizationId
  if (!organization) {
    return c.html(
      page(html`<h1>Tasks</h1><a href="${auth.pageUrl(c, 'organizations/new')}">Create an organization</a>`),
    )
  }
  const mayRemove = await permissions.has({ task: ['delete'] }, { organization: 'active' })
  const row = ({ id, title }: Task) => html`<li>${title} ${mayRemove ? removal(id) : ''}</li>`
  return c.html(
    page(html`<h1>Tasks</h1>
      <ul>${tasksOf(organization).map(row)}</ul>
      <form method="post"><input name="title" aria-label="Title" required maxlength="200" /><button>Add</button></form>
      <a href="${auth.pageUrl(c, 'organization/members')}">Invite members</a>`),
  )
})

const removal = (id: string) =>
  html`<form method="post" action="/tasks/remove"><button name="id" value="${id}">Remove</button></form>`

/** A field of a form. */
const sent = async (c: Context, name: string) => String((await c.req.parseBody())[name] ?? '')

app.post('/tasks', auth.protect({ permissions: { task: ['create'] }, organization: 'active' }), async (c) => {
  addTask(c.var.caller.session!.activeOrganizationId!, await sent(c, 'title'))
  return c.redirect('/tasks', 303)
})

app.post('/tasks/remove', auth.protect({ permissions: { task: ['delete'] }, organization: 'active' }), async (c) => {
  removeTask(c.var.caller.session!.activeOrganizationId!, await sent(c, 'id'))
  return c.redirect('/tasks', 303)
})

export default app
