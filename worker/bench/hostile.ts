import type { Call } from './load.ts'
import { oauthClient } from './workers.ts'

const json = 'application/json'
/** More than any body may have, 64 KiB, and a directory's or a webhook's, 1 MiB. */
const [oversized, oversizedForAll] = [80 * 1024, 1100 * 1024]

const bodies: Record<string, { type?: string; text: string }> = {
  oversized: { type: json, text: `{"email":"${'a'.repeat(oversized)}"}` },
  'oversized for all': { type: json, text: `{"email":"${'a'.repeat(oversizedForAll)}"}` },
  'many fields': {
    type: json,
    text: `{${Array.from({ length: 4000 }, (_, n) => `"field${n}":${n}`).join(',')}}`,
  },
  'broken JSON': { type: json, text: '{"email":"a@bench.example","password":' },
  'deep lists': { type: json, text: `${'['.repeat(30_000)}${']'.repeat(30_000)}` },
  'deep objects': { type: json, text: `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}` },
  'other types': { type: json, text: '{"email":[1,{"a":null}],"password":{"$ne":1},"name":1e308}' },
  'an inherited name': { type: json, text: '{"__proto__":{"admin":true},"constructor":{"prototype":{}}}' },
  'half a character': { type: json, text: '{"email":"\\ud800@bench.example","password":"\\udfff\\u0000"}' },
  // The connection writes latin1: UTF-8 has no such bytes.
  'no UTF-8': { type: json, text: '{"email":"\xff\xfe\xc3(@bench.example","password":"\xed\xa0\x80"}' },
  'plain text': { type: 'text/plain', text: '{"email":"a@bench.example","password":"b"}' },
  'XML with entities': {
    type: 'application/xml',
    text: `<!DOCTYPE a [${Array.from({ length: 20 }, (_, n) => `<!ENTITY e${n + 1} "&e${n};&e${n};">`).join('')}]><a>&e20;</a>`,
  },
  'a form without its boundary': { type: 'multipart/form-data', text: '--x\r\n\r\n' },
  'a form of many fields': {
    type: 'application/x-www-form-urlencoded',
    text: Array.from({ length: 3000 }, (_, n) => `a${n}=%ff%00`).join('&'),
  },
  'no content type': { text: '{"email":"a@bench.example"}' },
}

const paths = [
  '/sign-in/email',
  '/sign-up/email',
  '/organization/create',
  '/oauth2/token',
  '/oauth2/introspect',
  '/polar/webhooks',
  '/sso/saml2/callback/none',
  '/scim/v2/none/Users',
]

/** Every body at every path that reads one, without a session and with one; and credentials that do not exist. */
export function* hostileCalls(cookie: string): Generator<Call, never> {
  const basic = `Basic ${Buffer.from(`${oauthClient.id}:wrong`).toString('base64')}`
  const credentials: Record<string, string>[] = [
    { cookie: `${cookie.slice(0, -6)}AAAAAA` },
    { cookie: `gatehouse.session_data=${'A'.repeat(6000)}` },
    { cookie: `gatehouse.session_token=%ff%00${'%41'.repeat(1000)}` },
    { 'x-api-key': 'k'.repeat(4000) },
    { authorization: `Bearer ${'a.'.repeat(2000)}` },
    { authorization: basic },
  ]
  for (;;) {
    for (const path of paths) {
      for (const { type, text } of Object.values(bodies)) {
        for (const session of [undefined, { cookie }]) {
          const headers: Record<string, string> = { ...session, ...(type && { 'content-type': type }) }
          yield { method: 'POST', path: `/api/auth${path}`, headers, text }
        }
      }
    }
    for (const headers of credentials) yield { method: 'GET', path: '/api/auth/list-sessions', headers }
  }
}
