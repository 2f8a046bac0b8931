import express from 'express'
import { gatehouseAuth } from 'gatehouse-auth/express'

const { PORT = '3000', GATEHOUSE_URL = 'http://localhost:8787' } = process.env

const auth = gatehouseAuth({ url: GATEHOUSE_URL })
const app = express()

const escapeHtml = (text) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
const page = (body) => `<!doctype html><html lang="en"><title>Product</title><body>${body}</body></html>`

app.get('/', auth.session(), (req, res) => {
  const caller = auth.findCaller(req)
  const text = caller ? `You are signed in as ${caller.user.name}.` : 'This page is public.'
  res.send(page(`<h1>Product</h1><p>${escapeHtml(text)}</p><a href="/members">Members</a>`))
})

app.get('/members', auth.protect(), (req, res) => {
  const { user } = auth.callerOf(req)
  res.send(page(`<h1>Hello ${escapeHtml(user.name)}</h1><a href="${escapeHtml(auth.signOutUrl(req))}">Sign out</a>`))
})

app.listen(Number(PORT), () => console.log(`http://localhost:${PORT}`))
