import { html } from 'hono/html'
import { plainWords } from '../../kit/plain-words.ts'
import type { Mail } from './mail.ts'

export interface MailContent {
  /** @see Mail.kind */
  kind: string
  to: string
  subject: string
  /** What a list of mails shows beside the subject; the first paragraph where it is left out. */
  preheader?: string
  heading: string
  /** Plain text, one paragraph each. */
  paragraphs: string[]
  /** The one thing to do: a button, and its address to copy. */
  action?: { label: string; url: string }
  /** A one-time code, to be typed elsewhere. */
  code?: string
  /** In small print at the end. */
  note?: string
  appName: string
}

const font = "font-family: -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"

/** Clients that know dark mode take these; the inline styles are for all others. */
const darkMode = `
  @media (prefers-color-scheme: dark) {
    .ground { background: #161615 !important; }
    .card { background: #212120 !important; border-color: #3a3a37 !important; }
    .ink, .ink a { color: #ededea !important; }
    .faint, .faint a { color: #a3a39c !important; }
    .button { background: #ededea !important; color: #1c1c1a !important; }
    .code { background: #2c2c2a !important; }
  }
  @media (max-width: 620px) { .card { padding: 24px 20px !important; } }
`

const paragraph = (content: unknown, kind: 'ink' | 'faint' = 'ink') => html`
            <p class="${kind}" style="margin: 0 0 16px; ${font}; font-size: ${kind === 'ink' ? '16px' : '13px'};
              line-height: 1.5; color: ${kind === 'ink' ? '#1c1c1a' : '#62625d'}; word-break: break-word;">${content}</p>`

function asHtml({ subject, preheader, heading, paragraphs, action, code, note, appName }: MailContent): string {
  return String(html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="supported-color-schemes" content="light dark" />
    <title>${subject}</title>
    <style>${darkMode}</style>
  </head>
  <body class="ground" style="margin: 0; padding: 0; background: #f7f7f5;">
    <div style="display: none; max-height: 0; overflow: hidden;">${preheader ?? paragraphs[0] ?? ''}</div>
    <table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" border="0" style="background: #f7f7f5;">
      <tr>
        <td align="center" style="padding: 32px 12px;">
          <table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0" style="width: 100%; max-width: 600px;">
            <tr>
              <td class="card" style="padding: 32px 40px; background: #ffffff; border: 1px solid #e4e4e0; border-radius: 12px;">
            <h1 class="ink" style="margin: 0 0 16px; ${font}; font-size: 20px; line-height: 1.3; color: #1c1c1a;">${heading}</h1>
            ${paragraphs.map((text) => paragraph(text))}
            ${
              code === undefined
                ? ''
                : html`<p class="ink code" style="margin: 8px 0 24px; padding: 16px; background: #f1f1ee; border-radius: 8px; text-align: center;
              font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 28px; letter-spacing: 4px; color: #1c1c1a;">${code}</p>`
            }
            ${
              action === undefined
                ? ''
                : html`<p style="margin: 24px 0;"><a class="button" href="${action.url}" style="display: inline-block; padding: 12px 20px;
              background: #1c1c1a; color: #ffffff; border-radius: 8px; ${font}; font-size: 16px; font-weight: 600; text-decoration: none;">${action.label}</a></p>
            ${paragraph(html`If the button does not work, open this address:<br /><a href="${action.url}" style="color: #62625d;">${action.url}</a>`, 'faint')}`
            }
            ${note === undefined ? '' : paragraph(note, 'faint')}
              </td>
            </tr>
            <tr>
              <td style="padding: 16px 40px 0;">${paragraph(appName, 'faint')}</td>
            </tr>
          </table>
        </td>
      </tr>
    </table>
  </body>
</html>`)
}

/** The twin: the same content in the same order. Addresses and codes stand on lines of their own, to be copied. */
function asText({ heading, paragraphs, action, code, note, appName }: MailContent): string {
  const blocks = [heading, ...paragraphs]
  if (code !== undefined) blocks.push(code)
  if (action) blocks.push(`${action.label}:\n${action.url}`)
  if (note !== undefined) blocks.push(note)
  return `${[...blocks, `-- \n${appName}`].join('\n\n')}\n`
}

/** How a mail begins. A name is words that somebody else may have chosen, and never shown as anything but plain text. */
export const greeting = (name = ''): string => (plainWords(name) ? `Hello ${plainWords(name)},` : 'Hello,')

/** Lays a mail out: HTML that mail clients can show, with everything escaped, and its text twin. */
export function composeMail(content: MailContent): Mail {
  return {
    kind: content.kind,
    to: content.to,
    subject: content.subject,
    text: asText(content),
    html: asHtml(content),
  }
}
