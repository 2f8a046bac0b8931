import { gatehouseAuth } from 'gatehouse-auth/hono'
import { Hono } from 'hono'
import { html } from 'hono/html'
import type { Accounts } from '../../src/index'

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
      <a href="/members">Members</a>`),
  )
})

app.get('/members', auth.protect(), (c) =>
  c.html(page(html`<h1>Hello ${c.var.caller.user.name}</h1><a href="${auth.signOutUrl(c)}">Sign out</a>`)),
)

export default app
