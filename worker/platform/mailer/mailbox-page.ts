import { html } from 'hono/html'
import type { MailboxEntry } from './mailbox.ts'

const style = `
  body { margin: 0 auto; max-width: 46rem; padding: 1.5rem 1rem; font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
    background: light-dark(#f7f7f5, #161615); color: light-dark(#1c1c1a, #ededea); }
  h1 { font-size: 1.25rem; }
  article { margin: 1rem 0; padding: 1rem 1.25rem; border: 1px solid light-dark(#e4e4e0, #3a3a37); border-radius: 12px;
    background: light-dark(#fff, #212120); }
  h2 { font-size: 1rem; margin: 0; }
  small { color: light-dark(#62625d, #a3a39c); }
  a { color: inherit; }
  ul { margin: .5rem 0; padding: 0; list-style: none; }
  code { font-size: 1.5rem; letter-spacing: .1em; user-select: all; }
  pre { white-space: pre-wrap; font: inherit; }
  iframe { width: 100%; height: 32rem; border: 1px solid light-dark(#e4e4e0, #3a3a37); border-radius: 8px; }
`

const article = ({ channel, to, subject, text, html: body, sentAt, links, codes }: MailboxEntry) => html`
    <article>
      <h2>${subject || 'Text message'}</h2>
      <small>${channel === 'sms' ? 'SMS' : 'Email'} to ${to} · <time datetime="${sentAt}">${sentAt.slice(0, 19).replace('T', ' ')} UTC</time></small>
      ${codes.length > 0 ? html`<ul aria-label="Codes">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>` : ''}
      ${links.length > 0 ? html`<ul aria-label="Links">${links.map((link) => html`<li><a href="${link}">${link}</a></li>`)}</ul>` : ''}
      <details>
        <summary>Text</summary>
        <pre>${text}</pre>
      </details>
      ${
        body
          ? html`<details>
        <summary>HTML</summary>
        <iframe sandbox srcdoc="${body}" title="${subject}"></iframe>
      </details>`
          : ''
      }
    </article>`

/** The local mailbox as an HTML page without scripts; a mail's own HTML stays in a sandbox. */
export function mailboxPage(entries: MailboxEntry[]): string {
  return String(html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Local mailbox</title>
    <style>${style}</style>
  </head>
  <body>
    <h1>Local mailbox</h1>
    <p><small>Emails and text messages sent by this development server, newest first, kept for a day.
      <a href="">Reload</a> · <a href="/dev/mailbox.json">JSON</a></small></p>
    <main>
    ${entries.length === 0 ? html`<p>Nothing has been sent yet. Sign up, and the email will appear here.</p>` : entries.map(article)}
    </main>
  </body>
</html>`)
}
